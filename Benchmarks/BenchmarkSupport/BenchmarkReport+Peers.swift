extension BenchmarkReport {
  /// Returns the report with the rows of peers added, each group of a suite and phase sorted by ratio.
  ///
  /// A peer's own direct calls are omitted, since its ratios are relative to them. A peer's row replaces a row with the
  /// same name.
  package func adding(peers: [BenchmarkReport]) -> BenchmarkReport {
    var groups: [(key: [String], rows: [BenchmarkRow])] = []
    for row in results + peers.flatMap(\.results).filter({ $0.engine != "direct" }) {
      let key = [row.suite, row.phase]
      guard let group = groups.firstIndex(where: { $0.key == key }) else {
        groups.append((key, [row]))
        continue
      }
      groups[group].rows.removeAll { $0.engine == row.engine }
      groups[group].rows.append(row)
    }
    let sorted = groups.flatMap { group in
      group.rows.sorted { ($0.engine == "direct" ? 0 : 1, $0.ratio) < ($1.engine == "direct" ? 0 : 1, $1.ratio) }
    }
    var seen: Set<String> = []
    return BenchmarkReport(results: sorted, wrong: ([self] + peers).flatMap(\.wrong).filter { seen.insert($0).inserted })
  }

  /// Returns the rows of a peer whose own direct call differs from that of this report by more than a fifth.
  ///
  /// Their ratios are hard to compare. The few instructions of a direct call can take three cycles in one process and
  /// five in another.
  package func unevenRows(of peer: BenchmarkReport) -> [(row: BenchmarkRow, direct: Double)] {
    func direct(_ report: BenchmarkReport, _ row: BenchmarkRow) -> Double? {
      report.results.first { $0.engine == "direct" && $0.suite == row.suite && $0.phase == row.phase }?.ns
    }
    return peer.results.compactMap { row in
      guard row.engine != "direct", let theirs = direct(peer, row), let ours = direct(self, row) else { return nil }
      return abs(theirs / ours - 1) > 0.2 ? (row, theirs) : nil
    }
  }

  /// Returns the report with only the rows whose names satisfy `isWanted`.
  package func filtered(_ isWanted: (String) -> Bool) -> BenchmarkReport {
    BenchmarkReport(results: results.filter { isWanted($0.name) }, wrong: wrong.filter(isWanted))
  }
}
