public import DynamicInvocation

/// The failure of a call of a callee.
public struct CallFailure: Sendable, CustomStringConvertible {
  /// The types of the callee.
  public let signature: CallSignature
  /// The compiler and its flags.
  public let compiledBy: String
  /// The index of the callee in its library.
  public let index: Int
  /// The seed of the values.
  public let seed: UInt64
  /// The backend that executed the call.
  public let backend: CallBackend
  /// The difference between the expected and the actual values.
  public let difference: String

  /// The failure in one line.
  public var description: String { "\(signature) by \(compiledBy), f\(index), seed \(seed), backend \(backend), \(difference)" }
}
