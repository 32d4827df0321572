import ArgumentParser
import Foundation
import Synchronization
import TestSupport

/// Calls random Swift functions by the engine and as the compiler does, and compares.
struct SwiftFunctionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Call random Swift functions that swiftc compiled, and compare with the compiled calls.",
    discussion: """
      Libraries are compiled with -Onone and -O, with and without library evolution, and each is called in a process of its own. The \
      functions are found by their names. A function makes a digest of self and of all arguments, may throw, changes what it may \
      change, and returns an argument or a new value. The exit status is 1 if a digest, a result or an error differs from the \
      compiled call, if the numbers of objects before and after differ, or if a library crashes. The first function of a library that \
      differs is shrunk. If the compiler crashes, the library is halved until the functions that it crashes on are found; they are \
      named and left out; so are those whose compiled call crashes.

      EXAMPLES:
        conformance swift --count 100000 --seed 7
        conformance swift --count 50000 --compilation onone --batch 1000
        conformance swift --count 20000 --spied
        conformance swift --count 20000 --slots
        conformance swift --library 12 --seed 7 --compilation o --only 59 --verbose
      """)

  @OptionGroup var count: CountOption
  @OptionGroup var seed: SeedOption
  @OptionGroup var sharing: SharingOptions

  @Option(help: "How libraries are compiled, in turns: \(Self.names.joined(separator: ", ")); all unless given.")
  var compilation: [String] = []

  private static let names = CompiledLibrary.Compilation.all.map(\.key)
  private var compilations: [String] { compilation.isEmpty ? Self.names : compilation }

  @Option(help: "Only the library of this number, in this process.")
  var library: Int?

  @Option(help: "Only the function of this number, with --library.")
  var only: Int?

  @Flag(help: "Make each call as the compiler does, and with a spy in the place of the function, and compare.")
  var spied = false

  @Flag(help: "As --spied, with libraries compiled without the flag: the spies get the calls of another library through its table.")
  var slots = false

  @Flag(help: "Name each function before it is called, with --library.")
  var verbose = false

  @Option(parsing: .upToNextOption, help: "Functions to leave out, with --library.")
  var without: [Int] = []

  func validate() throws {
    if let unknown = compilation.first(where: { !Self.names.contains($0) }) {
      throw ValidationError("there is no compilation '\(unknown)', but \(Self.names.joined(separator: ", "))")
    }
    guard library ?? 0 >= 0 else { throw ValidationError("--library must be at least 0") }
  }

  func run() throws {
    let seed = seed.drawn()
    let mode = slots ? ["--slots"] : spied ? ["--spied"] : []
    let batch = sharing.batch ?? 250
    if let library {
      let name = compilations[library % compilations.count]
      guard var compilation = CompiledLibrary.Compilation.all.first(where: { $0.key == name })?.value else { return }
      if spied { compilation.flags += ["-Xfrontend", "-enable-implicit-dynamic"] }
      compilation.hasOwnCallers = slots
      var run = LibraryRun(seed: seed, number: library, compilation: compilation, count: batch)
      run.isVerbose = verbose
      run.only = only
      run.without = Set(without)
      try run.perform()
      run.report()
      if !run.failures.isEmpty { throw ExitCode.failure }
      return
    }
    let campaign = LibraryCampaign(seed: seed, count: count.count ?? 4000, batch: batch, compilations: compilations, mode: mode)
    try campaign.perform(jobs: sharing.jobs ?? 2)
    if !campaign.summarize() { throw ExitCode.failure }
  }
}

/// Runs each library in a process of its own, so that a crash ends one library only and the memory is freed.
final class LibraryCampaign: Sendable {
  private struct Counts: Tally {
    /// The numbers of each compilation.
    var tallies: [String: FunctionTally] = [:]
    var refused: [String: Int] = [:]
    var failures = 0

    var total: FunctionTally { tallies.values.reduce(into: FunctionTally()) { $0 += $1 } }

    static func += (left: inout Counts, right: Counts) {
      left.tallies.merge(right.tallies) { both, other in
        var sum = both
        sum += other
        return sum
      }
      left.refused.merge(right.refused, uniquingKeysWith: +)
      left.failures += right.failures
    }
  }

  private let seed: UInt64
  private let batch: Int
  private let compilations: [String]
  private let mode: [String]
  private let campaign: Campaign<Counts, Never>

  /// - Parameters:
  ///   - compilations: The names of the compilations, which the libraries use in turns.
  ///   - mode: The flag for calls with a spy in the place of the functions; empty for other calls.
  init(seed: UInt64, count: Int, batch: Int, compilations: [String], mode: [String]) {
    self.mode = mode
    self.seed = seed
    self.batch = batch
    self.compilations = compilations
    campaign = Campaign(0..<max(1, (count + batch - 1) / batch), batchSize: 1, unit: "libraries")
  }

  /// Runs all libraries, some at a time.
  func perform(jobs: Int) throws {
    try campaign.perform(jobs: jobs) { numbers, _ in self.counts(of: numbers.lowerBound) }
  }

  private func counts(of number: Int) -> Counts {
    let log = TemporaryFolder.shared.url.appendingPathComponent("library-\(number)")
    defer { try? FileManager.default.removeItem(at: log) }
    let compilation = compilations[number % compilations.count]
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    let words =
      [
        program, "swift", "--library", "\(number)", "--seed", "\(seed)", "--batch", "\(batch)", "--compilation", compilation,
      ] + mode
    do {
      var without: [String] = []
      while true {
        let arguments = words + (without.isEmpty ? [] : ["--without"] + without)
        let (status, text) = try Command.run(arguments, log: log)
        if text.contains("tally ") { return counts(in: text, of: compilation) }
        let crashed = try Command.run(arguments + ["--verbose"], log: log).text
        guard let function = Self.crashOfCompiledCall(crashed), !without.contains(function) else {
          return failure("library \(number) of seed \(seed), \(compilation): status \(status)\n" + crashed.suffix(3000))
        }
        without.append(function)
        note("swiftc compiled \(number).\(function) \(compilation) to code that crashes")
      }
    } catch {
      return failure("library \(number): \(error)")
    }
  }

  /// The number of the function whose compiled call was the last that a library noted, or nil.
  private static func crashOfCompiledCall(_ text: String) -> String? {
    let marks = text.split(separator: "\n").filter { $0.hasPrefix(CompiledLibrary.compiledCall) || $0.hasPrefix(CompiledLibrary.ownCall) }
    guard let last = marks.last, last.hasPrefix(CompiledLibrary.compiledCall) else { return nil }
    return String(last.dropFirst(CompiledLibrary.compiledCall.count))
  }

  /// Shows a line at once.
  private func note(_ text: String) {
    Progress.clear()
    print(text)
    fflush(nil)
  }

  private func failure(_ text: String) -> Counts {
    note(text)
    return Counts(failures: 1)
  }

  /// Reads the report of a library, and shows what is wrong.
  private func counts(in report: String, of compilation: String) -> Counts {
    var counts = Counts()
    var wrong: [Substring] = []
    for line in report.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      if let tally = FunctionTally(line) {
        counts.tallies[compilation, default: FunctionTally()] += tally
      } else if line.hasPrefix("refused "), words.count == 3, let count = Int(words[1]) {
        counts.refused[String(words[2]), default: 0] += count
      } else {
        wrong.append(line)
        if !line.hasPrefix("swiftc crashed on ") { counts.failures += 1 }
      }
    }
    if !wrong.isEmpty { note(wrong.joined(separator: "\n")) }
    return counts
  }

  /// Prints the result; false if a call differed or a library could not be called.
  func summarize() -> Bool {
    let counts = campaign.counts
    for (reason, count) in counts.refused.sorted(by: { $0.value > $1.value }).prefix(10) { print("refused \(count): \(reason)") }
    for compilation in compilations {
      guard let tally = counts.tallies[compilation] else { continue }
      print("\(compilation): \(tally)")
    }
    print("\(counts.total), seed \(seed), \(campaign.seconds) s")
    return counts.failures == 0 && counts.total.differences == 0
  }
}
