import BenchmarkSupport
import Foundation

#if Tools
  import ArgumentParser

  /// Times dynamic calls against a direct call, plain libffi and rivals, in one process.
  struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Time dynamic calls beside a direct call and plain libffi.",
      discussion: """
        A ratio is the time over that of the direct call, taken within each round; the spread is the distance between the
        quartiles of these ratios. The engines of a suite take turns.

        Benchmarks/report.py draws what --save writes, beside the rows of other programs (make bench-peers).

        EXAMPLES:
          invocation-bench
          invocation-bench --filter W2/set
          invocation-bench --quick --json
          invocation-bench --json > before.json
          invocation-bench --compare before.json --save now.json
        """)

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Short rounds, and few: a smoke test, not a measurement.")
    var quick = false

    @Option(help: "Report only rows whose 'suite/phase/engine' contains this text.")
    var filter: String?

    @Option(help: "Rounds, of which the median is reported.")
    var repetitions: Int = 21

    @Flag(help: "Count the instructions of one operation too; needs valgrind, and takes some seconds more.")
    var instructions = false

    @Option(
      help: ArgumentHelp(
        "Print how each row's ratio changed since this report of --json, to standard error with --json.", valueName: "baseline.json"),
      completion: .file(extensions: ["json"]))
    var compare: String?

    @Option(
      help: ArgumentHelp("Write the rows into this file too, as --json prints them.", valueName: "out.json"),
      completion: .file(extensions: ["json"]))
    var save: String?

    // The program runs itself under valgrind. --only-run is for users who inspect a single row, --count is for
    // `InstructionCounter`.
    @Option(help: .hidden)
    var onlyRun: String?

    @Option(help: .hidden)
    var operations: Int = 1

    @Option(parsing: .upToNextOption, help: .hidden)
    var count: [String] = []

    func validate() throws {
      guard repetitions >= 1 else { throw ValidationError("--repetitions must be at least 1") }
      guard operations >= 1 else { throw ValidationError("--operations must be at least 1") }
    }

    func run() throws {
      if let onlyRun {
        _ = try loop(named: onlyRun).run(count: operations)
        return
      }
      if !count.isEmpty {
        try CountedLoops(loops: count.map(loop)).run()
        return
      }
      #if DEBUG
        say("warning: a debug build; its times say nothing")
      #endif
      // Before the measurement, which takes a while, so that an unreadable report or a missing counter is reported at
      // once.
      let baseline = try compare.map(readReport)
      let counter = instructions ? try InstructionCounter.ofThisExecutable() : nil
      let report = try measure(counter)
      let text = try report.json()
      if let save { try (text + "\n").write(toFile: save, atomically: true, encoding: .utf8) }
      print(json ? text : report.table)
      if let baseline {
        let text = Comparison(old: baseline, new: report).text
        if json { say(text) } else { print("\n" + text) }
      }
    }

    private func loop(named name: String) throws -> Loop {
      guard let loop = Loop(variantName: name) else { throw ValidationError("no row \(name)") }
      return loop
    }

    /// Checks the requested rows and measures them.
    private func measure(_ counter: InstructionCounter?) throws -> BenchmarkReport {
      let (loops, wrong) = try checkedLoops()
      guard !loops.isEmpty else { throw ValidationError("no row's name contains '\(filter ?? "")'") }
      let rounds = quick ? 3 : repetitions
      var report = try Benchmark(loops: loops, seconds: quick ? 0.002 : 0.02, rounds: rounds, counter: counter).run()
      (report.wrong, report.rounds) = (wrong, rounds)
      return report
    }

    /// Returns the requested rows after checking each, and the names of those that are omitted because their results
    /// are wrong.
    ///
    /// Rows of this package and of libffi must be right; a rival's row may be omitted.
    private func checkedLoops() throws -> (right: [Loop], wrong: [String]) {
      var wrong: [String] = []
      let right = try Loop.all.filter { loop in
        guard filter.map(loop.name.contains) ?? true else { return false }
        if try loop.isRight() { return true }
        guard loop.engine.isRival else { throw WrongResult(row: loop.name) }
        say("note: \(loop.name) is left out, as it gives a wrong result")
        wrong.append(loop.name)
        return false
      }
      return (right, wrong)
    }

    private func readReport(_ path: String) throws -> BenchmarkReport {
      do { return try BenchmarkReport(path: path) } catch { throw UnreadableReport(path: path, reason: error) }
    }
  }
#endif

/// The error of a file that is missing or malformed, although it was named as an earlier report, a peer's report or a
/// baseline.
struct UnreadableReport: Error, CustomStringConvertible {
  var path: String
  /// What the file should contain.
  var kind = "a report as --json prints it"
  var reason: any Error

  var description: String {
    switch reason {
    case is DecodingError: "\(path) is not \(kind): \(reason)"
    default: "\(path) cannot be read: \(reason.localizedDescription)"
    }
  }
}
