/// The result of one row of a gate: the measured counts, the limits, and the conclusion.
package struct GateVerdict: Sendable, Equatable {
  /// The fraction of instructions that a change may add.
  ///
  /// A decrease by more than this fraction is worth a new baseline.
  package static let tolerance = 0.03

  /// The row's name.
  package let name: String
  /// The current counts, or nil for a row that was removed.
  package let now: GateRow?
  /// The counts of the baseline, or nil for a row that it does not contain.
  package let baseline: GateRow?

  /// The change of the instructions as a fraction of the baseline, or nil if one of the two is unknown.
  package var change: Double? {
    guard let now = now?.instructions, let old = baseline?.instructions else { return nil }
    return old == 0 ? (now == 0 ? 0 : .infinity) : now / old - 1
  }

  /// The reasons why the row fails; empty if it passes.
  package var failures: [String] {
    guard let baseline else { return ["the baseline does not have it"] }
    guard let now else { return ["the benchmark does not have it any more"] }
    var failures: [String] = []
    switch (now.allocations, baseline.allocations) {
    case (let now?, let old?) where now > old: failures.append("allocations \(count(now)), in the baseline \(count(old))")
    case (.some, nil): failures.append("the baseline has no allocations of it")
    default: break
    }
    switch (now.instructions, baseline.instructions) {
    case (let now?, let old?) where now > old * (1 + Self.tolerance):
      failures.append("own instructions \(count(now)), in the baseline \(count(old)) (\(signed(now / old - 1)))")
    case (.some, nil): failures.append("the baseline has no instructions of it")
    default: break
    }
    return failures
  }

  /// The improvements that are large enough for a new baseline, without which a later regression would pass unnoticed.
  package var hints: [String] {
    guard failures.isEmpty, let now, let baseline else { return [] }
    var hints: [String] = []
    if let now = now.allocations, let old = baseline.allocations, now < old {
      hints.append("allocations \(count(now)), in the baseline \(count(old))")
    }
    if let now = now.instructions, let old = baseline.instructions, now < old * (1 - Self.tolerance) {
      hints.append("own instructions \(count(now)), in the baseline \(count(old)) (\(signed(now / old - 1)))")
    }
    return hints
  }
}

/// Formats a count, with decimals only if it has a fraction.
func count(_ value: Double) -> String { value == value.rounded() ? decimal(value, 0) : decimal(value, 3) }

/// Formats a fraction in percent, with its sign.
func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + percent(share) }
