public import DynamicInvocation

/// A value that leaves the process: a result, or an argument of an event.
public enum RemoteValue: Codable, Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)

  /// Creates the value of a box.
  ///
  /// - Throws: `RemoteError` `notSendable` for an object, a class, a selector, a pointer or a struct: what they refer to
  ///   stays in this process.
  public init(_ box: BoxedValue) throws(RemoteError) {
    switch box {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .integer(Int64(value))
    case .uint(let value) where value <= UInt(Int64.max): self = .integer(Int64(value))
    case .float(let value): self = .number(Double(value))
    case .double(let value): self = .number(value)
    case .string(let value): self = .text(value)
    default: throw .notSendable("\(box)")
    }
  }

  /// The box of the value.
  public var boxed: BoxedValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .int(Int(value))
    case .number(let value): .double(value)
    case .text(let value): .string(value)
    }
  }
}

/// Why a host did nothing, or what went wrong in it.
///
/// It is `Codable`, so that an actor system can send it back.
public enum RemoteError: Error, Codable, Sendable, Hashable {
  /// The host has no target of that name.
  case noTarget(String)
  /// The selector or the key is not on the list that the host accepts.
  case notAccepted(String)
  /// The value refers to something in its own process.
  case notSendable(String)
  /// The call failed; the text is the message of the error in the host.
  case failed(String)
}
