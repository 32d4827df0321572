/// How the results of several implementers are combined into the result of one call.
///
/// - `Value`: The type of the results, ``BoxedValue`` for a ``ProtocolDispatcher``.
public enum ReturnPolicy<Value> {
  /// All implementers are called. The result is that of the last one that returned.
  case last
  /// Only the first implementer that responds is called.
  case first
  /// Implementers are called in order until one returns a value other than nil. The result is that value, or nil if
  /// there is none.
  case firstNonNil
  /// All implementers are called and all results are collected, in order. The result of the call is the last of them.
  case all
  /// Implementers are called in order until one returns true, which is the result. Otherwise the result is false.
  case anyTrue
  /// Implementers are called in order until one returns false, which is the result. Otherwise the result is true.
  case allTrue
  /// Only the implementer with this number is called; no other is called in its place.
  case only(Int)
  /// All implementers are called. The result is that of the implementer with this number; the others only observe. If
  /// it does not return a result, there is no result.
  case primary(Int)
  /// Implementers are called in order as long as the closure returns `next`. The result is the closure's last value.
  ///
  /// The closure receives its previous value, initially nil, and the next result.
  case reduce(@Sendable (_ soFar: Value?, _ next: Value) throws -> Reduction)

  /// The value that a closure of ``reduce(_:)`` returns for a result.
  public enum Reduction {
    /// The value so far; the next implementer is called.
    case next(Value)
    /// The final value; no other implementer is called.
    case end(Value)
  }
}

extension ReturnPolicy.Reduction: Sendable where Value: Sendable {}
extension ReturnPolicy: Sendable {}

extension ReturnPolicy {
  /// Returns whether the policy can be used for a method of these types.
  func fits(_ types: MethodSignature) -> Bool {
    let kind = types.storage.plan.result.kind
    return switch self {
    case .last, .first, .all, .only, .primary: true
    case .firstNonNil: kind.isNullable
    case .anyTrue, .allTrue: kind.isTruthValue
    case .reduce: kind != .void && kind != .unknown
    }
  }
}

extension ValueKind {
  /// Whether a value may be null.
  fileprivate var isNullable: Bool {
    [.object, .classObject, .selector, .block, .pointer, .cString].contains(self)
  }

  /// Whether a value is a truth value: a bool, or a char, which represents a bool in older encodings.
  fileprivate var isTruthValue: Bool {
    [ValueKind(.bool), ValueKind(.int8), ValueKind(.uint8)].contains(self)
  }
}
