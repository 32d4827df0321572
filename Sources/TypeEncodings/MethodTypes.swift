/// The return type and argument types of a method or function, as parsed from an encoding, before a call is planned.
///
/// Parsing does not check whether the platform can pass the types; `MethodSignature` does. Two values are equal if all
/// their types are equal, as ``TypeEncoding`` compares them.
public struct MethodTypes: Sendable, Hashable, CustomStringConvertible {
  /// The return type.
  public let result: TypeEncoding

  /// The argument types.
  ///
  /// For a method the first two are the target and the selector.
  public let arguments: [TypeEncoding]

  /// Creates method types from a return type and argument types.
  public init(result: TypeEncoding, arguments: [TypeEncoding]) { (self.result, self.arguments) = (result, arguments) }

  /// Parses a return type followed by argument types, each with or without a frame offset: `d24@0:8q16`, `ddd`.
  ///
  /// - Parameters:
  ///   - text: The encoding.
  ///   - dialect: The dialect, which decides what `l` and `L` mean.
  ///   - blankIsFloat16: Whether a blank is parsed as `_Float16`, as clang writes it. By default a blank is an error,
  ///     since most blanks are typing errors.
  ///   - hints: Layout information that the encoding does not contain.
  /// - Throws: ``InvocationError`` with the byte offset and the reason if the text is malformed or exceeds
  ///   ``TypeEncoding/Limits``, and `typeMismatch` if there is a hint for a struct that the text does not contain.
  /// - Complexity: O(*n*), where *n* is the length of the text in bytes; allocates memory for each type.
  public init(
    _ text: String, dialect: TypeEncoding.Dialect = .next, blankIsFloat16: Bool = false,
    hints: TypeEncoding.LayoutHints = TypeEncoding.LayoutHints()
  ) throws(InvocationError) {
    var parser = try TypeEncodingParser(text, dialect: dialect, blankIsFloat16: blankIsFloat16, hints: hints)
    self = try parser.methodTypes()
    try parser.requireHintsUsed()
  }

  /// Whether the first two arguments are a target (an object or a class) and a selector.
  public var isMethod: Bool {
    guard arguments.count >= 2, case .selector = arguments[1].kind else { return false }
    return switch arguments[0].kind {
    case .object, .classObject: true
    case .void, .scalar, .complex, .vector, .cString, .atom, .block, .selector, .pointer, .unknown, .array, .structure, .union, .bitField:
      false
    }
  }

  /// Whether the caller does not wait for the result.
  package var isOneway: Bool { result.qualifiers.contains(.oneway) }

  /// The encoding of the types, with everything that was parsed except the frame offsets.
  public var description: String { text() }
}

extension MethodTypes {
  /// Returns the encoding of the types.
  ///
  /// With frame offsets the text has the form that compilers write: the total size follows the return type, and the sum
  /// of the preceding sizes follows each argument. Integers smaller than `int` count as four bytes, and no padding is
  /// added for alignment.
  ///
  /// - Complexity: O(*n*), where *n* is the number of parts of all types.
  public func text(
    dialect: TypeEncoding.Dialect = .next, options: TypeEncoding.TextOptions = .all, frameOffsets: Bool = false
  ) -> String {
    var writer = TypeEncodingWriter(dialect: dialect, options: options)
    writer.write(result)
    if frameOffsets { writer.write(offset: arguments.reduce(0) { $0 + Self.statedSize($1) }) }
    var offset = 0
    for argument in arguments {
      writer.write(argument)
      if frameOffsets { writer.write(offset: offset) }
      offset += Self.statedSize(argument)
    }
    return writer.text
  }

  /// The encoding truncated to 120 bytes or fewer, for messages.
  ///
  /// Only the text that is shown is generated.
  package var shortText: String { TypeEncodingWriter.shortText { $0.write(self) } }

  /// The number of bytes that compilers count for an argument in frame offsets.
  private static func statedSize(_ type: TypeEncoding) -> Int {
    switch type.kind {
    // An array argument is passed as a pointer to its first element.
    case .array: 8
    case .scalar(let scalar): scalar.isInteger ? max(scalar.size, 4) : scalar.size
    case .void, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .structure,
      .union, .bitField:
      type.size ?? 0
    }
  }
}
