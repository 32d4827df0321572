public import DynamicInvocation

/// A call as plain values: its types, its selector and its arguments.
///
/// It can be stored or sent elsewhere, and converted to an invocation again.
///
///     let data = try JSONEncoder().encode(InvocationRecord(invocation))
///     let record = try JSONDecoder().decode(InvocationRecord.self, from: data)
///     try record.makeInvocation(target: document).invoke()
///
/// Numbers, bools, structs, unions, complex numbers, vectors, C strings and selectors can be recorded. A call with
/// objects, classes, blocks or pointers as arguments is refused. The target and the result are not part of the record.
///
/// ## The encoded form
///
/// `{"types": "v@:q{Point=dd}*", "selector": "move(_:to:named:)", "arguments": [7, [1.5, 2], "Ann"]}`
///
/// Numbers are encoded as numbers, exactly. Numbers of 128 bits and of `long double` are strings, and so are `inf`,
/// `-inf` and `nan`, which some formats cannot represent. Structs, arrays, vectors and complex numbers are arrays of
/// their elements. A union is a string of hexadecimal digits, two for each byte. A value of size zero is an empty
/// array. A variadic call has its `fixedArgumentCount`.
///
/// Data from an untrusted source may be decoded: the number of arguments and each value are checked against the types,
/// and an `InvocationError` specifies the argument that is wrong. Invalid data never traps. Each new name of a
/// selector stays in memory for the life of the process.
public struct InvocationRecord: Sendable {
  /// The types of the call.
  public let methodSignature: MethodSignature

  /// The selector of a message, or nil for the call of a function.
  public let selector: MethodSelector?

  /// The arguments, without the target and the selector.
  let values: [RecordedValue]

  init(_ methodSignature: MethodSignature, _ selector: MethodSelector?, _ values: [RecordedValue]) {
    self.methodSignature = methodSignature
    self.selector = selector
    self.values = values
  }

  /// Returns the types as one text, with everything that determines how the call is made: the GNU form of a bit-field
  /// has more information than the other form.
  static func text(_ methodSignature: MethodSignature) -> String { methodSignature.types.text(dialect: .gnu) }

  /// Creates the record of an invocation, whose arguments must all be set.
  ///
  /// - Throws: `InvocationError` with the argument: `argumentNotSet`; `unsupportedType` for a type that cannot be
  ///   recorded; `limitExceeded` for an argument of more than four million values; `malformedEncoding` for a C string
  ///   that is not UTF-8. Without an argument: `unsupportedType` for packed or over-aligned structs, which the text of
  ///   the types does not describe.
  public init(_ invocation: Invocation) throws(InvocationError) {
    let signature = invocation.methodSignature
    guard try MethodTypes(Self.text(signature), blankIsFloat16: true) == signature.types else {
      throw InvocationError(.unsupportedType, "its text does not tell how a struct is packed or aligned", encoding: "\(signature)")
    }
    let first = signature.isMethod ? 2 : 0
    if signature.isMethod, invocation.selector == nil {
      throw InvocationError(.argumentNotSet, "the selector was never set", argument: .index(1), encoding: ":")
    }
    var values: [RecordedValue] = []
    for index in first..<signature.numberOfArguments { values.append(try RecordedValue(invocation, index)) }
    self.init(signature, signature.isMethod ? invocation.selector : nil, values)
  }

  /// Creates an invocation of the call.
  ///
  /// - Parameter target: The target of a message. Traps if it is not nil for a function.
  /// - Throws: `InvocationError` `typeMismatch` if the message is one to a class and the target is none.
  public func makeInvocation(target: AnyObject? = nil) throws(InvocationError) -> Invocation {
    let invocation = Invocation(methodSignature)
    if methodSignature.isMethod { invocation.selector = selector }
    if let target {
      precondition(methodSignature.isMethod, "a plain function has no target")
      try invocation.setArgument(target, at: 0)
    }
    let first = methodSignature.numberOfArguments - values.count
    for (offset, value) in values.enumerated() {
      do { try value.set(first + offset, of: invocation) } catch { preconditionFailure("the values are those of the types: \(error)") }
    }
    return invocation
  }
}

extension InvocationRecord: CustomStringConvertible {
  /// The selector, or the types of a function, with the arguments: `move(_:to:)(7, (1.5, 2.0))`, `ddd(2.0, 10.0)`.
  ///
  /// - Complexity: O(bytes of the text), at most about 4,000.
  public var description: String {
    var text = ValueText()
    text.append(selector?.name ?? methodSignature.types.shortText)
    text.append("(")
    let first = methodSignature.numberOfArguments - values.count
    for (offset, value) in values.enumerated() where !text.isFull {
      if offset > 0 { text.append(", ") }
      switch value {
      case .text(nil), .selector(nil): text.append("null")
      case .text(let string?): text.writeQuoted(string)
      case .selector(let selector?): text.append(selector.name)
      case .bytes(let bytes):
        let type = methodSignature.types.arguments[first + offset]
        unsafe bytes.withUnsafeBytes { bytes in
          if let address = bytes.baseAddress { unsafe text.write(address, as: type) }
        }
      }
    }
    text.append(")")
    return text.text
  }
}

/// A proxy that stores the messages that it is sent instead of passing them on.
///
///     let recorder = InvocationRecorder(target: document)
///     let message = try Invocation(target: recorder, selector: "setTitle(_:)")
///     try message.setArgument("Draft", at: 2)
///     try message.invoke()                     // recorded; the result is zero
///     try recorder.replay()                    // now the document gets it
///
/// The target's class specifies the types of the messages. The invocations retain their arguments and the target.
public final class InvocationRecorder: InvocationProxy {
  /// The messages in the order in which they were sent, with `InvocationProxy.target` as their target.
  public private(set) var invocations: [Invocation] = []

  /// Stores the message, and calls nothing.
  public override func forwardInvocation(_ invocation: Invocation) throws {
    invocation.target = target
    invocation.retainArguments()
    invocations.append(invocation)
  }

  /// Sends all messages to the target for which they were recorded.
  ///
  /// It can be called any number of times.
  ///
  /// - Throws: The error of the first message that fails. The messages after it are not sent.
  public func replay() throws {
    for invocation in invocations { try invocation.invoke() }
  }

  /// Sends copies of all messages to another target.
  ///
  /// - Throws: The error of the first message that fails. The messages after it are not sent.
  public func replay(on target: AnyObject) throws {
    for invocation in invocations { try invocation.copy().invoke(with: target) }
  }

  /// The class of the target and the number of messages: `InvocationRecorder to Document, 2 messages`.
  public override var description: String { super.description + ", " + invocations.count.counted("message") }

  /// Removes all messages.
  public func removeAll() {
    // Released after the access: a deinitializer may use the recorder.
    let former = exchange(&invocations, with: [])
    withExtendedLifetime(former) {}
  }
}

// MARK: - Codable

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
