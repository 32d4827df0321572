import Synchronization
public import TypeEncodings

/// The declarations of a C source: functions, types and constants by name.
///
/// The text is C11 with the extensions of gcc and clang, as a header's author wrote it or as a preprocessor wrote it:
///
///     let declarations = try CDeclarations("""
///       typedef struct { double x, y; } point;
///       double distance(point from, point to);
///       """)
///     try declarations.functions["distance"]?.types.text()  // "d{?=dd}{?=dd}"
///
/// Types are converted to encodings when they are used. A declaration that a call cannot use, such as one with a
/// parameter of type `__float128`, is an error only then.
///
/// - Complexity: One word. Copies share their contents, which is protected by a lock.
public struct CDeclarations: Sendable {
  package let storage: Storage

  package final class Storage: Sendable {
    private let store: Mutex<DeclarationStore>

    init(_ parser: sending Parser) { store = Mutex(DeclarationStore(parser)) }

    package func read<Result: Sendable, Failure>(
      _ body: @Sendable (DeclarationStore) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try store.withLock { store throws(Failure) in try body(store) }
    }
  }

  /// Reads declarations.
  ///
  /// The names of `<stdint.h>`, `<stddef.h>` and `<stdbool.h>` need no declaration. Of the preprocessor's directives
  /// `#define`, `#undef`, `#pragma pack` and line markers are read. The bodies of functions are skipped.
  ///
  /// - Parameter text: The source, of at most 64 MiB.
  /// - Throws: `InvocationError` `malformedDeclaration` with the line, the column, the token and what was expected;
  ///   `limitExceeded` for nesting beyond the limits that the article Limits states, and for types of more than 2³¹ − 1 bytes.
  /// - Complexity: O(*n*), where *n* is the length of the text; 512 KB of stack suffice.
  public init(_ text: String) throws(InvocationError) {
    try self.init(source: Array(text.utf8))
  }

  /// Reads declarations from the output of a preprocessor.
  ///
  /// - Parameter skipsFailures: Whether to skip a declaration that cannot be read, instead of throwing an error.
  package init(source: [UInt8], target: TargetABI = .host, skipsFailures: Bool = false) throws(InvocationError) {
    let parser = Parser(source, target: target)
    parser.skipsFailures = skipsFailures
    do throws(SyntaxFailure) {
      try parser.begin(0..<source.count)
      try parser.readAll()
    } catch {
      let location = SourceLocation(of: error.offset, in: source)
      throw InvocationError(error.code, "\(location.description): \(error.reason)")
    }
    parser.tokens.end()
    storage = Storage(parser)
  }

  /// The declared functions, by name.
  ///
  /// - Complexity: Finding one is O(parts of its types), and allocates.
  public var functions: Declared<Function> {
    Declared(storage: storage, noun: "function", find: { $0.function(named: $1) }, list: { $0.symbolNames(.function) })
  }

  /// The constants, by name: enumerators, and macros that are integers, floating-point numbers, addresses or strings.
  public var constants: Constants { Constants(storage: storage) }

  /// The declared types, by name: `point` for a typedef, `struct point`, `union value` or `enum color` for a tag.
  ///
  /// A tag may also be looked up without its keyword, if no typedef has the name.
  public var types: Declared<NamedType> {
    Declared(storage: storage, noun: "type", find: { $0.type(named: $1) }, list: { $0.typeNames() })
  }

  /// The declared variables, by name.
  public var variables: Declared<Variable> {
    Declared(storage: storage, noun: "variable", find: { $0.variable(named: $1) }, list: { $0.symbolNames(.variable) })
  }
}

extension CDeclarations: CustomStringConvertible {
  /// The numbers of declared functions, types and variables.
  public var description: String { "\(functions), \(types), \(variables)" }
}

extension CDeclarations {
  /// The declarations of one kind, by name: functions, types or variables.
  public struct Declared<Element: Sendable>: Sendable, CustomStringConvertible {
    let storage: Storage
    let noun: String
    let find: @Sendable (DeclarationStore, String) -> Element?
    let list: @Sendable (DeclarationStore) -> [String]

    /// What is declared with a name, or nil.
    public subscript(name: String) -> Element? { storage.read { find($0, name) } }

    /// The names, in the order of their declarations; of types, first typedefs, then structs, unions and enums with their keywords.
    public var names: [String] { storage.read(list) }

    /// The number, such as `3 functions`.
    public var description: String { names.count.counted(noun) }
  }
}

extension CDeclarations {
  /// A declaration of a header that cannot be read, and the reason.
  public struct SkippedDeclaration: Sendable, CustomStringConvertible {
    /// The declaration in one line, without the body of a function.
    public let declaration: String

    /// The reason, with the file, the line and the column.
    public let error: InvocationError

    /// Returns whether the declaration contains a name, and so may have declared that name.
    ///
    /// - Complexity: O(length of the declaration).
    package func names(_ name: String) -> Bool {
      declaration.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }).contains { $0 == name }
    }

    /// The reason.
    public var description: String { error.reason }
  }

  /// The declarations of a header that cannot be read, in their order; empty for a text, where each such declaration is an error.
  public var skipped: [SkippedDeclaration] { storage.read { $0.skippedDeclarations() } }
}

// MARK: - Functions

extension CDeclarations {
  /// A declared function.
  public struct Function: Sendable, CustomStringConvertible {
    /// The name in C.
    public let name: String

    /// The name in the symbol table of a library, which an asm label of the declaration may state.
    public let symbol: String

    /// The declaration in one line.
    public let declaration: String

    /// The names of the parameters, or nil where the declaration states no name.
    public let parameterNames: [String?]

    /// Whether the parameters end with `...`.
    public let isVariadic: Bool

    /// Whether the function is static, so that no library exports it.
    public let isStatic: Bool

    /// Whether a declaration of the function is inline, so that a library need not export it.
    let isInline: Bool

    let outcome: Result<MethodTypes, InvocationError>

    /// The reason for which a library may lack the function: the header defines it as static or inline; otherwise nil.
    public var reasonWithoutSymbol: String? {
      if isStatic { return "the header defines it as static\(isInline ? " inline" : ""): no library exports it" }
      return isInline ? "the header defines it as inline: a library need not export it" : nil
    }

    /// The types of the result and of the parameters before `...`.
    ///
    /// - Throws: `InvocationError` `unsupportedType` for a type that has no encoding or is incomplete,
    ///   `malformedDeclaration` for a function whose parameters are not declared, `limitExceeded` for a type of more
    ///   than 100,000 parts.
    public var types: MethodTypes {
      get throws(InvocationError) { try outcome.get() }
    }

    /// The declaration.
    public var description: String { declaration }
  }

  /// Reads one declaration of a function, which may use the types declared here, and stores nothing.
  ///
  /// - Parameter text: One declaration of a function or of a pointer to a function, with or without `;`; the name of a
  ///   declared function, or of a typedef of a function or of a pointer to one; or such a type without a name, as
  ///   `int (*)(const void *, const void *)`, whose function has an empty name.
  /// - Throws: `InvocationError` `malformedDeclaration`, also if the text contradicts a declaration of the same name.
  public func function(declaration text: String) throws(InvocationError) -> Function {
    try storage.read { store throws(InvocationError) in try store.function(declaration: text) }
  }

  /// Returns the types of arguments after `...`, as in a parameter list, with the promotions of C.
  package func variadicTypes(_ text: String) throws(InvocationError) -> [TypeEncoding] {
    guard text.contains(where: { !$0.isWhitespace }) else { return [] }
    return try storage.read { store throws(InvocationError) in try store.variadicTypes(text) }
  }

  /// Reads one declaration of a function with the standard types only.
  package static func function(declaration text: String) throws(InvocationError) -> Function {
    try DeclarationStore(Parser([], target: .host)).function(declaration: text)
  }

  /// Returns the reason why a name is not a function's, or nil: it is a macro, a variable, a type or a constant.
  ///
  /// - Returns: What the name is, such as `it is a macro: (*__errno_location ())`.
  package func reasonWithoutFunction(_ name: String) -> String? { storage.read { $0.reasonWithoutFunction(name) } }
}

// MARK: - Types

extension CDeclarations {
  /// A declared type.
  public struct NamedType: Sendable, CustomStringConvertible {
    /// The name, as it was looked up.
    public let name: String

    /// The declaration in one line, or nil if the source uses the name without a definition.
    public let declaration: String?

    let outcome: Result<TypeEncoding, InvocationError>

    /// The encoding, with the names of members and the layout of the declaration.
    ///
    /// - Throws: `InvocationError` `unsupportedType` for a type that has no encoding, `limitExceeded` for a type of
    ///   more than 100,000 parts.
    public var encoding: TypeEncoding {
      get throws(InvocationError) { try outcome.get() }
    }

    /// The declaration, or the name if the source does not define the type.
    public var description: String { declaration ?? name }
  }

  /// A declared variable.
  public struct Variable: Sendable, CustomStringConvertible {
    /// The name in C.
    public let name: String

    /// The name in the symbol table of a library.
    public let symbol: String

    /// The declaration in one line.
    public let declaration: String

    let outcome: Result<TypeEncoding, InvocationError>

    /// The type.
    ///
    /// - Throws: `InvocationError` `unsupportedType` for a type that has no encoding.
    public var encoding: TypeEncoding {
      get throws(InvocationError) { try outcome.get() }
    }

    /// The declaration.
    public var description: String { declaration }
  }

  /// Reads one declaration of a variable, which may use the types declared here, and stores nothing.
  ///
  /// - Parameter text: One declaration of a variable, with or without `;`, or the name of a declared one.
  /// - Throws: `InvocationError` `malformedDeclaration`, also if the text contradicts a declaration of the same name.
  public func variable(declaration text: String) throws(InvocationError) -> Variable {
    try storage.read { store throws(InvocationError) in try store.variable(declaration: text) }
  }

  /// Returns the type that a text names, such as `const char *` or `struct point[4]`.
  ///
  /// - Throws: `InvocationError` `malformedDeclaration` for a text that is not the name of a type, `unsupportedType`
  ///   for a type without an encoding.
  public func encoding(ofType text: String) throws(InvocationError) -> TypeEncoding {
    try storage.read { store throws(InvocationError) in try store.encoding(ofType: text) }
  }
}

// MARK: - Constants

extension CDeclarations {
  /// The value of an enumerator or of a macro.
  public enum Constant: Sendable, Hashable {
    /// An integer of a signed type.
    case integer(Int64)
    /// An integer of an unsigned type.
    case unsigned(UInt64)
    /// A floating-point number.
    case floatingPoint(Double)
    /// A string literal.
    case string(String)
    /// An integer that is cast to a pointer, such as `MAP_FAILED` or `SQLITE_TRANSIENT`.
    case address(UInt)

    /// The value as an `Int`, if it is an integer that fits.
    public var int: Int? {
      switch self {
      case .integer(let value): Int(exactly: value)
      case .unsigned(let value): Int(exactly: value)
      case .floatingPoint, .string, .address: nil
      }
    }

    /// The value as a `Double`, if it is a number.
    public var double: Double? {
      switch self {
      case .integer(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .floatingPoint(let value): value
      case .string, .address: nil
      }
    }

    /// The value as text, if it is a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    init?(_ operand: Operand, _ types: TypeTable) {
      switch operand.value {
      case .integer(let value):
        if types.basic(operand.type)?.isSigned(types.target) ?? true, let number = Int64(exactly: value) {
          self = .integer(number)
        } else if let number = UInt64(exactly: value) {
          self = .unsigned(number)
        } else {
          return nil
        }
      case .floatingPoint(let value): self = .floatingPoint(value)
      case .address(let value): self = .address(UInt(truncatingIfNeeded: value))
      case .text(let bytes):
        // Other bytes are no text.
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self = .string(text)
      case .unknown: return nil
      }
    }
  }

  /// The constants that enumerators and macros define.
  public struct Constants: Sendable, CustomStringConvertible {
    let storage: Storage

    /// The value of an enumerator, of a macro without parameters whose expansion is a constant, or of a variable that is
    /// declared as `const` or `constexpr` with such a value; otherwise nil.
    ///
    /// Nil too for an integer of more than 64 bits, and for a floating-point number that a `Double` cannot hold, such as
    /// `LDBL_MAX`. A `long double` in the range of `Double` is the nearest `Double`.
    ///
    /// - Complexity: O(tokens of the expansion), at most 10,000.
    public subscript(name: String) -> Constant? {
      storage.read { $0.constant(named: name) }
    }

    /// The names of the enumerators, in the order of their declarations.
    public var enumerators: [String] { storage.read { $0.symbolNames(.enumerator) } }

    /// The names of the macros without parameters, in alphabetical order; not each is a constant.
    public var macros: [String] { storage.read { $0.macroNames() } }

    /// The numbers of enumerators and of macros.
    public var description: String { "\(enumerators.count.counted("enumerator")), \(macros.count.counted("macro"))" }
  }
}

extension CDeclarations.Constant: CustomStringConvertible {
  /// The number, the text in quotes, or the address in hexadecimal digits.
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .floatingPoint(let value): "\(value)"
    case .string(let text): "\"\(text.escaped)\""
    case .address(let value): "0x" + String(value, radix: 16)
    }
  }
}
