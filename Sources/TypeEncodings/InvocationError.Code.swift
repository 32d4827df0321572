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
