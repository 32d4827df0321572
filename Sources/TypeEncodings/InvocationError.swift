/// An error of the engine, with its reason, the argument or result, and the value.
///
/// One type serves the whole engine, so that every throwing function is declared `throws(InvocationError)`. Compare
/// ``code`` to handle an error; print ``description`` to understand it. Invalid data throws; only misuse of an object
/// itself traps.
///
/// - Complexity: One word. Creating an error allocates; throwing and catching one does not.
public struct InvocationError: Error, Sendable {
  /// The parts of an error.
  package final class Storage: Sendable {
    let code: Code
    let reason: String
    package let argument: Argument?
    let encoding: String?
    let byteOffset: Int?
    let candidates: [String]
    let callee: String?

    init(
      code: Code, reason: String, argument: Argument?, encoding: String?, byteOffset: Int?, candidates: [String], callee: String?
    ) {
      (self.code, self.reason, self.argument, self.encoding) = (code, reason, argument, encoding)
      (self.byteOffset, self.candidates, self.callee) = (byteOffset, candidates, callee)
    }
  }

  /// The argument or result of a call that an error is about.
  public enum Argument: Sendable, Hashable, CustomStringConvertible {
    /// The argument with this index in the signature.
    case index(Int)
    /// The return value.
    case result

    /// The argument or result: `argument 3`, `return value`.
    public var description: String {
      switch self {
      case .index(let index): "argument \(index)"
      case .result: "return value"
      }
    }
  }

  package let storage: Storage

  private static let longestReason = 4_096

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of the error.
  ///   - reason: The reason as text, without the argument and without a full stop. It is shortened to at most 4,096
  ///     bytes.
  ///   - argument: The argument or result that the error is about, if there is one.
  ///   - encoding: The type encoding, or the fragment of one, that the error is about.
  ///   - byteOffset: The offset in `encoding` at which parsing failed.
  ///   - candidates: Names similar to one that was not found, nearest first.
  public init(
    _ code: Code, _ reason: String, argument: Argument? = nil, encoding: String? = nil, byteOffset: Int? = nil,
    candidates: [String] = []
  ) {
    storage = Storage(
      code: code, reason: reason.shortened(to: Self.longestReason), argument: argument, encoding: encoding, byteOffset: byteOffset,
      candidates: candidates, callee: nil)
  }

  package init(_ storage: Storage) { self.storage = storage }

  /// The kind of the error.
  public var code: Code { storage.code }

  /// The reason as text, without the argument.
  public var reason: String { storage.reason }

  /// The argument or the result that the error is about.
  public var argument: Argument? { storage.argument }

  /// The type encoding, or the fragment of one, that the error is about.
  public var encoding: String? { storage.encoding }

  /// The byte offset in ``encoding`` at which parsing failed.
  public var byteOffset: Int? { storage.byteOffset }

  /// Names similar to one that was not found, nearest first.
  public var candidates: [String] { storage.candidates }

  /// The function or method that was called: a symbol such as `pow`, or a message such as `-[Controller area(_:in:)]`.
  public var callee: String? { storage.callee }

  /// Returns the same error with the name of the called function or method, unless the error already has one.
  public func about(_ callee: String) -> InvocationError { self.callee == nil ? copy(argument, callee) : self }

  /// Returns the same error with an argument or result, unless the error already has one.
  public func at(_ argument: Argument) -> InvocationError { self.argument == nil ? copy(argument, callee) : self }

  private func copy(_ argument: Argument?, _ callee: String?) -> InvocationError {
    InvocationError(
      Storage(
        code: code, reason: reason, argument: argument, encoding: encoding, byteOffset: byteOffset, candidates: candidates, callee: callee))
  }
}

extension InvocationError: CustomStringConvertible {
  /// The whole error in one line: the callee, the argument, the encoding, the reason, and similar names.
  ///
  /// For example `labs: argument 0 (q, Int64): Double is not Int64`. In names and encodings, which may come from other
  /// sources, characters that a terminal or a log interprets are written as escapes. ``reason``, ``encoding`` and
  /// ``candidates`` contain them unchanged.
  public var description: String {
    var text: String
    switch (argument, encoding, byteOffset) {
    case (_, let encoding?, let offset?): text = "type encoding '\(Self.shortened(encoding))', byte \(offset): "
    case (.index(let index)?, let encoding?, nil): text = "argument \(index) (\(Self.typed(encoding))): "
    case (.index(let index)?, nil, nil): text = "argument \(index): "
    case (.result?, let encoding?, nil): text = "return value (\(Self.typed(encoding))): "
    case (.result?, nil, nil): text = "return value: "
    case (nil, let encoding?, nil): text = "\(Self.abbreviated(encoding)): "
    default: text = ""
    }
    if let callee { text = callee.shortened(to: 240) + ": " + text }
    text += reason
    if !candidates.isEmpty { text += "; nearest: " + candidates.map { $0.shortened(to: 240) }.joined(separator: ", ") }
    return text.escaped
  }

  /// Returns the encoding; for a scalar, with the name of its Swift type.
  private static func typed(_ encoding: String) -> String {
    guard encoding.utf8.count == 1, let code = encoding.utf8.first, let scalar = TypeEncoding.Scalar(rawValue: code) else {
      return abbreviated(encoding)
    }
    return "\(abbreviated(encoding)), \(scalar.swiftName)"
  }

  private static func shortened(_ encoding: String) -> String {
    encoding.utf8.count <= 120 ? encoding : String(encoding.unicodeScalars.prefix(117)) + "..."
  }

  /// Returns the encoding, shortened to about a hundred characters for messages.
  ///
  /// An encoding that begins or ends with a blank, the code of `_Float16`, is quoted to make the blank visible.
  private static func abbreviated(_ encoding: String) -> String {
    let text = shortened(encoding)
    return text.utf8.first == Ascii.blank || text.utf8.last == Ascii.blank ? "'\(text)'" : text
  }
}

extension InvocationError {
  /// The kind of an error, with a stable name.
  ///
  /// A struct rather than an enum, so that kinds can be added without breaking a client's switch.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name, which the command line prints.
    public let rawValue: String

    /// Creates a kind from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// A type encoding that is not well formed.
    public static let malformedEncoding: Code = Code(rawValue: "malformedEncoding")
    /// A C declaration that is not well formed, or that contradicts another.
    public static let malformedDeclaration: Code = Code(rawValue: "malformedDeclaration")
    /// A header that the compiler's preprocessor cannot read, or a compiler that is missing.
    public static let headerNotRead: Code = Code(rawValue: "headerNotRead")
    /// A type encoding, or a call, that exceeds a documented limit.
    public static let limitExceeded: Code = Code(rawValue: "limitExceeded")
    /// A well-formed type that cannot be passed by value on this platform.
    public static let unsupportedType: Code = Code(rawValue: "unsupportedType")
    /// An argument index outside the signature.
    public static let indexOutOfRange: Code = Code(rawValue: "indexOutOfRange")
    /// A wrong number of arguments.
    public static let countMismatch: Code = Code(rawValue: "countMismatch")
    /// A value whose type does not match the signature.
    public static let typeMismatch: Code = Code(rawValue: "typeMismatch")
    /// A number outside the range of the type.
    public static let outOfRange: Code = Code(rawValue: "outOfRange")
    /// A number that the type can represent only after rounding.
    public static let inexact: Code = Code(rawValue: "inexact")
    /// A null where the type has no null.
    public static let nullNotAllowed: Code = Code(rawValue: "nullNotAllowed")
    /// An argument that was never set.
    public static let argumentNotSet: Code = Code(rawValue: "argumentNotSet")
    /// A return value that was requested before there is one.
    public static let noReturnValue: Code = Code(rawValue: "noReturnValue")
    /// An invocation with nothing to call.
    public static let noImplementation: Code = Code(rawValue: "noImplementation")
    /// A selector that the target does not respond to.
    public static let unrecognizedSelector: Code = Code(rawValue: "unrecognizedSelector")
    /// A message that returns to an object that forwards it.
    public static let forwardingCycle: Code = Code(rawValue: "forwardingCycle")
    /// A selector for which a class already has a method.
    public static let duplicateMethod: Code = Code(rawValue: "duplicateMethod")
    /// A shared library that cannot be opened.
    public static let libraryNotFound: Code = Code(rawValue: "libraryNotFound")
    /// A symbol that a library does not define.
    public static let symbolNotFound: Code = Code(rawValue: "symbolNotFound")
  }
}
