internal import CFFIShim
import Synchronization

/// State behind a lock that the thread sanitizer understands.
package final class Guarded<State: ~Copyable>: Sendable {
  private let mutex: Mutex<State>

  /// Puts a state behind a lock of its own.
  package init(_ state: consuming sending State) {
    mutex = Mutex(state)
  }

  /// Calls a closure with the state, while no other thread has it.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    return try mutex.withLock { state throws(Failure) -> sending Result in
      unsafe cffi_lock_taken(address)
      defer { unsafe cffi_lock_given_back(address) }
      return try body(&state)
    }
  }
}
