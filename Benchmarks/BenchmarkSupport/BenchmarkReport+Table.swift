extension BenchmarkReport {
  /// The report as text, with one line per row.
  package var table: String {
    let counted = results.contains { $0.instructions != nil }
    var table = TextTable(
      [
        .init("suite", .left), .init("phase", .left), .init("engine", .left), .init("ns", .right), .init("ratio", .right),
      ] + (counted ? [.init("instructions", .right)] : []) + [
        .init("spread", .right), .init("allocations", .right), .init("min .. max ns", .left),
      ])
    for row in results {
      table.append(
        [
          row.suite, row.phase, row.engine, decimal(row.ns, 2), decimal(row.ratio, 2) + "x",
        ] + (counted ? [row.instructions.map { decimal($0, 0) } ?? "-"] : []) + [
          percent(row.spread), row.allocations.map { decimal($0, 1) } ?? "-",
          "\(decimal(row.minimum, 2)) .. \(decimal(row.maximum, 2))",
        ])
    }
    return table.text
  }
}
