import DynamicInvocation
import Synchronization
import TestSupport

/// An implementer of the protocol that is dispatched; ready for any thread.
final class Listener: Sendable {
  struct Refusal: Error {}

  let counter: CallCounter
  let refuses: Bool
  private let tracked: LifetimeTracked

  init(_ tracker: LifetimeTracker, _ counter: CallCounter, refuses: Bool = false) {
    self.counter = counter
    self.refuses = refuses
    tracked = tracker.object()
  }

  /// The protocol.
  static func description() throws -> DispatchProtocol {
    try DispatchProtocol(
      "Listening",
      methods: [.required("count(_:)", types: "q@:q"), .optional("sum(_:_:)", types: "q@:qq"), .optional("unheard()", types: "v@:")])
  }

  /// Gives the class its methods.
  static func addMethods() throws {
    let table = MethodTable.of(Listener.self)
    try table.add("count(_:)") { (listener: Listener, value: Int) throws -> Int in
      listener.counter.receive()
      if listener.refuses { throw Refusal() }
      return value + 1
    }
    try table.add("sum(_:_:)") { (listener: Listener, a: Int, b: Int) -> Int in
      listener.counter.receive()
      return a + b
    }
  }
}
