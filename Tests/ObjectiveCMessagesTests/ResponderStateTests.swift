import EventRouting
import EventRoutingResponders
import TestSupport
import Testing

/// The states of UIKit's and AppKit's responders, on other objects.
@MainActor
struct ResponderStateTests {
  @Test("An object has the state that was made for it, until its end is noted on any thread")
  func states() async throws {
    let kept = EventProxy()
    let state = ResponderStates.makeState(of: kept)
    expect(ResponderStates.state(of: kept) === state)
    weak var last: ResponderState?
    for _ in 0..<100 {
      let view = EventProxy()
      // The memory of the one before may be used again: its state must not be found.
      expect(ResponderStates.state(of: view) == nil)
      last = ResponderStates.makeState(of: view)
      let address = ResponderStates.address(of: view)
      expect(last != nil && ResponderStates.state(of: view) === last)
      await Task.detached { ResponderStates.noteEnd(of: address) }.value
    }
    expect(ResponderStates.count == 1 && last == nil)
    ResponderStates.noteEnd(of: ResponderStates.address(of: kept))
    expect(ResponderStates.state(of: kept) == nil && ResponderStates.count == 0)
  }
}
