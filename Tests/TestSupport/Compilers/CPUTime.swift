import Foundation
import Synchronization
public import Testing

/// The CPU time of the tests of suites with the trait ``Testing/Trait/measured``.
///
/// All tests begin at once and wait for the threads of one pool, so the time between the begin and the end of a test says
/// nothing of it. What counts for a test is what its thread runs from its begin to the next begin or end of a test there, and
/// the processes that ``Command`` runs for it. What an asynchronous test does after it was suspended may count for another test.
public struct CPUTime: SuiteTrait, TestTrait, TestScoping {
  /// The tests of a suite have the trait as well.
  public var isRecursive: Bool { true }

  /// The counter of the suite whose test runs.
  @TaskLocal static var current: Counter?

  final class Counter: Sendable {
    let nanoseconds: Atomic<Int> = Atomic(0)
  }

  /// The counters by the name of the suite.
  private static let counters: Mutex<[String: Counter]> = Mutex([:])
  /// The counter of each thread, and the CPU time of the thread up to which it has counted.
  private static let threads: Mutex<[UInt: (counter: Counter?, time: Int)]> = Mutex([:])

  /// The file that the times are written to when the process exits; nil if nobody asked for them.
  private static let file: String? = {
    guard let path = ProcessInfo.processInfo.environment["SUITE_TIMES"] else { return nil }
    atexit { CPUTime.write() }
    return path
  }()

  /// Runs a test and counts its time.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil, Self.file != nil else { return try await function() }
    let name = String(describing: test.id).split(separator: "/").dropLast().first.map(String.init) ?? test.name
    let counter = Self.counters.withLock { counters in
      let counter = counters[name] ?? Counter()
      counters[name] = counter
      return counter
    }
    Self.count(into: counter)
    defer { Self.count(into: nil) }
    try await Self.$current.withValue(counter) { try await function() }
  }

  /// Counts what this thread has run since the last call; what it runs from now on counts in another counter.
  private static func count(into counter: Counter?) {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    let now = time.tv_sec * 1_000_000_000 + time.tv_nsec
    #if canImport(Darwin)
      let thread = UInt(bitPattern: pthread_self())
    #else
      let thread = UInt(pthread_self())
    #endif
    let former = threads.withLock { $0.updateValue((counter, now), forKey: thread) }
    if let former { former.counter?.nanoseconds.wrappingAdd(now - former.time, ordering: .relaxed) }
  }

  /// Adds what a process took to the suite whose test waited for it.
  static func count(_ usage: rusage) {
    guard let current else { return }
    let (seconds, microseconds) = (
      usage.ru_utime.tv_sec + usage.ru_stime.tv_sec, Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    )
    current.nanoseconds.wrappingAdd(seconds * 1_000_000_000 + microseconds * 1_000, ordering: .relaxed)
  }

  /// Writes a line for each suite: its milliseconds and its name.
  private static func write() {
    guard let file else { return }
    let lines = counters.withLock { $0 }.map { name, counter in
      "\(counter.nanoseconds.load(ordering: .relaxed) / 1_000_000) \(name)\n"
    }
    try? lines.sorted().joined().write(toFile: file, atomically: true, encoding: .utf8)
  }
}

extension Trait where Self == CPUTime {
  /// Counts the CPU time of the suite's tests.
  ///
  /// It changes nothing for them: `make test` prints the ten slowest suites, so that a suite that
  /// becomes slow is seen. Each suite has it.
  public static var measured: CPUTime { CPUTime() }
}
