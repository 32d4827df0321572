import Dispatch
import DynamicInvocation
import Foundation
import Synchronization
import TestSupport

/// Calls batches of signatures on several threads, until one fails or all are done.
final class EmulationRun: Sendable {
  /// A signature that was not carried out as the compiler expects.
  struct Finding: Sendable {
    let number: Int
    let signature: CallSignature
    let compilation: CrossCompilation
    let difference: String
  }

  private struct State {
    var called = 0
    var refused = 0
    var finding: Finding?
    var error: (any Error)?
    var hasEnded: Bool { finding != nil || error != nil }
  }

  private let source: RandomCalls
  private let numbers: Range<Int>
  private let compilations: [CrossCompilation]
  private let batchSize: Int
  private let emulator: Emulator
  private let start: ContinuousClock.Instant = .now
  private let state: Mutex<State> = Mutex(State())

  init(source: RandomCalls, numbers: Range<Int>, compilations: [CrossCompilation], batchSize: Int, emulator: Emulator) {
    self.source = source
    self.numbers = numbers
    self.compilations = compilations
    self.batchSize = batchSize
    self.emulator = emulator
  }

  private var convention: any NativeConvention { source.isApple ? AppleAAPCS64() : AAPCS64() }

  /// The failure, if there was one.
  var finding: Finding? { state.withLock { $0.finding } }

  /// One line about a run without a failure.
  var summary: String {
    let (called, refused) = state.withLock { ($0.called, $0.refused) }
    return "\(numbers.count) signatures x \(compilations.count) compilations for AArch64: no mismatch, seed \(source.seed), "
      + "\(start.duration(to: .now).components.seconds) s (\(called) called twice; \(refused) refused by the engine)"
  }

  /// Runs to the end, or to the first failure.
  ///
  /// - Throws: A compiler's failure, or that of a call that did not come back.
  func perform() throws {
    let batches = stride(from: numbers.lowerBound, to: numbers.upperBound, by: batchSize).map {
      $0..<min($0 + batchSize, numbers.upperBound)
    }
    DispatchQueue.concurrentPerform(iterations: batches.count) { index in
      do {
        try perform(batches[index])
      } catch {
        state.withLock { $0.error = $0.error ?? error }
      }
    }
    let (finding, error) = state.withLock { ($0.finding, $0.error) }
    if finding == nil, let error { throw error }
  }

  private func perform(_ batch: Range<Int>) throws {
    if state.withLock({ $0.hasEnded }) { return }
    var calls: [PlannedCall] = []
    for number in batch {
      do {
        calls.append(try PlannedCall(number, source.signature(number), seed: source.seed(of: number), by: convention))
      } catch let error as InvocationError where error.code == .unsupportedType {
        state.withLock { $0.refused += 1 }
      }
    }
    guard !calls.isEmpty else { return }
    for compilation in compilations {
      let differences = try emulator.differences(calls, by: compilation)
      for (call, difference) in zip(calls, differences) {
        guard let difference else { continue }
        return state.withLock { state in
          if let other = state.finding, other.number <= call.number { return }
          state.finding = Finding(number: call.number, signature: call.signature, compilation: compilation, difference: difference)
        }
      }
      state.withLock { $0.called += calls.count }
    }
  }

  /// Shrinks a failure, and tells all about it.
  func report(on finding: Finding) -> String {
    var difference = finding.difference
    let seeds = [source.seed(of: finding.number), 1, 2]
    var shrinker = SignatureShrinker(finding.signature) { candidate in
      for seed in seeds {
        guard let call = try? PlannedCall(0, candidate, seed: seed, by: self.convention),
          let found = try? self.emulator.differences([call], by: finding.compilation).first, let wrong = found
        else { continue }
        difference = wrong
        return true
      }
      return false
    }
    shrinker.run()
    return """
      MISMATCH  signature \(finding.number) of seed \(source.seed)
      encoding  '\(finding.signature)'
      compiler  \(finding.compilation)
      differs   \(finding.difference)
      again     aarch64-conformance --seed \(source.seed) --only \(finding.number) --compilers \(finding.compilation.compiler.rawValue) \
      --optimizations \(finding.compilation.optimization)\(source.enumerated == nil ? "" : " --enumerated")

      Shrunk in \(shrinker.attempts) steps to
      encoding  '\(shrinker.signature)'
      differs   \(difference)

      \(CalleeSource([shrinker.signature]).text)
      """
  }
}
