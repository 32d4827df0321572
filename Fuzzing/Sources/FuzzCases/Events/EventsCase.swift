import EventRouting
import EventRoutingModel

/// Carries out an event script by the engine and by the model, which must not differ.
func eventsCase(_ bytes: UnsafeRawBufferPointer) {
  EventLog.logger = nil
  var generator = ByteGenerator(bytes)
  let script = EventScript(using: &generator)
  let difference = script.difference()
  require(difference == nil, "\(difference ?? "")\n\(script)")
}
