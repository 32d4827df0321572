/// What becomes of the results when several implementers answer one call.
///
/// - `Value`: The type of the results, ``BoxedValue`` for a ``ProtocolDispatcher``.
public enum ReturnPolicy<Value> {
  /// Everyone is called; the result is that of the last who returned one.
  case last
  /// Only the first who responds is called.
  case first
  /// Called in order until one returns something else than nil; that is the result, or nil if nobody did.
  case firstNonNil
  /// Everyone is called and all results are collected, in order; the result of the call is the last of them.
  case all
  /// Called in order until one returns true, which is the result; else it is false.
  case anyTrue
  /// Called in order until one returns false, which is the result; else it is true.
  case allTrue
  /// Only the implementer of this number is called, and nobody instead of it.
  case only(Int)
  /// Everyone is called; the result is that of the implementer of this number, the others only observe. If that one
  /// returns none, there is none.
  case primary(Int)
  /// Called in order as long as the closure asks for the next; the result is what it made of theirs.
  ///
  /// The closure is given what it made of the results so far, nil at first, and the next result.
  case reduce(@Sendable (_ soFar: Value?, _ next: Value) throws -> Reduction)

  /// What a closure of ``reduce(_:)`` made of a result.
  public enum Reduction {
    /// The value so far; go on to the next implementer.
    case next(Value)
    /// The value at last; call nobody else.
    case end(Value)
  }
}

extension ReturnPolicy.Reduction: Sendable where Value: Sendable {}
extension ReturnPolicy: Sendable {}

extension ReturnPolicy {
  /// Whether the policy can be that of a method of these types.
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

  /// Whether a value says yes or no: a bool, or the char that is one in older encodings.
  fileprivate var isTruthValue: Bool {
    [ValueKind(.bool), ValueKind(.int8), ValueKind(.uint8)].contains(self)
  }
}
