import Dispatch
import DynamicInvocation
import Foundation
import Synchronization
import TestSupport

/// Compiles and calls batches of signatures on several threads, until one fails or all are done.
final class ConformanceRun: Sendable {
  private let source: SignatureSource
  private let numbers: Range<Int>
  private let compilations: [Compilation]
  private let batchSize: Int
  private let start: ContinuousClock.Instant = .now
  private let state: Mutex<State> = Mutex(State())

  private struct State {
    var started = 0
    var signatures = 0
    var calls = Calls()
    var finding: Finding?
    var error: (any Error)?
    var hasEnded: Bool { finding != nil || error != nil }
  }

  /// Counts of signatures in a compilation on a backend.
  private struct Calls {
    var made = 0
    var callbacks = 0
    var notOnBackend = 0
    /// Those that a compiler itself gets wrong.
    var halved = 0
  }

  init(source: SignatureSource, numbers: Range<Int>, compilations: [Compilation], batchSize: Int) {
    self.source = source
    self.numbers = numbers
    self.compilations = compilations
    self.batchSize = batchSize
  }

  /// Runs to the end, or to the first failure.
  ///
  /// - Throws: A compiler's failure.
  func perform(jobs: Int) throws {
    let group = DispatchGroup()
    for worker in 0..<jobs {
      group.enter()
      // Threads rather than tasks: each waits for a compiler most of the time, while another calls.
      let thread = Thread {
        self.work(worker)
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    Progress.clear()
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// The failure with the lowest number of those that were found.
  var finding: Finding? { state.withLock { $0.finding } }

  /// One line about a run without a failure.
  var summary: String {
    let calls = state.withLock { $0.calls }
    let left = [
      calls.notOnBackend > 0 ? "\(calls.notOnBackend) left out: not on libffi" : nil,
      calls.halved > 0 ? "\(calls.halved) left out: clang itself halves them" : nil,
    ].compactMap { $0 }
    let backends = CalleeLibrary.backends.count
    let seconds = start.duration(to: .now).components.seconds
    return "\(numbers.count) signatures x \(compilations.count) compilations x \(backends) backends: no mismatch, "
      + "seed \(source.seed), \(seconds) s (\(calls.made) called twice, \(calls.callbacks) called back twice\(left.map { "; \($0)" }.joined()))"
  }

  private func work(_ worker: Int) {
    while let batch = nextBatch() {
      do {
        try perform(batch, worker)
      } catch {
        state.withLock { $0.error = $0.error ?? error }
      }
      let (done, hasEnded) = state.withLock { state in
        state.signatures += batch.count
        return (state.signatures, state.hasEnded)
      }
      if !hasEnded { Progress.show(done, of: numbers.count, since: start) }
    }
  }

  private func nextBatch() -> Range<Int>? {
    state.withLock { state in
      let first = numbers.lowerBound + state.started * batchSize
      guard !state.hasEnded, first < numbers.upperBound else { return nil }
      state.started += 1
      return first..<min(first + batchSize, numbers.upperBound)
    }
  }

  private func perform(_ batch: Range<Int>, _ worker: Int) throws {
    let all = batch.map { (number: $0, signature: source.signature($0)) }
    var sources: [CCompiler: (numbers: [Int], signatures: [CallSignature], source: CalleeSource)] = [:]
    for compilation in compilations {
      if state.withLock({ $0.hasEnded }) { return }
      let callees =
        sources[compilation.compiler]
        ?? {
          let kept = all.filter { !$0.signature.isHalved(by: compilation.compiler) }
          let signatures = kept.map(\.signature)
          return (kept.map(\.number), signatures, CalleeSource(signatures, calling: true))
        }()
      sources[compilation.compiler] = callees
      guard !callees.signatures.isEmpty else { continue }
      let library = try CalleeLibrary(once: callees.source, of: callees.signatures, compilation)
      var calls = Calls(halved: all.count - callees.numbers.count)
      for (index, number) in callees.numbers.enumerated() {
        CrashNotice.calling(number, worker: worker)
        let (finding, counts) = try Finding.look(
          at: index, of: library, number: number, seed: source.seed(of: number), compilation: compilation)
        CrashNotice.called(worker: worker)
        calls.made += counts.calls
        calls.callbacks += counts.callbacks
        calls.notOnBackend += counts.notOnBackend
        if let finding { return record(finding) }
      }
      state.withLock { state in
        state.calls.made += calls.made
        state.calls.callbacks += calls.callbacks
        state.calls.notOnBackend += calls.notOnBackend
        state.calls.halved += calls.halved
      }
    }
  }

  private func record(_ finding: Finding) {
    state.withLock { state in
      if let other = state.finding, other.number <= finding.number { return }
      state.finding = finding
    }
  }
}
