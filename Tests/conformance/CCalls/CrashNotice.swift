import Foundation

/// Says which signatures were being called when a call crashed the process.
///
/// A wrong address in a register is a failure like any other, but there is nobody left to shrink it: `--only` shows which one it was.
enum CrashNotice {
  // Read in a signal handler, where nothing may lock or allocate; set up before any worker starts.
  nonisolated(unsafe) private static var numbers: UnsafeMutablePointer<Int>?
  nonisolated(unsafe) private static var workers: Int = 0
  nonisolated(unsafe) private static var seed: UInt64 = 0

  static func install(seed: UInt64, workers: Int) {
    let table = UnsafeMutablePointer<Int>.allocate(capacity: workers)
    table.initialize(repeating: -1, count: workers)
    numbers = table
    self.workers = workers
    self.seed = seed
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT] { signal(number) { CrashNotice.report($0) } }
  }

  /// Notes that a worker begins to call a signature.
  static func calling(_ number: Int, worker: Int) { numbers?[worker] = number }

  /// Notes that the call came back.
  static func called(worker: Int) { numbers?[worker] = -1 }

  private static func report(_ signal: CInt) {
    write("\nCRASH by signal ")
    write(UInt64(signal))
    write(", seed ")
    write(seed)
    write(", while calling one of the signatures")
    for worker in 0..<workers {
      guard let number = numbers?[worker], number >= 0 else { continue }
      write(" ")
      write(UInt64(number))
    }
    write("; try each with --only\n")
    _exit(1)
  }

  private static func write(_ text: StaticString) { _ = unistd_write(text.utf8Start, text.utf8CodeUnitCount) }

  private static func write(_ value: UInt64) {
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      var digit = UInt8(48 + value / divisor % 10)
      _ = unistd_write(&digit, 1)
      divisor /= 10
    }
  }

  private static func unistd_write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int { Foundation.write(STDERR_FILENO, bytes, count) }
}
