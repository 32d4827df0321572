internal import CFFIShim

/// State behind a lock that survives a fork and that the thread sanitizer understands.
@safe
package final class Locked<State: ~Copyable>: @unchecked Sendable {
  // Sendable by hand: the state is only accessed with the lock held.

  /// First, since its address is that of the stored properties.
  private var lock = cffi_lock()
  // Checking for exclusive access would find nothing that the lock does not prevent.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var state: State

  /// Puts a state behind a lock of its own.
  package init(_ state: consuming sending State) {
    unsafe self.state = state
    unsafe cffi_lock_make(address)
  }

  /// Puts a state of the process behind a lock that a fork takes, so that the child finds it consistent and unlocked.
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

/// The locks of the process that a fork takes, in the order in which a thread may take one while it has another.
package enum LockOrder: CInt, Sendable {
  case eventLog, eventObservers, dispatchCycle, methods, classes, forwarding, closures, signatures, layouts, selectors
}
