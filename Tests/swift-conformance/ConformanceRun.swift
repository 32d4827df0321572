import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Runs each library in a process of its own, so that a crash ends one library only and the memory is freed.
final class ConformanceRun: Sendable {
  private struct State {
    var libraries = 0
    /// The numbers of each compilation.
    var tallies: [String: Tally] = [:]
    var refused: [String: Int] = [:]
    var crashes: [String] = []
    var failures: [String] = []

    var total: Tally { tallies.values.reduce(into: Tally()) { $0 += $1 } }
  }

  private let seed: UInt64
  private let batch: Int
  private let libraries: Int
  private let compilations: [String]
  private let state: Mutex<State> = Mutex(State())
  private let start: ContinuousClock.Instant = .now

  /// - Parameter compilations: The names of the compilations, which the libraries have in turns.
  init(seed: UInt64, count: Int, batch: Int, compilations: [String]) {
    self.seed = seed
    self.batch = batch
    self.compilations = compilations
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

  private func perform(_ number: Int) {
    let log = TemporaryFolder.shared.url.appendingPathComponent("library-\(number)")
    let compilation = compilations[number % compilations.count]
    let words = [
      "/proc/self/exe", "--library", "\(number)", "--seed", "\(seed)", "--batch", "\(batch)", "--compilation", compilation,
    ]
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: words[0])) ?? CommandLine.arguments[0]
    do {
      var without: [String] = []
      while true {
        let arguments = words.dropFirst() + (without.isEmpty ? [] : ["--without"] + without)
        let (status, text) = try Command.run([program] + arguments, log: log)
        if text.contains("tally ") {
          add(text, of: compilation)
          break
        }
        let crashed = try Command.run([program] + arguments + ["--verbose"], log: log).text
        guard let function = Self.crashOfCompiledCall(crashed), !without.contains(function) else {
          return fail("library \(number) of seed \(seed), \(compilation): status \(status)\n" + crashed.suffix(3000))
        }
        without.append(function)
        note("swiftc compiled \(number).\(function) \(compilation) to code that crashes")
      }
    } catch {
      fail("library \(number): \(error)")
    }
    try? FileManager.default.removeItem(at: log)
  }

  /// The number of the function whose compiled call was the last that a library noted, or nil.
  private static func crashOfCompiledCall(_ text: String) -> String? {
    let marks = text.split(separator: "\n").filter { $0.hasPrefix(CompiledLibrary.compiledCall) || $0.hasPrefix(CompiledLibrary.ownCall) }
    guard let last = marks.last, last.hasPrefix(CompiledLibrary.compiledCall) else { return nil }
    return String(last.dropFirst(CompiledLibrary.compiledCall.count))
  }

  private func note(_ text: String) {
    print(text)
    fflush(nil)
  }

  private func fail(_ text: String) {
    state.withLock { $0.failures.append(text) }
    note(text)
  }

  /// Adds the report of a library.
  private func add(_ report: String, of compilation: String) {
    var rest: [Substring] = []
    let line = state.withLock { state -> String in
      for line in report.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 2)
        if let tally = Tally(line) {
          state.libraries += 1
          state.tallies[compilation, default: Tally()] += tally
        } else if line.hasPrefix("refused "), words.count == 3, let count = Int(words[1]) {
          state.refused[String(words[2]), default: 0] += count
        } else if line.hasPrefix("swiftc crashed on ") {
          state.crashes.append(String(line))
          rest.append(line)
        } else {
          rest.append(line)
          state.failures.append(String(line))
        }
      }
      let seconds = start.duration(to: .now).components.seconds
      let total = state.total
      return "\(state.libraries) of \(libraries) libraries, \(total.functions) functions, \(total.differences) differ, \(seconds) s"
    }
    note((rest + [Substring(line)]).joined(separator: "\n"))
  }

  /// Prints the result; false if a call differed or a library could not be called.
  func summarize() -> Bool {
    state.withLock { state in
      for (reason, count) in state.refused.sorted(by: { $0.value > $1.value }).prefix(10) { print("refused \(count): \(reason)") }
      for compilation in compilations {
        guard let tally = state.tallies[compilation] else { continue }
        print("\(compilation): \(Self.text(tally))")
      }
      print("\(Self.text(state.total)), seed \(seed)")
      return state.failures.isEmpty && state.total.differences == 0
    }
  }

  private static func text(_ tally: Tally) -> String {
    "\(tally.functions) functions, \(tally.called) called, \(tally.calls) calls, \(tally.differences) functions differ, "
      + "\(tally.refused) functions refused, swiftc failed on \(tally.crashed)"
  }
}
