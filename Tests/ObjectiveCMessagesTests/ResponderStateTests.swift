import DynamicInvocation
import EventRouting
import EventRoutingResponders
import TestSupport
import Testing

/// The states of UIKit's and AppKit's responders, on other objects.
@MainActor
@Suite(.serialized) struct ResponderStateTests {
  private final class View: Responder {
    var nextResponder: (any Responder)? { nil }
  }

  @Test("An object has the state that was made for it, until its end is noted on any thread")
  func states() async throws {
    expectEqual(ResponderStates.count, 0)
    let kept = View()
    expect(ResponderStates.state(of: kept) == nil)
    let state = ResponderStates.makeState(of: kept)
    expect(ResponderStates.state(of: kept) === state)
    weak var last: ResponderState?
    for _ in 0..<100 {
      let view = View()
      // The memory of the one before may be used again: its state must not be found.
      expect(ResponderStates.state(of: view) == nil)
      last = ResponderStates.makeState(of: view)
      let address = ResponderStates.address(of: view)
      expect(last != nil && ResponderStates.state(of: view) === last)
      await Task.detached { ResponderStates.noteEnd(of: address) }.value
    }
    expectEqual(ResponderStates.count, 1)
    expect(last == nil)
    ResponderStates.noteEnd(of: ResponderStates.address(of: kept))
    expect(ResponderStates.state(of: kept) == nil)
    expectEqual(ResponderStates.count, 0)
  }
}
