internal import CFFIShim

/// State protected by a lock that is safe across a fork and that the thread sanitizer understands.
@safe
package final class Locked<State: ~Copyable>: @unchecked Sendable {
  // Unchecked: the state is only accessed with the lock held.

  /// The first stored property, since the stored properties begin at its address.
  private var lock = cffi_lock()
  // The lock already prevents everything that the check for exclusive access could find.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var state: State

  /// Creates a state with its own lock.
  package init(_ state: consuming sending State) {
    unsafe self.state = state
    unsafe cffi_lock_make(address)
  }

  /// Creates process-wide state whose lock a fork acquires, so that the child process finds the state consistent and
  /// the lock released.
  ///
  /// The object must live as long as the process.
  package convenience init(_ state: consuming sending State, atFork order: LockOrder) {
    self.init(state)
    unsafe cffi_lock_take_at_fork(address, order.rawValue)
  }

  deinit { unsafe cffi_lock_end(address) }

  private var address: UnsafeMutablePointer<cffi_lock> {
    unsafe _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: cffi_lock.self)
  }

  /// Calls a closure with the state while holding the lock.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let address = unsafe address
    unsafe cffi_lock_take(address)
    defer { unsafe cffi_lock_give_back(address) }
    return try unsafe body(&state)
  }
}

/// A lock for data that is stored elsewhere.
package typealias Lock = Locked<LockToken>

/// The state of a lock that has none.
///
/// It is not empty: an empty property has the address of its object, and ThreadSanitizer takes an access to it
/// for a write to the object's type.
package struct LockToken: Sendable {
  private var unused: UInt8 = 0

  package init() {}
}

/// The locks of the process that a fork acquires, in the order in which a thread may acquire one while it holds
/// another.
package enum LockOrder: CInt, Sendable {
  case eventLog, eventObservers, awaitingTasks, dispatchCycle, methods, classes, forwarding, closures, signatures, selectors
}
