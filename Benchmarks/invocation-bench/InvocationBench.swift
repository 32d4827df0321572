import ArgumentParser
import DynamicInvocation
import Foundation
import Workloads

/// Times dynamic calls beside a direct call and plain libffi, in one process.
@main
struct InvocationBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invocation-bench",
    abstract: "Time dynamic calls beside a direct call and plain libffi, in one process.",
    discussion: """
      Suites: W0 (v@:), W2 (q@:qq), W4 (eight mixed arguments), WR (rectangle in and out).
      Phases: invoke (the call alone), set (set every argument, call, read), create (a new invocation each time).
      Engines: direct, ffi_call, invocation, function (a typed call without an object).

      EXAMPLES:
        invocation-bench
        invocation-bench --filter W2/set
        invocation-bench --quick --json
      """)

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Short repetitions: a smoke test, not a measurement.")
  var quick = false

  @Option(help: "Measure only rows whose 'suite/phase/engine' contains this text; the direct call always runs.")
  var filter: String?

  @Option(help: "Repetitions, of which the median is reported.")
  var repetitions: Int = 9

  func validate() throws {
    guard repetitions >= 1 else { throw ValidationError("--repetitions must be at least 1") }
  }

  func run() throws {
    #if DEBUG
      FileHandle.standardError.write(Data("warning: a debug build; its times say nothing\n".utf8))
    #endif
    let timer = quick ? Timer(seconds: 0.002, repetitions: 3) : Timer(seconds: 0.05, repetitions: repetitions)
    var rows: [Measurement] = []
    for suite in Suite.allCases {
      try check(suite)
      let direct = timer.measure { _ = workload_run_direct(suite.workload, $0) }
      func add(_ phase: String, _ engine: String, _ body: (Int) throws -> Void) throws {
        if let filter, !"\(suite.rawValue)/\(phase)/\(engine)".contains(filter) { return }
        let result = engine == "direct" ? direct : try timer.measure(body)
        rows.append(
          Measurement(
            suite: suite.rawValue, phase: phase, engine: engine, ns: result.median, minimum: result.minimum,
            maximum: result.maximum, ratio: result.median / direct.median, allocations: result.allocations))
      }
      for phase in Phase.allCases {
        if phase != .create { try add(phase.rawValue, "direct") { _ in } }
        try add(phase.rawValue, "ffi_call") { count in
          if phase == .create {
            _ = workload_run_ffi_create(suite.workload, count)
          } else {
            _ = workload_run_ffi(suite.workload, count, phase == .set)
          }
        }
        try add(phase.rawValue, "invocation") { _ = try InvocationLoop(suite: suite).run(phase, count: $0) }
        if phase == .set { try add(phase.rawValue, "function") { _ = try FunctionLoop(suite: suite).run(count: $0) } }
      }
    }
    try report(rows)
  }

  /// Refuses to time an engine that gives a wrong result.
  private func check(_ suite: Suite) throws {
    let expected = workload_run_direct(suite.workload, 10)
    let calls = workload_w0_count()
    let results = [
      workload_run_ffi(suite.workload, 10, true), try InvocationLoop(suite: suite).run(.set, count: 10),
      try InvocationLoop(suite: suite).run(.create, count: 10), try FunctionLoop(suite: suite).run(count: 10),
    ]
    guard results.allSatisfy({ $0 == expected }), suite != .W0 || workload_w0_count() == calls + 40 else {
      throw ValidationError("\(suite.rawValue): expected \(expected), got \(results)")
    }
  }

  private func report(_ rows: [Measurement]) throws {
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      print(String(decoding: try encoder.encode(["results": rows]), as: UTF8.self))
      return
    }
    func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
    func number(_ value: Double, _ digits: Int) -> String {
      let text = String(format: "%.\(digits)f", value)
      return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
    print(pad("suite", 7) + pad("phase", 8) + pad("engine", 12) + "       ns   ratio to direct   allocations   (min .. max ns)")
    for row in rows {
      print(
        pad(row.suite, 7) + pad(row.phase, 8) + pad(row.engine, 12) + number(row.ns, 2) + number(row.ratio, 2) + "x        "
          + (row.allocations.map { number($0, 1) } ?? "         -") + "   (" + String(format: "%.2f .. %.2f", row.minimum, row.maximum)
          + ")")
    }
  }
}
