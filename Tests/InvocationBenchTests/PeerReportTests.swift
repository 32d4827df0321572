import BenchmarkSupport
import Foundation
import Testing

@Suite struct PeerReportTests {
  private let ours = BenchmarkReport(
    results: [
      .sample(phase: "invoke", engine: "direct", ns: 1.5, ratio: 1),
      .sample(phase: "invoke", engine: "ffi_call", ns: 45, ratio: 30),
      .sample(phase: "invoke", engine: "invocation", ns: 3, ratio: 2),
      .sample(phase: "invoke", engine: "avcall", ns: 9, ratio: 6),
      .sample(phase: "set", engine: "direct", ns: 1.5, ratio: 1),
      .sample(phase: "set", engine: "invocation", ns: 4.5, ratio: 3),
    ], wrong: ["WR/set/avcall"])
  private let avcall = BenchmarkReport(
    results: [
      .sample(phase: "invoke", engine: "direct", ns: 1.6, ratio: 1),
      .sample(phase: "invoke", engine: "avcall", ns: 8, ratio: 5),
    ], wrong: ["WR/invoke/avcall", "WR/set/avcall"])
  private let qt = BenchmarkReport(results: [
    .sample(phase: "invoke", engine: "direct", ns: 1.1, ratio: 1),
    .sample(phase: "invoke", engine: "qt6", ns: 1.65, ratio: 1.5),
    .sample(suite: "WR", phase: "create", engine: "direct", ns: 12, ratio: 1),
    .sample(suite: "WR", phase: "create", engine: "qt6", ns: 240, ratio: 20),
  ])

  @Test func rowsOfPeersJoinTheirGroupsInOrderOfTheRatio() {
    let merged = ours.adding(peers: [avcall, qt])
    #expect(
      merged.results.map(\.name) == [
        "W2/invoke/direct", "W2/invoke/qt6", "W2/invoke/invocation", "W2/invoke/avcall", "W2/invoke/ffi_call", "W2/set/direct",
        "W2/set/invocation", "WR/create/qt6",
      ])
    #expect(merged.wrong == ["WR/set/avcall", "WR/invoke/avcall"])
  }

  @Test func peersOwnDirectCallsStayOutAndTheirRowsReplaceOurs() {
    let merged = ours.adding(peers: [avcall])
    #expect(merged.results.filter { $0.name == "W2/invoke/direct" }.map(\.ns) == [1.5])
    #expect(merged.results.filter { $0.name == "W2/invoke/avcall" }.map(\.ns) == [8])
  }

  @Test func noPeersChangeNoRow() {
    let merged = ours.adding(peers: [])
    #expect(Set(merged.results.map(\.name)) == Set(ours.results.map(\.name)))
    #expect(merged.results.count == ours.results.count)
    #expect(BenchmarkReport(results: []).adding(peers: [BenchmarkReport(results: [])]).results.isEmpty)
  }

  @Test func filterLooksAtWrongRowsToo() {
    let filtered = avcall.filtered { $0.contains("/invoke/") }
    #expect(filtered.results == avcall.results)
    #expect(filtered.wrong == ["WR/invoke/avcall"])
    #expect(avcall.filtered { _ in false } == BenchmarkReport(results: []))
  }

  @Test func rowsBesideAnotherDirectCallAreFound() {
    #expect(ours.unevenRows(of: avcall).isEmpty)
    let uneven = ours.unevenRows(of: qt)
    #expect(uneven.map(\.row.name) == ["W2/invoke/qt6"])
    #expect(uneven.map(\.direct) == [1.1])
  }

  @Test func overviewPutsSuitesSideBySide() {
    #expect(
      ours.adding(peers: [avcall, qt]).overview == """
        phase   engine      W2 ns  ratio  WR ns  ratio
        invoke  direct       1.50  1.00x      -
        invoke  qt6          1.65  1.50x      -
        invoke  invocation   3.00  2.00x      -
        invoke  avcall       8.00  5.00x  wrong
        invoke  ffi_call     45.0  30.0x      -
        set     direct       1.50  1.00x      -
        set     invocation   4.50  3.00x      -
        create  qt6             -           240  20.0x

        not timed, as the result is wrong: WR/set/avcall, WR/invoke/avcall
        """)
  }

  @Test func overviewComparesEnginesInTheSuitesThatAllHave() {
    // The second has the larger ratio in W2, and would have the smaller mean with the suite that it alone has.
    let report = BenchmarkReport(results: [
      .sample(suite: "W2", engine: "second", ns: 6, ratio: 4),
      .sample(suite: "W2", engine: "first", ns: 5, ratio: 3),
      .sample(suite: "WR", engine: "second", ns: 12, ratio: 1),
    ])
    let lines = report.overview.split(separator: "\n")
    #expect(lines[1].hasPrefix("set    first"))
    #expect(lines[2].hasPrefix("set    second"))
  }

  @Test func wrongRowsSurviveJSONAndAreAbsentWhenThereAreNone() throws {
    #expect(try JSONDecoder().decode(BenchmarkReport.self, from: Data(avcall.json().utf8)).wrong == avcall.wrong)
    #expect(try !qt.json().contains("wrong"))
    #expect(try JSONDecoder().decode(BenchmarkReport.self, from: Data(qt.json().utf8)) == qt)
  }
}
