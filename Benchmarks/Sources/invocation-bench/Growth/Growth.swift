import ArgumentParser
import BenchmarkSupport
import Foundation

/// Measures how the cost of an operation grows.
struct Growth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time operations of growing size, or hold their growth in instructions against limits.",
    discussion: """
      Benchmarks/README.md lists the curves, and Benchmarks/report.py draws what --json prints.

      With --gate nothing is timed. The instructions of some sizes are counted by valgrind's callgrind, and a curve fails if it
      grows faster than the work of its operation: for example, a handler among 1,000 may cost at most 1.2 times as much as among 100.

      EXAMPLES:
        invocation-bench growth
        invocation-bench growth --filter keys --json
        invocation-bench growth --gate
      """)

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Short rounds and few sizes: a smoke test, not a measurement.")
  var quick = false

  @Flag(help: "Count instructions, and fail when one grows faster than its limit; needs valgrind.")
  var gate = false

  @Option(help: "Only curves whose name contains this text.")
  var filter: String?

  // The program runs itself under valgrind.
  @Option(parsing: .upToNextOption, help: .hidden)
  var count: [String] = []

  func validate() throws {
    guard !gate || !quick else { throw ValidationError("--gate counts, and does not time") }
    guard !curves.isEmpty else { throw ValidationError("no curve's name contains '\(filter ?? "")'") }
  }

  func run() throws {
    if !count.isEmpty {
      try GrowthBenchmark(curves: curves.filter { count.contains($0.name) }).countRuns()
    } else if gate {
      try runGate()
    } else {
      #if DEBUG
        say("warning: a debug build; its times say nothing")
      #endif
      let report = try GrowthBenchmark(curves: curves).run(isQuick: quick)
      print(json ? try report.jsonText() : report.text)
    }
  }

  private func runGate() throws {
    #if DEBUG
      throw ValidationError("this is a debug build, whose counts say nothing; build it with -c release")
    #else
      let report: GrowthReport
      do {
        report = try GrowthBenchmark(curves: curves).counted(InstructionCounter.ofThisExecutable())
      } catch InstructionCounterError.valgrindIsMissing {
        say("note: growth is not checked: valgrind is not on the PATH")
        return
      }
      let verdicts = curves.flatMap { curve in curve.limits.map { $0.verdict(curve.name, report) } }
      print(json ? try report.jsonText() : GrowthVerdict.text(verdicts))
      guard verdicts.allSatisfy(\.passes) else { throw ExitCode.failure }
    #endif
  }

  private var curves: [GrowthCurve] { GrowthCurve.all.filter { curve in filter.map(curve.name.contains) ?? true } }
}
