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
  let storage: Storage

  final class Storage: Sendable {
    private let store: Mutex<DeclarationStore>

    init(_ parser: sending Parser) { store = Mutex(DeclarationStore(parser)) }

    func read<Result: Sendable, Failure>(
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
  /// - Parameter skipsFailures: Whether a declaration that cannot be read is skipped, and is no error.
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
  public var functions: Functions { Functions(storage: storage) }

  /// The constants, by name: enumerators, and macros that are integers, floating-point numbers, addresses or strings.
  public var constants: Constants { Constants(storage: storage) }

  /// The declared types, by name: of a typedef, or of a struct, union or enum with its keyword or without.
  public var types: Types { Types(storage: storage) }

  /// The declared variables, by name.
  public var variables: Variables { Variables(storage: storage) }
}

extension CDeclarations {
  /// A declaration of a header that cannot be read, and the reason.
  public struct SkippedDeclaration: Sendable {
    /// The declaration in one line, without the body of a function.
    public let declaration: String

    /// The reason, with the file, the line and the column.
    public let error: InvocationError

    /// Returns whether the declaration contains a name, which it may have declared.
    ///
    /// - Complexity: O(length of the declaration).
    public func names(_ name: String) -> Bool {
      declaration.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }).contains { $0 == name }
    }
  }

  /// The declarations of a header that cannot be read, in their order; empty for a text, of which each is an error.
  public var skipped: [SkippedDeclaration] { storage.read { $0.skippedDeclarations() } }
}

extension CDeclarations.SkippedDeclaration: CustomStringConvertible {
  /// The reason.
  public var description: String { error.reason }
}

// MARK: Descriptions

extension CDeclarations: CustomStringConvertible {
  /// The numbers of declared functions, types and variables.
  public var description: String { "\(functions), \(types), \(variables)" }
}

extension CDeclarations.Functions: CustomStringConvertible {
  /// The number of functions.
  public var description: String { names.count.counted("function") }
}

extension CDeclarations.Types: CustomStringConvertible {
  /// The number of named types.
  public var description: String { names.count.counted("type") }
}

extension CDeclarations.Variables: CustomStringConvertible {
  /// The number of variables.
  public var description: String { names.count.counted("variable") }
}

extension CDeclarations.Constants: CustomStringConvertible {
  /// The numbers of enumerators and of macros.
  public var description: String { "\(enumerators.count.counted("enumerator")), \(macros.count.counted("macro"))" }
}

extension CDeclarations.Function: CustomStringConvertible {
  /// The declaration.
  public var description: String { declaration }
}

extension CDeclarations.NamedType: CustomStringConvertible {
  /// The declaration, or the name if the source does not define the type.
  public var description: String { declaration ?? name }
}

extension CDeclarations.Variable: CustomStringConvertible {
  /// The declaration.
  public var description: String { declaration }
}
