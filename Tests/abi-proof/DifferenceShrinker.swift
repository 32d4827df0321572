import DynamicInvocation
import TestSupport

/// Reduces a function that is placed differently to a smaller one.
struct DifferenceShrinker {
  private let abi: ProvenABI
  private(set) var difference: Proof.Difference

  init(_ difference: Proof.Difference, of abi: ProvenABI) {
    self.abi = abi
    self.difference = difference
  }

  /// Removes parts of the struct and registers in use as long as there is a difference.
  mutating func run() {
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      let (type, function) = (difference.type, difference.function)
      for simpler in type.simplerTypes {
        guard case .structure = simpler.kind else { continue }
        if accept(simpler, function) {
          isSmaller = true
          break
        }
      }
      for smaller in smallerStates(of: difference.function) where accept(difference.type, smaller) {
        isSmaller = true
        break
      }
    }
  }

  private func smallerStates(of function: ProvenFunction) -> [ProvenFunction] {
    let state = function.state
    let states = [
      RegisterState(general: 0, vector: 0), RegisterState(general: 0, vector: state.vector),
      RegisterState(general: state.general, vector: 0), RegisterState(general: max(0, state.general - 1), vector: state.vector),
      RegisterState(general: state.general, vector: max(0, state.vector - 1)),
    ]
    return states.filter { $0 != state }.map { ProvenFunction(role: function.role, state: $0) }
  }

  private mutating func accept(_ type: TypeEncoding, _ function: ProvenFunction) -> Bool {
    var found: String?
    let comparison = Comparison(abi)
    if difference.text.hasPrefix("gcc") {
      try? ProbeCompiler(abi)?.probe([type]) { _, other, measured in
        guard other == function, case .different(let text) = comparison.outcome(function, of: type, measured, nil) else { return }
        found = text
      }
    } else {
      try? LoweringCompiler(abi: abi).lower([type], roles: [function.role], states: [function.state]) { _, function, lowered in
        if case .different(let text) = comparison.outcome(function, of: type, lowered) { found = text }
      }
    }
    guard let found else { return false }
    difference = Proof.Difference(record: difference.record, type: type, function: function, text: found)
    return true
  }

  /// The difference as text.
  var report: String {
    """
    role     \(difference.function.role.rawValue)
    before   \(difference.function.state.general) integers and \(difference.function.state.vector) doubles
    type     \(CallSignature(difference.type, []))
    in C     \(difference.type.cTypedef("T").split(separator: "\n").joined(separator: " "))
    engine   \(difference.text)
    """
  }
}
