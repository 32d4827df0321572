import Foundation

/// Runs deeply nested code on a thread with a stack of 64 MiB: the frames of sanitizer builds are several times as
/// large as others.
///
/// The test must check the returned value: an expectation on another thread is not attributed to a test.
public func onLargeStack<Result>(_ body: @escaping () -> Result) -> Result {
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var result: Result?
  let hasEnded = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = body()
    hasEnded.signal()
  }
  thread.stackSize = 64 << 20
  thread.start()
  hasEnded.wait()
  guard let result else { preconditionFailure("the thread has set the result") }
  return result
}
