import Foundation
import Synchronization

/// What is counted of a part of a campaign, in any order.
protocol Tally: Sendable {
  init()
  static func += (left: inout Self, right: Self)
}

/// Numbers that several threads try, a batch at a time, until all are done or something is found.
final class Campaign<Counts: Tally, Finding: Sendable>: Sendable {
  private struct State {
    var next: Int
    var done = 0
    var counts = Counts()
    var found: (number: Int, finding: Finding)?
  }

  private let numbers: Range<Int>
  private let batchSize: Int
  private let unit: String
  private let endsWithFinding: Bool
  private let start: ContinuousClock.Instant = .now
  private let state: Mutex<State>

  /// - Parameters:
  ///   - unit: What the numbers count, for the line that tells how far the campaign is.
  ///   - endsWithFinding: Whether no batch begins after a finding.
  init(_ numbers: Range<Int>, batchSize: Int, unit: String, endsWithFinding: Bool = true) {
    self.numbers = numbers
    self.batchSize = batchSize
    self.unit = unit
    self.endsWithFinding = endsWithFinding
    state = Mutex(State(next: numbers.lowerBound))
  }

  /// The counts so far.
  var counts: Counts { state.withLock { $0.counts } }

  /// The finding with the lowest number.
  var finding: Finding? { state.withLock { $0.found?.finding } }

  /// Whether no batch begins any more, so that the rest of a running batch can be left out.
  var hasEnded: Bool { endsWithFinding && finding != nil }

  /// The whole seconds since the start.
  var seconds: Int { Int(start.duration(to: .now).components.seconds) }

  /// Notes what was found at a number.
  func found(_ finding: Finding, at number: Int) {
    state.withLock { state in
      if let other = state.found, other.number <= number { return }
      state.found = (number, finding)
    }
  }

  /// Tries all numbers, in batches, on so many threads.
  ///
  /// - Parameter body: Tries the numbers of a batch, on the worker with a given number.
  /// - Throws: The first error of `body`, after which no batch begins, unless a finding has ended the campaign.
  func perform(jobs: Int, _ body: @escaping @Sendable (Range<Int>, _ worker: Int) throws -> Counts) throws {
    defer { Progress.clear() }
    do {
      try Workers.run(jobs) { worker, workers in
        while !workers.haveFailed, let batch = self.nextBatch() {
          let counts = try body(batch, worker)
          let done = self.state.withLock { state in
            state.counts += counts
            state.done += batch.count
            return state.done
          }
          if !self.hasEnded { Progress.show(done, of: self.numbers.count, self.unit, since: self.start) }
        }
      }
    } catch {
      if !hasEnded { throw error }
    }
  }

  private func nextBatch() -> Range<Int>? {
    state.withLock { state in
      let isOver = endsWithFinding && state.found != nil
      guard !isOver, state.next < numbers.upperBound else { return nil }
      defer { state.next = min(state.next + batchSize, numbers.upperBound) }
      return state.next..<min(state.next + batchSize, numbers.upperBound)
    }
  }
}

/// Threads that are gone, with all that they kept for themselves, when the caller goes on.
///
/// They are threads rather than tasks, since each waits for a compiler most of the time while another thread calls.
final class Workers: Sendable {
  private let failure: Mutex<(any Error)?> = Mutex(nil)
  private let failed: Atomic<Bool> = Atomic(false)

  /// Whether one of the threads has failed, so that the others end.
  var haveFailed: Bool { failed.load(ordering: .relaxed) }

  /// Runs a body on so many threads, with a number each, and waits until they have ended.
  ///
  /// - Throws: What a thread threw first, and ``Failure`` if there is no thread.
  static func run(_ count: Int, _ body: @escaping @Sendable (_ worker: Int, Workers) throws -> Void) throws {
    let workers = Workers()
    var threads: [pthread_t] = []
    for number in 0..<count {
      let work = Work {
        do { try body(number, workers) } catch { workers.fail(error) }
      }
      switch start(work) {
      case .success(let thread): threads.append(thread)
      case .failure(let failure): workers.fail(failure)
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    if let error = workers.failure.withLock({ $0 }) { throw error }
  }

  private func fail(_ error: any Error) {
    failed.store(true, ordering: .relaxed)
    failure.withLock { $0 = $0 ?? error }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Work>.fromOpaque(address).takeRetainedValue().body()
      return nil
    }
  }

  private static func start(_ work: Work) -> Result<pthread_t, Failure> {
    // Allocated, since several modules declare the initializer of the struct.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
      pthread_attr_destroy(attributes)
      attributes.deallocate()
    }
    // Values of many kilobytes are arguments.
    pthread_attr_setstacksize(attributes, 8 << 20)
    let context = Unmanaged.passRetained(work).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(&thread, attributes, { Work.run($0) }, context)
      if status == 0, let thread { return .success(thread) }
    #else
      var thread = pthread_t()
      let status = pthread_create(&thread, attributes, { $0.flatMap { Work.run($0) } }, context)
      if status == 0 { return .success(thread) }
    #endif
    Unmanaged<Work>.fromOpaque(context).release()
    return .failure(Failure("no thread: \(String(cString: strerror(status)))"))
  }
}

/// The line on standard error that tells how far a run is: on a terminal a line that is replaced, otherwise a new line every half
/// minute.
enum Progress {
  private static let isTerminal: Bool = isatty(STDERR_FILENO) == 1
  private static let written: Mutex<Int> = Mutex(0)

  /// Shows how many are done, how quickly, and how long the rest will take.
  static func show(_ done: Int, of total: Int, _ unit: String, since start: ContinuousClock.Instant) {
    let seconds = start.duration(to: .now) / .seconds(1)
    guard seconds > 0 else { return }
    let pace = Double(done) / seconds
    say("\(done)/\(total) \(unit), \(Int(pace)) a second, \(Int(Double(total - done) / max(pace, 0.001))) s left", at: Int(seconds))
  }

  /// Replaces the line; without a terminal, writes one if none was written in the half minute of this second of the run.
  static func say(_ text: String, at second: Int? = nil) {
    if isTerminal {
      write("\r\u{1B}[K" + text)
    } else if let second {
      let isDue = written.withLock { last in
        defer { last = max(last, second / 30) }
        return second / 30 > last
      }
      if isDue { write(text + "\n") }
    }
  }

  /// Takes the line away.
  static func clear() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// A row of a table that is printed: a name, and cells on the right of their columns.
enum TextRow {
  static func text(_ name: String, _ cells: [String]) -> String {
    name.padding(toLength: 22, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
  }
}

/// What a run found to be wrong, or could not do.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
