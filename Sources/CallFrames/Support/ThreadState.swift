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
}
