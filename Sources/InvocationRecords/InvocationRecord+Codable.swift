import DynamicInvocation

extension InvocationRecord: Codable {
  private enum CodingKeys: CodingKey {
    case types, selector, fixedArgumentCount, arguments
  }

  /// The maximum size in bytes of a frame that is encoded, and that decoded types may require.
  static let largestFrame = 1 << 22

  /// Encodes the types, the selector and the arguments.
  ///
  /// - Throws: `InvocationError` `limitExceeded` for types of more than four megabytes, which could not be decoded;
  ///   what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try Self.requireFrame(methodSignature)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.text(methodSignature), forKey: .types)
    try container.encodeIfPresent(selector?.name, forKey: .selector)
    try container.encodeIfPresent(methodSignature.fixedArgumentCount, forKey: .fixedArgumentCount)
    var arguments: any UnkeyedEncodingContainer = container.nestedUnkeyedContainer(forKey: .arguments)
    let first = methodSignature.numberOfArguments - values.count
    for (offset, value) in values.enumerated() {
      switch value {
      case .text(nil), .selector(nil): try arguments.encodeNil()
      case .text(let text?): try arguments.encode(text)
      case .selector(let selector?): try arguments.encode(selector.name)
      case .bytes(let bytes):
        let type = methodSignature.types.arguments[first + offset]
        try unsafe bytes.withUnsafeBytes { try unsafe RecordedBytes.encode($0, as: type, to: &arguments) }
      }
    }
  }

  /// Decodes a call.
  ///
  /// - Throws: `InvocationError`: what `MethodSignature.init(types:dialect:fixedArgumentCount:backend:)` throws;
  ///   `countMismatch`; `unsupportedType`, `typeMismatch`, `outOfRange`, `inexact` and `nullNotAllowed` with the
  ///   argument; `limitExceeded` for types of more than four megabytes. `DecodingError` if the overall structure does
  ///   not match the encoded form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let types = try MethodTypes(container.decode(String.self, forKey: .types), blankIsFloat16: true)
    let signature = try MethodSignature(types, fixedArgumentCount: container.decodeIfPresent(Int.self, forKey: .fixedArgumentCount))
    try Self.requireFrame(signature)
    let name = try container.decodeIfPresent(String.self, forKey: .selector)
    guard (name != nil) == signature.isMethod else {
      let reason = name == nil ? "a message needs a selector" : "the call of a function has no selector"
      throw InvocationError(.countMismatch, reason, encoding: "\(signature)")
    }
    if let name, name.utf8.contains(0) {
      throw InvocationError(.typeMismatch, "the name of a selector contains a zero", argument: .index(1))
    }
    var arguments: any UnkeyedDecodingContainer = try container.nestedUnkeyedContainer(forKey: .arguments)
    var values: [RecordedValue] = []
    let first = signature.isMethod ? 2 : 0
    let count = signature.numberOfArguments
    for index in first..<count {
      guard !arguments.isAtEnd else {
        throw InvocationError(
          .countMismatch, "\((index - first).counted("argument")) given, the signature '\(signature)' takes \(count - first)")
      }
      do {
        values.append(try RecordedValue(from: &arguments, index, signature.types.arguments[index]))
      } catch let error as InvocationError {
        throw name.map(error.about) ?? error
      }
    }
    guard arguments.isAtEnd else {
      throw InvocationError(.countMismatch, "more arguments given than the \(count - first) of the signature '\(signature)'")
    }
    self.init(signature, name.map { MethodSelector($0) }, values)
  }
}

extension InvocationRecord {
  private static func requireFrame(_ signature: MethodSignature) throws(InvocationError) {
    guard signature.frameLength <= largestFrame else {
      throw InvocationError(.limitExceeded, "a call of \(signature.frameLength) bytes is none that is encoded", encoding: "\(signature)")
    }
  }
}

extension RecordedValue {
  /// Decodes an argument.
  ///
  /// - Throws: `InvocationError` with the argument.
  fileprivate init(from container: inout any UnkeyedDecodingContainer, _ index: Int, _ type: TypeEncoding) throws {
    try Self.require(type, index)
    do {
      switch type.kind {
      case .cString, .atom: self = .text(try Self.text(from: &container))
      case .selector: self = .selector(try Self.text(from: &container).map { MethodSelector($0) })
      default:
        var bytes: [UInt8] = Array(repeating: 0, count: Self.byteCount(type))
        try unsafe bytes.withUnsafeMutableBytes { try unsafe RecordedBytes.decode(from: &container, as: type, into: $0) }
        self = .bytes(bytes)
      }
    } catch let error as DecodingError {
      throw error.invocationError.placed(.index(index), type)
    } catch let error as InvocationError {
      throw error.placed(.index(index), type)
    } catch {
      // A decoder may throw errors of its own, which it converts later: JSONDecoder does for a number that does not
      // fit.
      throw InvocationError(.outOfRange, "the decoder refuses it: \(error)").placed(.index(index), type)
    }
  }

  private static func text(from container: inout any UnkeyedDecodingContainer) throws -> String? {
    if try container.decodeNil() { return nil }
    let text = try container.decode(String.self)
    guard !text.utf8.contains(0) else {
      throw InvocationError(.typeMismatch, "the text contains a zero, which would end the C string")
    }
    return text
  }
}

extension DecodingError {
  /// The error as an `InvocationError`, without an argument.
  fileprivate var invocationError: InvocationError {
    switch self {
    case .typeMismatch(_, let context): InvocationError(.typeMismatch, context.debugDescription)
    case .valueNotFound(_, let context): InvocationError(.nullNotAllowed, context.debugDescription)
    case .dataCorrupted(let context): InvocationError(.outOfRange, context.debugDescription)
    case .keyNotFound(_, let context): InvocationError(.typeMismatch, context.debugDescription)
    @unknown default: InvocationError(.typeMismatch, "\(self)")
    }
  }
}
