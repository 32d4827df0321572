import Foundation

/// Runs code on a thread with a stack of 64 MiB, for what nests deep: the frames of builds for a sanitizer are several times as large.
///
/// What it returns is to be looked at by the test: an expectation on another thread belongs to none.
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
