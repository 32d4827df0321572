import Foundation

/// Runs a closure on a thread with a small stack, which what is nested too deep in the input overflows.
///
/// The limits page states 512 KB; the frames of a build with sanitizers are several times as large.
func onSmallStack(_ body: @escaping () -> Void) {
  nonisolated(unsafe) let body = body
  let hasEnded = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    hasEnded.signal()
  }
  thread.stackSize = 2 << 20
  thread.start()
  hasEnded.wait()
}
