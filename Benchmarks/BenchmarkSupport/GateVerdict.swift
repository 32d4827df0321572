/// One row of a gate: what it takes, what it may take, and what follows.
package struct GateVerdict: Sendable, Equatable {
  /// The share of instructions that a change may add, and from which on a lower count is worth a new baseline.
  package static let tolerance = 0.1

  /// The row's name.
  package let name: String
  /// What is counted now; nil for a row that is gone.
  package let now: GateRow?
  /// What the baseline has; nil for a row that it lacks.
  package let baseline: GateRow?

  /// The change of the instructions as a share of the baseline's; nil where one of the two is unknown.
  package var change: Double? {
    guard let now = now?.instructions, let old = baseline?.instructions else { return nil }
    return old == 0 ? (now == 0 ? 0 : .infinity) : now / old - 1
  }

  /// Why the row fails; empty when it passes.
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

  /// What has become so much better that the baseline would let it get worse unnoticed.
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

/// A count, with decimals only where it has some.
func count(_ value: Double) -> String { value == value.rounded() ? decimal(value, 0) : decimal(value, 3) }

/// A share in percent, with its sign.
func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + percent(share) }
