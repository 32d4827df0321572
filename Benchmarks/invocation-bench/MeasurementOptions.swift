#if Tools
  import ArgumentParser
  import BenchmarkSupport
  import Foundation

  /// What is measured: the options that ``Measure`` and ``Report`` share.
  struct MeasurementOptions: ParsableArguments {
    @Flag(help: "Short rounds, and few: a smoke test, not a measurement.")
    var quick = false

    @Option(help: "Report only rows whose 'suite/phase/engine' contains this text.")
    var filter: String?

    @Option(help: "Rounds, of which the median is reported.")
    var repetitions: Int = 21

    @Option(
      name: .customLong("peers"), parsing: .upToNextOption,
      help: ArgumentHelp("Add the rows of these reports, which other programs wrote.", valueName: "peer.json"),
      completion: .file(extensions: ["json"]))
    var peerPaths: [String] = []

    func validate() throws {
      guard repetitions >= 1 else { throw ValidationError("--repetitions must be at least 1") }
    }

    /// The number of rounds.
    var rounds: Int { quick ? 3 : repetitions }

    /// Returns the peers' reports.
    func readPeers() throws -> [BenchmarkReport] { try peerPaths.map(readReport).map { $0.filtered(isWanted) } }

    /// Checks the requested rows and measures them.
    func measure(counter: InstructionCounter? = nil) throws -> BenchmarkReport {
      let (loops, wrong) = try checkedLoops()
      guard !loops.isEmpty else { throw ValidationError("no row's name contains '\(filter ?? "")'") }
      var report = try Benchmark(loops: loops, seconds: quick ? 0.002 : 0.02, rounds: rounds, counter: counter).run()
      report.wrong = wrong
      return report
    }

    /// Reads a report that was named on the command line.
    func readReport(_ path: String) throws -> BenchmarkReport {
      do { return try BenchmarkReport(path: path) } catch { throw UnreadableReport(path: path, reason: error) }
    }

    /// Writes a line to standard error.
    func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

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

    private func isWanted(_ name: String) -> Bool { filter.map(name.contains) ?? true }
  }
#endif
