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
  /// Everyone is called; the result is that of the implementer of this number, the others only observe. If that one returns none, there is
  /// none.
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
