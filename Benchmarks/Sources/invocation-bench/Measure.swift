import ArgumentParser
import BenchmarkSupport
import CallgrindRequests
import Foundation

/// Times dynamic calls against a direct call, plain libffi and other mechanisms, in one process.
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time dynamic calls beside a direct call and plain libffi.",
    discussion: """
      A ratio is the time divided by the time of the direct call in the same round; the spread is the distance between the
      quartiles of these ratios. The engines of a suite take turns.

      Benchmarks/report.py draws what --save writes, beside the rows of other programs (make bench-peers), and compares two such files.

      EXAMPLES:
        invocation-bench
        invocation-bench --filter W2/set
        invocation-bench --quick --json
        invocation-bench --save now.json && Benchmarks/report.py compare before.json now.json
      """)

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Short rounds, and few: a smoke test, not a measurement.")
  var quick = false

  @Option(help: "Report only rows whose 'suite/phase/engine' contains this text.")
  var filter: String?

  @Option(help: "Rounds; the report has their medians.")
  var repetitions: Int = 21

  @Flag(help: "Count the instructions of one operation too; needs valgrind, and takes some seconds more.")
  var instructions = false

  @Option(
    help: ArgumentHelp("Write the rows into this file too, as --json prints them.", valueName: "out.json"),
    completion: .file(extensions: ["json"]))
  var save: String?

  // The program runs itself under valgrind.
  @Option(parsing: .upToNextOption, help: .hidden)
  var count: [String] = []

  func validate() throws {
    guard repetitions >= 1 else { throw ValidationError("--repetitions must be at least 1") }
  }

  func run() throws {
    guard count.isEmpty else { return try countRuns() }
    #if DEBUG
      say("warning: a debug build; its times say nothing")
    #endif
    // Before the measurement, which takes a while, so that a missing counter is reported at once.
    let counter = instructions ? try InstructionCounter.ofThisExecutable() : nil
    var loops = Loop.all.filter { filter.map($0.name.contains) ?? true }
    guard !loops.isEmpty else { throw ValidationError("no row's name contains '\(filter ?? "")'") }
    if loops.contains(where: { $0.suite == .objectiveC }), let reason = ObjectiveCLoop.missing {
      say("note: the suite objc is left out: \(reason)")
      loops.removeAll { $0.suite == .objectiveC }
    }
    for loop in loops { try loop.check() }
    let report = try Benchmark(
      loops: loops, seconds: quick ? 0.002 : 0.02, rounds: quick ? 3 : repetitions, counter: counter
    ).run()
    let text = try report.jsonText()
    if let save { try (text + "\n").write(toFile: save, atomically: true, encoding: .utf8) }
    print(json ? text : report.table)
  }

  /// Performs the runs that `InstructionCounter.count` requires.
  private func countRuns() throws {
    let variants = Loop.all.flatMap(\.variants)
    let loops = try count.map { name in
      guard let loop = variants.first(where: { $0.variantName == name }) else { throw ValidationError("no row \(name)") }
      return loop
    }
    // Warm up before counting starts: objects that are created once, and tables that grow, are not counted. This is
    // also faster.
    for loop in loops { _ = try loop.run(count: 100) }
    callgrind_start_counting()
    for loop in loops { try InstructionCounter.dumpRuns(loop.variantName, loop.run) }
  }
}
