extension GateComparison {
  /// The comparison as text: a line per row, then failures and improvements by name.
  package var text: String {
    var table = TextTable([
      .init("row", .left), .init("allocations", .right), .init("baseline", .right), .init("instructions", .right),
      .init("baseline", .right), .init("change", .right), .init("", .left),
    ])
    for verdict in verdicts {
      table.append([
        verdict.name, cell(verdict.now?.allocations), cell(verdict.baseline?.allocations), cell(verdict.now?.instructions),
        cell(verdict.baseline?.instructions), verdict.change.map(signed) ?? "-",
        verdict.failures.isEmpty ? verdict.hints.isEmpty ? "ok" : "better" : "FAILED",
      ])
    }
    var lines = [table.text, ""]
    for verdict in verdicts {
      for hint in verdict.hints { lines.append("better: \(verdict.name): \(hint); make gates-update keeps it so") }
    }
    for verdict in failed {
      for failure in verdict.failures { lines.append("FAILED: \(verdict.name): \(failure)") }
    }
    lines.append("\(failed.count) of \(verdicts.count) rows failed")
    return lines.joined(separator: "\n")
  }

  private func cell(_ value: Double?) -> String { value.map(count) ?? "-" }
}
