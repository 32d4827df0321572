import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Runs each library in a process of its own, so that a crash ends one library only and the memory is freed.
final class ConformanceRun: Sendable {
  private struct State {
    var libraries = 0
    var functions = 0
    var called = 0
    var calls = 0
    var differences = 0
    var refused: [String: Int] = [:]
    var failures: [String] = []
  }

  private let seed: UInt64
  private let batch: Int
  private let libraries: Int
  private let state: Mutex<State> = Mutex(State())
  private let start: ContinuousClock.Instant = .now

  init(seed: UInt64, count: Int, batch: Int) {
    self.seed = seed
    self.batch = batch
    libraries = max(1, (count + batch - 1) / batch)
  }

  /// Runs all libraries, some at a time.
  func perform(jobs: Int) {
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while true {
        let number = next.withLock { number in
          defer { number += 1 }
          return number
        }
        if number >= libraries { return }
        perform(number)
      }
    }
  }

  /// The compilation of a library: each number has one of the four.
  static func compilation(of number: Int) -> CompiledLibrary.Compilation {
    CompiledLibrary.Compilation.all[number % CompiledLibrary.Compilation.all.count]
  }

  private func perform(_ number: Int) {
    let log = TemporaryFolder.shared.url.appendingPathComponent("library-\(number)")
    let words = ["/proc/self/exe", "--library", "\(number)", "--seed", "\(seed)", "--batch", "\(batch)"]
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: words[0])) ?? CommandLine.arguments[0]
    do {
      let (status, text) = try Command.run([program] + words.dropFirst(), log: log)
      guard text.contains("tally ") else {
        let crashed = try Command.run([program] + words.dropFirst() + ["--verbose"], log: log).text
        return fail("library \(number) of seed \(seed), \(Self.compilation(of: number)): status \(status)\n" + crashed.suffix(3000))
      }
      add(text)
    } catch {
      fail("library \(number): \(error)")
    }
    try? FileManager.default.removeItem(at: log)
  }

  private func fail(_ text: String) {
    state.withLock { $0.failures.append(text) }
    print(text)
    fflush(nil)
  }

  /// Adds the report of a library.
  private func add(_ report: String) {
    var rest: [Substring] = []
    let line = state.withLock { state -> String in
      for line in report.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: line.hasPrefix("refused ") ? 2 : 9)
        let numbers = words.dropFirst().compactMap { Int($0) }
        if line.hasPrefix("tally "), numbers.count == 4 {
          state.libraries += 1
          state.functions += numbers[0]
          state.called += numbers[1]
          state.calls += numbers[2]
          state.differences += numbers[3]
        } else if line.hasPrefix("refused "), words.count == 3 {
          state.refused[String(words[2]), default: 0] += numbers.first ?? 0
        } else {
          rest.append(line)
        }
      }
      if !rest.isEmpty { state.failures.append(rest.joined(separator: "\n")) }
      let seconds = start.duration(to: .now).components.seconds
      return "\(state.libraries) of \(libraries) libraries, \(state.functions) functions, \(state.differences) differ, \(seconds) s"
    }
    print((rest + [Substring(line)]).joined(separator: "\n"))
    fflush(nil)
  }

  /// Prints the result; false if a call differed or a library could not be called.
  func summarize() -> Bool {
    state.withLock { state in
      for (reason, count) in state.refused.sorted(by: { $0.value > $1.value }).prefix(10) { print("refused \(count): \(reason)") }
      print(
        "\(state.functions) functions, \(state.called) called, \(state.calls) calls, \(state.differences) functions differ, "
          + "\(state.functions - state.called) functions refused, seed \(seed)")
      return state.failures.isEmpty && state.differences == 0
    }
  }
}
