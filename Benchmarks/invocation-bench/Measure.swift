#if Tools
  import ArgumentParser
  import BenchmarkSupport
  import Foundation

  /// Times dynamic calls against a direct call, plain libffi and rivals, in one process.
  struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Time dynamic calls beside a direct call and plain libffi.",
      discussion: """
        A ratio is the time over that of the direct call, taken within each round; the spread is the distance between the
        quartiles of these ratios. The engines of a suite take turns.

        With --peers the rows of other programs' reports come in too (make bench-peers runs those of Benchmarks/Peers), each with
        its ratio to the direct call of its own process.

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

    @Flag(help: "Count the instructions of one operation too; needs valgrind, and takes some seconds more.")
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

    @Option(
      name: .customLong("peers"), parsing: .upToNextOption,
      help: ArgumentHelp("Add the rows of these reports, which other programs wrote.", valueName: "peer.json"),
      completion: .file(extensions: ["json"]))
    var peerPaths: [String] = []

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
      let peers = try peerPaths.map(readReport)
      let counter = instructions ? try InstructionCounter.ofThisExecutable() : nil
      let (loops, wrong) = try checkedLoops()
      guard !loops.isEmpty else { throw ValidationError("no row's name contains '\(filter ?? "")'") }
      var report = try Benchmark(
        loops: loops, seconds: quick ? 0.002 : 0.02, rounds: quick ? 3 : repetitions, counter: counter
      ).run()
      report.wrong = wrong
      let uneven = peers.flatMap(report.unevenRows).filter { isWanted($0.row.name) }
      if !peers.isEmpty { report = report.adding(peers: peers.map { $0.filtered(isWanted) }) }
      let text = try report.json()
      if let save { try (text + "\n").write(toFile: save, atomically: true, encoding: .utf8) }
      print(json ? text : peers.isEmpty ? report.table : report.overview)
      if !uneven.isEmpty {
        say("note: compare the time, not the ratio, of these: their process' direct call took another time than ours")
        for (row, direct) in uneven { say(String(format: "  %@: direct %.2f ns", row.name, direct)) }
      }
      if let baseline {
        let text = Comparison(old: baseline, new: report).text
        if json { say(text) } else { print("\n" + text) }
      }
      if let plot { try BarPlot(report, captions: captions).svg.write(toFile: plot, atomically: true, encoding: .utf8) }
    }

    /// Returns the requested rows after checking each, and the names of those that are omitted because their results
    /// are wrong.
    ///
    /// Rows of this package and of libffi must be right; a rival's row may be omitted.
    private func checkedLoops() throws -> (right: [Loop], wrong: [String]) {
      var wrong: [String] = []
      let right = try Loop.all.filter { loop in
        guard isWanted(loop.name) else { return false }
        if try loop.isRight() { return true }
        guard loop.engine.isRival else { throw WrongResult(row: loop.name) }
        say("note: \(loop.name) is left out, as it gives a wrong result")
        wrong.append(loop.name)
        return false
      }
      return (right, wrong)
    }

    private func loop(named name: String) throws -> Loop {
      guard let loop = Loop(variantName: name) else { throw ValidationError("no row \(name)") }
      return loop
    }

    private func isWanted(_ name: String) -> Bool { filter.map(name.contains) ?? true }

    private func readReport(_ path: String) throws -> BenchmarkReport {
      do { return try BenchmarkReport(path: path) } catch { throw UnreadableReport(path: path, reason: error) }
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

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
  }
#endif
