import CallFrames
import DynamicInvocation
import EventRouting
import Synchronization

/// The states of objects whose classes cannot store one, by their addresses.
///
/// A pass asks each node of its path several times, so a lookup takes no lock: only the main actor reads and changes the
/// table. An object may be deallocated on any thread. Its end is noted then, and its state is removed before the next lookup:
/// the memory is used for another object only after the end was noted.
@MainActor
package enum ResponderStates {
  private static var states: PointerTable<Unmanaged<ResponderState>> = unsafe PointerTable()
  private nonisolated static let ended: Locked<[UInt]> = Locked([])
  private nonisolated static let endedCount: Atomic<Int> = Atomic(0)

  /// The number of objects that have a state.
  package static var count: Int {
    removeEnded()
    return unsafe states.count
  }

  /// Returns the state of an object, or nil if it has none.
  package static func state(of object: AnyObject) -> ResponderState? {
    if endedCount.load(ordering: .acquiring) != 0 { removeEnded() }
    return unsafe states[address(of: object)]?.takeUnretainedValue()
  }

  /// Returns a new state of an object that has none, which lives until the end of the object is noted.
  package static func makeState(of object: AnyObject) -> ResponderState {
    removeEnded()
    let state = ResponderState()
    unsafe states[address(of: object)] = .passRetained(state)
    return state
  }

  /// The key of an object.
  package nonisolated static func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: unsafe Unmanaged.passUnretained(object).toOpaque())
  }

  /// Notes that the object at an address is being deallocated.
  ///
  /// Its handlers are released on the main actor.
  package nonisolated static func noteEnd(of address: UInt) {
    ended.withLock { $0.append(address) }
    endedCount.add(1, ordering: .releasing)
    Task { @MainActor in removeEnded() }
  }

  private static func removeEnded() {
    guard endedCount.exchange(0, ordering: .acquiring) != 0 else { return }
    let addresses = ended.withLock { addresses in
      let ended = addresses
      addresses.removeAll()
      return ended
    }
    var last: [ResponderState] = []
    for address in addresses {
      guard let state = unsafe states[address] else { continue }
      unsafe states[address] = nil
      last.append(unsafe state.takeRetainedValue())
    }
    // The states are released when all are removed: what their handlers own may run any code.
    withExtendedLifetime(last) {}
  }
}
