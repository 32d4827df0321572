import Foundation

/// Runs deeply nested code on a thread with a stack of 64 MiB: the frames of sanitizer builds are several times as
/// large as others.
///
/// The test must check the returned value: an expectation on another thread is not attributed to a test.
public func onLargeStack<Result>(_ body: @escaping () -> Result) -> Result { onStack(of: 64 << 20, body) }

/// Runs code on a thread with a stack of so many bytes.
public func onStack<Result>(of bytes: Int, _ body: @escaping () -> Result) -> Result {
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var result: Result?
  let hasEnded = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = body()
    hasEnded.signal()
  }
  thread.stackSize = bytes
  thread.start()
  hasEnded.wait()
  guard let result else { preconditionFailure("the thread has set the result") }
  return result
}

#if os(Linux)
  import Glibc

  /// Measures how much of the stack a closure takes.
  public enum StackMeter {
    private static let size = 8 << 20

    private final class Work {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs a closure on a thread whose stack is zeroed memory, and returns the number of bytes down to the last one that was
    /// written, with those that the thread itself takes.
    ///
    /// The test must check what the closure stores: an expectation on another thread is not attributed to a test.
    public static func bytes(_ body: @escaping () -> Void) -> Int {
      guard let stack = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), stack != MAP_FAILED
      else { preconditionFailure("a stack is mapped") }
      defer { munmap(stack, size) }
      // Allocated, since several modules declare the initializer of the struct.
      let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
      pthread_attr_init(attributes)
      defer {
        pthread_attr_destroy(attributes)
        attributes.deallocate()
      }
      pthread_attr_setstack(attributes, stack, size)
      let work = Work(body)
      var thread = pthread_t()
      let error = pthread_create(
        &thread, attributes,
        { address in
          if let address { Unmanaged<Work>.fromOpaque(address).takeUnretainedValue().body() }
          return nil
        }, Unmanaged.passUnretained(work).toOpaque())
      precondition(error == 0, "a thread is created")
      pthread_join(thread, nil)
      // Page by page, in C: a loop over the words takes long in a debug build.
      let zeros = [UInt8](repeating: 0, count: 4_096)
      var unused = 0
      while unused < size, memcmp(stack + unused, zeros, zeros.count) == 0 { unused += zeros.count }
      return size - unused
    }
  }
#endif
