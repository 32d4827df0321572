extension BenchmarkReport {
  /// Returns the report with the rows of peers in it, each group of a suite and phase in order of the ratio.
  ///
  /// A peer's own direct calls stay out: its ratios are to those already. A peer's row replaces one of the same name.
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

  /// The rows of a peer whose own direct call took another time than ours, by more than a fifth: their ratios compare badly.
  ///
  /// The few instructions of a direct call can take three cycles in one process and five in the next.
  package func unevenRows(of peer: BenchmarkReport) -> [(row: BenchmarkRow, direct: Double)] {
    func direct(_ report: BenchmarkReport, _ row: BenchmarkRow) -> Double? {
      report.results.first { $0.engine == "direct" && $0.suite == row.suite && $0.phase == row.phase }?.ns
    }
    return peer.results.compactMap { row in
      guard row.engine != "direct", let theirs = direct(peer, row), let ours = direct(self, row) else { return nil }
      return abs(theirs / ours - 1) > 0.2 ? (row, theirs) : nil
    }
  }

  /// The rows that `isWanted` wants, by their names.
  package func filtered(_ isWanted: (String) -> Bool) -> BenchmarkReport {
    BenchmarkReport(results: results.filter { isWanted($0.name) }, wrong: wrong.filter(isWanted))
  }
}
