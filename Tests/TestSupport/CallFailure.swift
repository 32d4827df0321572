public import DynamicInvocation

/// What went wrong in the call of a callee.
public struct CallFailure: Sendable, CustomStringConvertible {
  /// The types of the callee.
  public let signature: CallSignature
  /// The compiler and its flags.
  public let compiledBy: String
  /// The number of the callee in its library.
  public let index: Int
  /// The seed of the values.
  public let seed: UInt64
  /// The backend that carried the call out.
  public let backend: CallBackend
  /// What differed.
  public let difference: String

  /// All of it in one line.
  public var description: String { "\(signature) by \(compiledBy), f\(index), seed \(seed), backend \(backend), \(difference)" }
}
