import Foundation
import Testing

import BenchmarkSupport

/// What the peers share (`Benchmarks/Peers/common`), in a program with right and wrong rows.
@Suite struct PeerProgramTests {
  private let source = """
    #include "peer.h"
    static double right(workload_suite suite, size_t count) { return workload_run_direct(suite, count); }
    static double off_by_one(workload_suite suite, size_t count) { return right(suite, count) + 1; }
    static double never_calls(workload_suite suite, size_t count) { return 0; }
    static double right_at_first(workload_suite suite, size_t count) { return right(suite, count < 100 ? count : 1); }
    int main(void) {
      peer_add(workload_suite_w0, "invoke", right);
      peer_add(workload_suite_w0, "set", never_calls);
      peer_add(workload_suite_w2, "invoke", right_at_first);
      peer_add(workload_suite_w4, "invoke", off_by_one);
      peer_add(workload_suite_w4, "set", right);
      peer_add_wrong(workload_suite_wr, "create");
      return peer_report("peer");
    }
    """

  @Test(arguments: ["gcc", "clang"])
  func timesRightRowsAndNamesWrongOnes(compiler: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let main = folder.appendingPathComponent("main.c").path
    let program = folder.appendingPathComponent("peer").path
    let output = folder.appendingPathComponent("peer.json").path
    try source.write(toFile: main, atomically: true, encoding: .utf8)

    let benchmarks = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized.path
    let sources = ["Peers/common/peer.c", "Sources/Workloads/callees.c", "Sources/Workloads/direct.c"]
    let built = try #require(
      try Tool(compiler)?.run(
        [
          "-std=gnu11", "-O2", "-Wall", "-Werror", "-I\(benchmarks)/Peers/common", "-I\(benchmarks)/Sources/Workloads/include", "-o",
          program, main,
        ]
          + sources.map { "\(benchmarks)/\($0)" }))
    try #require(built.status == 0, "\(built.errors)")
    let ran = try #require(try Tool("sh")?.run(["-c", #"PEER_QUICK=1 exec "$0" >"$1""#, program, output]))
    #expect(ran.status == 0, "\(ran.errors)")

    let report = try BenchmarkReport(jsonPath: output)
    #expect(report.results.map(\.name) == ["W0/invoke/direct", "W0/invoke/peer", "W4/set/direct", "W4/set/peer"])
    #expect(report.wrong == ["W0/set/peer", "W2/invoke/peer", "W4/invoke/peer", "WR/create/peer"])
    for row in report.results {
      #expect(row.ns > 0 && row.minimum <= row.ns && row.ns <= row.maximum)
      #expect(row.ratio > 0)
      #expect(row.engine == "direct" ? row.ratio == 1 : row.allocations == nil)
    }
  }
}
