import ArgumentParser
import BenchmarkSupport
import Foundation

/// Times dynamic calls beside a direct call, plain libffi and rivals, in one process.
@main
struct InvocationBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invocation-bench",
    abstract: "Time dynamic calls beside a direct call and plain libffi, in one process.",
    discussion: """
      Suites: W0 (v@:), W2 (q@:qq), W4 (eight mixed arguments), WR (rectangle in and out).
      Phases: invoke (the call alone), set (set every argument, call, read), create (a new invocation each time), callback (C calls).
      Engines: direct, ffi_call, invocation, function (a typed call without an object), and avcall where GNU libffcall is
      installed (on Debian and Ubuntu: libffcall-dev, before the build).

      A ratio is the time over that of the direct call, taken within each round; the spread is the distance between the
      quartiles of these ratios. The engines of a suite take turns.

      EXAMPLES:
        invocation-bench
        invocation-bench --filter W2/set
        invocation-bench --quick --json
        invocation-bench --json > before.json
        invocation-bench --compare before.json --plot now.svg
      """)

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Short rounds, and few: a smoke test, not a measurement.")
  var quick = false

  @Flag(help: "Count the instructions of one operation too; needs valgrind, and takes a second or two for each row.")
  var instructions = false

  @Option(help: "Report only rows whose 'suite/phase/engine' contains this text.")
  var filter: String?

  @Option(help: "Rounds, of which the median is reported.")
  var repetitions: Int = 21

  @Option(
    help: ArgumentHelp(
      "Print how each row's ratio changed since this report of --json, to standard error with --json.", valueName: "baseline.json"),
    completion: .file(extensions: ["json"]))
  var compare: String?

  @Option(
    help: ArgumentHelp("Draw the rows into this file.", valueName: "out.svg"), completion: .file(extensions: ["svg"]))
  var plot: String?

  // How the program runs itself under valgrind.
  @Option(help: .hidden)
  var onlyRun: String?

  @Option(help: .hidden)
  var operations: Int = 1

  func validate() throws {
    guard repetitions >= 1 else { throw ValidationError("--repetitions must be at least 1") }
    guard operations >= 1 else { throw ValidationError("--operations must be at least 1") }
  }

  func run() throws {
    if let onlyRun {
      guard let loop = Loop.all.first(where: { $0.name == onlyRun }) else { throw ValidationError("no row \(onlyRun)") }
      _ = try loop.run(count: operations)
      return
    }
    #if DEBUG
      say("warning: a debug build; its times say nothing")
    #endif
    // Before the measurement, which takes a while: what cannot be read or counted should be said at once.
    let baseline = try compare.map { path in
      do { return try BenchmarkReport(path: path) } catch { throw UnreadableBaseline(path: path, reason: error) }
    }
    let counter = instructions ? try InstructionCounter(executable: executable()) : nil
    let loops = try rightLoops()
    guard !loops.isEmpty else { throw ValidationError("no row's name contains '\(filter ?? "")'") }
    let report = try Benchmark(
      loops: loops, seconds: quick ? 0.002 : 0.02, rounds: quick ? 3 : repetitions, counter: counter
    ).run()
    print(json ? try report.json() : report.table)
    if let baseline {
      let text = Comparison(old: baseline, new: report).text
      if json { say(text) } else { print("\n" + text) }
    }
    if let plot { try BarPlot(report, captions: captions).svg.write(toFile: plot, atomically: true, encoding: .utf8) }
  }

  /// The wanted rows, each checked, as a wrong result is never timed.
  ///
  /// Ours and libffi's must be right, a rival may be left out.
  private func rightLoops() throws -> [Loop] {
    try Loop.all.filter { loop in
      guard filter.map(loop.name.contains) ?? true else { return false }
      if try loop.isRight() { return true }
      guard loop.engine.isRival else { throw WrongResult(row: loop.name) }
      say("note: \(loop.name) is left out, as it gives a wrong result")
      return false
    }
  }

  private var captions: [String: String] {
    var captions: [String: String] = [:]
    for suite in Suite.allCases {
      for phase in Phase.allCases {
        captions["\(suite.rawValue)/\(phase.rawValue)"] = "\(suite.caption): \(phase.caption) (\(suite.rawValue)/\(phase.rawValue))"
      }
    }
    return captions
  }

  private func executable() throws -> String {
    guard let path = Bundle.main.executablePath else { throw ValidationError("--instructions cannot find this executable") }
    return path
  }

  private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
