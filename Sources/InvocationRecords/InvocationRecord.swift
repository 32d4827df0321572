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
/// Numbers are encoded as numbers, exactly. Numbers of more than 64 bits and of `long double` are strings, and so are `inf`,
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

  /// Creates the record of an invocation, whose arguments must all be set.
  ///
  /// - Throws: `InvocationError` with the argument: `argumentNotSet`; `unsupportedType` for a type that cannot be
  ///   recorded; `limitExceeded` for an argument of more than four million values; `malformedEncoding` for a C string
  ///   that is not UTF-8. Without an argument: `unsupportedType` for packed or over-aligned structs, which the text of
  ///   the types does not describe.
  public init(_ invocation: Invocation) throws(InvocationError) {
    let signature = invocation.methodSignature
    _ = try RecordedValue.text(of: signature.types)
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
  /// - Parameter target: The target of a message. A target for a function traps.
  /// - Throws: `InvocationError` `typeMismatch` if the message is sent to a class and the target is no class.
  public func makeInvocation(target: AnyObject? = nil) throws(InvocationError) -> Invocation {
    let invocation = Invocation(methodSignature)
    if methodSignature.isMethod { invocation.selector = selector }
    if let target {
      precondition(methodSignature.isMethod, "a plain function has no target")
      try invocation.setArgument(target, at: 0)
    }
    let first = methodSignature.numberOfArguments - values.count
    for (offset, value) in values.enumerated() {
      do { try value.set(first + offset, of: invocation) } catch { preconditionFailure("the values have the types: \(error)") }
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
    for (offset, value) in values.enumerated() where !text.isFull {
      if offset > 0 { text.append(", ") }
      switch value {
      case .null: text.append("null")
      case .text(let string): text.writeQuoted(string)
      case .selector(let selector): text.append(selector.name)
      case .bytes(let bytes): text.write(bytes)
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
  ///
  /// - Throws: `InvocationError` `unsupportedType` for an argument that is being deallocated, which nothing may keep.
  public override func forwardInvocation(_ invocation: Invocation) throws {
    if let index = invocation.indexOfEnding {
      throw InvocationError(.unsupportedType, "the message is not kept: the object is being deallocated", argument: .index(index))
    }
    invocation.target = target
    invocation.retainArguments()
    invocations.append(invocation)
  }

  /// Sends all messages; each call sends them again.
  ///
  /// - Parameter target: Another target, which is sent copies; nil for the target for which the messages were recorded.
  /// - Throws: The error of the first message that fails. The messages after it are not sent.
  public func replay(on target: AnyObject? = nil) throws {
    for invocation in invocations {
      if let target { try invocation.copy().invoke(with: target) } else { try invocation.invoke() }
    }
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

  /// Encodes the types, the selector and the arguments.
  ///
  /// - Throws: `InvocationError` `limitExceeded` for types of more than four megabytes, which could not be decoded;
  ///   what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try Self.requireFrame(methodSignature)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(RecordedValue.text(of: methodSignature.types), forKey: .types)
    try container.encodeIfPresent(selector?.name, forKey: .selector)
    try container.encodeIfPresent(methodSignature.fixedArgumentCount, forKey: .fixedArgumentCount)
    var arguments: any UnkeyedEncodingContainer = container.nestedUnkeyedContainer(forKey: .arguments)
    for value in values { try value.encode(to: &arguments) }
  }

  /// Decodes a call.
  ///
  /// - Throws: `InvocationError`: what `MethodSignature.init(types:dialect:fixedArgumentCount:backend:)` throws;
  ///   `countMismatch`; `unsupportedType`, `typeMismatch`, `outOfRange`, `inexact` and `nullNotAllowed` with the
  ///   argument; `limitExceeded` for types of more than four megabytes. `DecodingError` if the overall structure does
  ///   not match the encoded form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let types = try RecordedValue.types(container.decode(String.self, forKey: .types))
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
      } catch {
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
    guard signature.frameLength <= RecordedValue.largestSize else {
      throw InvocationError(.limitExceeded, "a call of \(signature.frameLength) bytes is too large to be encoded", encoding: "\(signature)")
    }
  }
}

extension RecordedValue {
  /// Reads an argument of an invocation.
  ///
  /// - Throws: `InvocationError` with the argument.
  fileprivate init(_ invocation: Invocation, _ index: Int) throws(InvocationError) {
    let type = invocation.methodSignature.types.arguments[index]
    try Self.require(type, index)
    switch type.kind {
    case .cString, .atom:
      guard let address: UnsafePointer<CChar> = unsafe try invocation.argument(at: index, as: UnsafePointer<CChar>?.self) else {
        self = .null
        return
      }
      guard let text = unsafe String(validatingCString: address) else {
        throw InvocationError(.malformedEncoding, "the text is no UTF-8", argument: .index(index), encoding: type.description)
      }
      self = .text(text)
    case .selector: self = try invocation.argument(at: index, as: MethodSelector?.self).map { .selector($0) } ?? .null
    default:
      try unsafe self.init(type) { (memory) throws(InvocationError) in try unsafe invocation.getArgument(into: memory, at: index) }
    }
  }

  /// Decodes an argument.
  ///
  /// - Throws: `InvocationError` with the argument.
  fileprivate init(
    from container: inout any UnkeyedDecodingContainer, _ index: Int, _ type: TypeEncoding
  ) throws(InvocationError) {
    try Self.require(type, index)
    do { try self.init(from: &container, as: type) } catch { throw error.placed(.index(index), type) }
  }

  /// Sets an argument of an invocation.
  fileprivate func set(_ index: Int, of invocation: Invocation) throws(InvocationError) {
    switch self {
    case .null where invocation.methodSignature.types.arguments[index].kind.isSelector:
      try invocation.setArgument(MethodSelector?.none, at: index)
    case .null: try invocation.setArgument(String?.none, at: index)
    case .text(let text): try invocation.setArgument(text, at: index)
    case .selector(let selector): try invocation.setArgument(selector, at: index)
    case .bytes(let bytes):
      // A struct without members has no bytes.
      var failure: InvocationError?
      let bytes = bytes.bytes.isEmpty ? [0] : bytes.bytes
      unsafe bytes.withUnsafeBytes { bytes in
        do throws(InvocationError) { try unsafe invocation.setArgument(from: bytes.baseAddress.unsafelyUnwrapped, at: index) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  /// Throws unless an argument's type can be recorded.
  private static func require(_ type: TypeEncoding, _ index: Int) throws(InvocationError) {
    let reason: String?
    switch type.kind {
    case .cString, .atom:
      if type.qualifiers.isDisjoint(with: [.out, .inout]) { return }
      reason = "a buffer that the callee writes to is no value"
    case .selector: return
    // An array argument is passed as the address of its first element.
    case .array(_, let element): reason = refusal(TypeEncoding(.pointer(element)))
    default:
      do { return try requireRecordable(type) } catch { throw error.placed(.index(index), type) }
    }
    if let reason { throw InvocationError(.unsupportedType, reason, argument: .index(index), encoding: type.description) }
  }
}

extension TypeEncoding.Kind {
  fileprivate var isSelector: Bool { if case .selector = self { true } else { false } }
}
