#if Tools
  import ArgumentParser
  import BenchmarkSupport
  import Foundation

  /// Measures everything once and writes a report of it.
  struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measure once, and write a report with tables and plots.",
      discussion: """
        The report holds what this run measured, and nothing else: the machine, the versions, a table and a plot for each suite, the
        curves of growth (not with --filter), and an overview. Instructions are in it where valgrind is installed. make report
        runs the peers before, and passes their reports on.

        EXAMPLES:
          invocation-bench report --output Benchmarks/REPORT.md --plots Benchmarks/Plots
          invocation-bench report --output Benchmarks/REPORT.md --plots Benchmarks/Plots --save run.json
          invocation-bench report --output Benchmarks/REPORT.md --plots Benchmarks/Plots --run run.json
        """)

    @OptionGroup var options: MeasurementOptions

    @Option(help: ArgumentHelp("Write the report into this file.", valueName: "REPORT.md"), completion: .file(extensions: ["md"]))
    var output: String

    @Option(help: ArgumentHelp("Draw the plots into this folder.", valueName: "folder"), completion: .directory)
    var plots: String

    @Option(
      name: .customLong("peer-versions"), parsing: .upToNextOption,
      help: ArgumentHelp("The versions of the peers that were run.", valueName: "name=version"))
    var versions: [String] = []

    @Option(
      name: .customLong("absent-peers"), parsing: .upToNextOption,
      help: ArgumentHelp("The peers that were not run.", valueName: "name=reason"))
    var absences: [String] = []

    @Option(
      help: ArgumentHelp("Write the run into this file too.", valueName: "run.json"), completion: .file(extensions: ["json"]))
    var save: String?

    @Option(
      name: .customLong("run"),
      help: ArgumentHelp("Measure nothing: report this run, which --save wrote.", valueName: "run.json"),
      completion: .file(extensions: ["json"]))
    var earlierRun: String?

    func validate() throws {
      _ = try peers()
      guard
        earlierRun == nil || options.peerPaths.isEmpty && versions.isEmpty && absences.isEmpty && options.filter == nil && !options.quick
      else { throw ValidationError("--run reports all of an earlier run, and nothing else") }
    }

    func run() throws {
      let run = try earlierRun.map(readRun) ?? measured()
      if let save { try (run.json() + "\n").write(toFile: save, atomically: true, encoding: .utf8) }
      try run.write(.benchmark, output: output, plots: plots)
      print("\(output), and plots in \(plots)")
    }

    private func measured() throws -> BenchmarkRun {
      #if DEBUG
        throw ValidationError("this is a debug build, whose times say nothing; build it with -c release")
      #else
        // Before the measurement, which takes a while, so that an unreadable report is reported at once.
        let peerReports = try options.readPeers()
        let machine = Machine.current(outputs: [output, plots])
        let day = Date().formatted(.iso8601.year().month().day())
        // Without valgrind the report has no instructions.
        let counter = try? InstructionCounter.ofThisExecutable()
        let report = try options.measure(counter: counter)
        let growth = options.filter == nil ? try GrowthBenchmark(curves: GrowthCurve.allCases, isQuick: options.quick).run() : nil
        return BenchmarkRun(
          machine: machine, date: day, rounds: options.rounds, isQuick: options.quick, report: report, peers: try peers(),
          peerReports: peerReports, growth: growth)
      #endif
    }

    /// Returns the peers in the order of the command line, those that were measured first.
    private func peers() throws -> [Peer] {
      try versions.map { Peer(try Self.pair($0).0, version: try Self.pair($0).1) }
        + absences.map { Peer(try Self.pair($0).0, absence: try Self.pair($0).1) }
    }

    private static func pair(_ text: String) throws -> (name: String, value: String) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw ValidationError("'\(text)' is not a name, '=' and a text") }
      return (parts[0], parts[1])
    }

    private func readRun(_ path: String) throws -> BenchmarkRun {
      do { return try BenchmarkRun(path: path) } catch {
        throw UnreadableReport(path: path, kind: "a run as report --save writes it", reason: error)
      }
    }
  }
#endif
