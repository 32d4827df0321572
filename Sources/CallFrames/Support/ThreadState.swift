public import CFFIInline

/// What the engine stores for each thread: the identity of the thread, and the heads of linked lists on its stack.
@usableFromInline
package enum ThreadState {
  /// An address that is different for each running thread.
  package static var identity: UnsafeRawPointer { unsafe cffi_thread_identity() }

  /// The innermost message that this thread is forwarding, or nil.
  ///
  /// Its type is known to the module that forwards.
  package static var innermostForwarding: UnsafeMutableRawPointer? {
    get { unsafe cffi_innermost_forwarding() }
    set { unsafe cffi_set_innermost_forwarding(newValue) }
  }

  /// The number of objects that are asking each other for the types of a message on this thread.
  package static var signatureDepth: UInt32 {
    get { cffi_signature_depth() }
    set { cffi_set_signature_depth(newValue) }
  }

  /// The innermost event that this thread is sending, or nil.
  ///
  /// Its type is known to the module that routes events.
  @inlinable
  package static var innermostPass: UnsafeMutableRawPointer? {
    get { unsafe cffi_innermost_pass() }
    set { unsafe cffi_set_innermost_pass(newValue) }
  }

  /// The outermost event within which this thread is starting asynchronous handlers, or nil.
  ///
  /// Its type is known to the module that routes events.
  package static var startingPass: UnsafeMutableRawPointer? {
    get { unsafe cffi_starting_pass() }
    set { unsafe cffi_set_starting_pass(newValue) }
  }

  /// The address that identifies the executor of an actor on which this thread runs; nil without an actor.
  package static var currentExecutor: UnsafeRawPointer? { unsafe cffi_current_executor() }

  /// Whether this thread is the first one of the process; false where that is not known.
  package static var isMainThread: Bool { cffi_is_main_thread() }

  /// The address of the task that is running on this thread, or nil outside of tasks.
  package static var currentTask: UnsafeRawPointer? { unsafe cffi_current_task() }

  /// Copies words of this thread's stack that may belong to another function by now.
  package static func copyStackWords(to destination: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: Int) {
    unsafe cffi_copy_stack_words(destination, source, count)
  }

  /// The address of the stack frame of the function that asks.
  ///
  /// The functions that called it have higher addresses.
  @inline(__always)
  package static var frameAddress: UInt { UInt(cffi_frame_address()) }
}

/// The location in which a method that an invocation calls stores its error.
@usableFromInline
@safe
package struct ErrorPlace {
  @usableFromInline package let error: UnsafeMutablePointer<(any Error)?>?

  @inlinable @inline(__always)
  package init(error: UnsafeMutablePointer<(any Error)?>?) { unsafe self.error = error }

  /// Takes the location that the caller of this method has provided, if the caller is an invocation.
  @inlinable @inline(__always)
  package static func take() -> ErrorPlace {
    unsafe ErrorPlace(error: cffi_take_error_place()?.assumingMemoryBound(to: (any Error)?.self))
  }

  /// No location, for a method that does not throw.
  @inlinable package static var none: ErrorPlace { unsafe ErrorPlace(error: nil) }

  /// Provides the location to the method that is called next.
  package func offer() { unsafe cffi_set_error_place(error) }

  /// Runs a call of a method that may throw, and throws its error.
  @usableFromInline
  package static func rethrow(_ call: () -> Void) throws {
    var error: (any Error)?
    unsafe withUnsafeMutablePointer(to: &error) { place in
      unsafe cffi_set_error_place(place)
      call()
    }
    if let error { throw error }
  }

  /// Stores the error.
  ///
  /// Returns false if there is no location for it.
  package func give(_ error: any Error) -> Bool {
    guard let place = unsafe self.error else { return false }
    unsafe place.pointee = error
    return true
  }
}
