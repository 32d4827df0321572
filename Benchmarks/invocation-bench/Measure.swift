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

    @OptionGroup var options: MeasurementOptions

    @Flag(help: "Count the instructions of one operation too; needs valgrind, and takes some seconds more.")
    var instructions = false

    @Option(
      help: ArgumentHelp(
        "Print how each row's ratio changed since this report of --json, to standard error with --json.", valueName: "baseline.json"),
      completion: .file(extensions: ["json"]))
    var compare: String?

    @Option(
      help: ArgumentHelp("Draw the rows into this file.", valueName: "out.svg"), completion: .file(extensions: ["svg"]))
    var plot: String?

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
        options.say("warning: a debug build; its times say nothing")
      #endif
      // Before the measurement, which takes a while, so that an unreadable report or a missing counter is reported at
      // once.
      let baseline = try compare.map(options.readReport)
      let peers = try options.readPeers()
      let counter = instructions ? try InstructionCounter.ofThisExecutable() : nil
      var report = try options.measure(counter: counter)
      let uneven = peers.flatMap(report.unevenRows)
      if !peers.isEmpty { report = report.adding(peers: peers) }
      let text = try report.json()
      if let save { try (text + "\n").write(toFile: save, atomically: true, encoding: .utf8) }
      print(json ? text : peers.isEmpty ? report.table : report.overview)
      if !uneven.isEmpty {
        options.say("note: compare the time, not the ratio, of these: their process' direct call took another time than ours")
        for (row, direct) in uneven { options.say(String(format: "  %@: direct %.2f ns", row.name, direct)) }
      }
      if let baseline {
        let text = Comparison(old: baseline, new: report).text
        if json { options.say(text) } else { print("\n" + text) }
      }
      if let plot { try BarPlot(report, legend: .benchmark).svg.write(toFile: plot, atomically: true, encoding: .utf8) }
    }

    private func loop(named name: String) throws -> Loop {
      guard let loop = Loop(variantName: name) else { throw ValidationError("no row \(name)") }
      return loop
    }
  }
#endif
