import DynamicInvocation
import TestSupport

/// A dispatcher that all threads call, and whose implementers they add and remove.
final class Audience: @unchecked Sendable {
  // Sendable by hand: the dispatcher may be used on any thread, and its implementers are ready for that.

  let dispatcher: ProtocolDispatcher
  let counter: CallCounter = CallCounter()
  private let members: [Listener]

  init(_ tracker: LifetimeTracker) throws {
    let counter = counter
    members = (0..<3).map { Listener(tracker, counter, refuses: $0 == 1) }
    dispatcher = try ProtocolDispatcher(Listener.description(), implementers: members)
  }

  /// How many implementers stay.
  var memberCount: Int { members.count }

  /// Takes out who is no member.
  func removeGuests() {
    for implementer in dispatcher.implementers where !members.contains(where: { $0 === implementer }) { dispatcher.remove(implementer) }
  }
}
