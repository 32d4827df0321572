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
