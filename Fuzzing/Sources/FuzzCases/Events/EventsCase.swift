import EventRouting
import EventRoutingModel

/// Executes an event script with the engine and with the model, which must agree.
func eventsCase(_ bytes: UnsafeRawBufferPointer) {
  EventLog.logger = nil
  var generator = ByteGenerator(bytes)
  let script = EventScript(using: &generator)
  // The fuzzer runs its cases on the main thread.
  let difference = MainActor.assumeIsolated { script.difference() }
  require(difference == nil, "\(difference ?? "")\n\(script)")
}
