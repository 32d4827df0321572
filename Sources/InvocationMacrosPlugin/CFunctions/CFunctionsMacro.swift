#if Macros
  import DeclarationReading
  import SwiftDiagnostics
  import SwiftParser
  package import SwiftSyntax
  import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// `#cFunctions`: a static method for each function of C declarations.
  package enum CFunctionsMacro: DeclarationMacro {
    package static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      for context in context.lexicalContext {
        guard let generics = context.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause else { continue }
        let message = MacroMessage("genericContext", "a generic type has no static stored properties, which #cFunctions needs")
        throw DiagnosticsError(diagnostics: [Diagnostic(node: node, message: message, highlights: [Syntax(generics)])])
      }
      let argument = try CDeclarationsArgument(node.arguments)
      return argument.functions.flatMap { function in
        declarations(of: function, in: argument.library, pointer: context.makeUniqueName(function.name).text)
      }
    }

    /// Returns a property with the address of a function, which is looked up when it is first used, and a method that
    /// calls it.
    private static func declarations(of function: CFunctionText, in library: String, pointer: String) -> [DeclSyntax] {
      let names = function.parameterNames.enumerated().map { position, name in name?.swiftIdentifier ?? "argument\(position)" }
      let parameters = zip(names, function.parameters).map { "_ \($0): \($1)" }.joined(separator: ", ")
      let result = function.result == "Void" ? "" : " -> \(function.result)"
      let isUnsafe = function.pointer.namesUnsafePointer
      return [
        """
        private static let \(raw: pointer): Swift.Result<\(raw: function.pointer), DynamicInvocation.InvocationError> =
          \(raw: isUnsafe ? "unsafe " : "")Swift.Result { () throws(DynamicInvocation.InvocationError) in
            try unsafe \(raw: function.pointerExpression(in: library))
          }
        """,
        """
        static func \(raw: function.name.swiftIdentifier)(\(raw: parameters)) throws(DynamicInvocation.InvocationError)\(raw: result) {
          try \(raw: isUnsafe ? "unsafe " : "")\(raw: pointer).get()(\(raw: names.joined(separator: ", ")))
        }
        """,
      ]
    }
  }

  extension String {
    /// The name, in backticks if it is a keyword.
    fileprivate var swiftIdentifier: String { isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`" }

    /// Whether the type of a function contains a pointer.
    fileprivate var namesUnsafePointer: Bool { contains("Unsafe") || contains("OpaquePointer") || contains("CVaListPointer") }
  }
  /// `#cFunction`: a function of a library with the types of its C declaration.
  package enum CFunctionMacro: ExpressionMacro {
    package static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
      let argument = try CDeclarationsArgument(node.arguments)
      let function = argument.functions[0]
      if argument.functions.count > 1 {
        throw argument.error("expected one function; #cFunctions declares several", argument.functions[1])
      }
      return "\(raw: function.pointerExpression(in: argument.library))"
    }
  }
  /// The arguments of `#cFunction` and `#cFunctions`: a literal with declarations, and a library.
  struct CDeclarationsArgument {
    let functions: [CFunctionText]
    /// The expression of the library, as written.
    let library: String
    private let literal: StringLiteralExprSyntax
    private let text: LiteralText

    /// Reads the declarations of a macro's arguments.
    ///
    /// - Throws: `DiagnosticsError` at the column of the literal that the error is about.
    init(_ arguments: LabeledExprListSyntax) throws {
      guard let first = arguments.first, let second = arguments.dropFirst().first else {
        // The compiler has compared the arguments with the declaration of the macro.
        throw MacroExpansionFailure.arguments
      }
      guard let literal = first.expression.as(StringLiteralExprSyntax.self), let text = LiteralText(literal) else {
        throw Self.error("declarations are read when the program is compiled: state them in a literal without interpolation", first)
      }
      (self.literal, self.text) = (literal, text)
      library = second.expression.trimmedDescription
      do throws(CDeclarationError) {
        functions = try CFunctionText.read(text.text)
      } catch {
        throw Self.error(error.reason, literal, at: text.position(of: error.offset))
      }
    }

    /// Returns an error about a function.
    func error(_ message: String, _ function: CFunctionText) -> DiagnosticsError {
      Self.error(message, literal, at: text.position(of: function.offset))
    }

    private static func error(_ message: String, _ node: some SyntaxProtocol, at position: AbsolutePosition? = nil) -> DiagnosticsError {
      DiagnosticsError(diagnostics: [Diagnostic(node: Syntax(node), position: position, message: MacroMessage("cDeclaration", message))])
    }
  }

  /// An error that the compiler reports before it expands a macro.
  enum MacroExpansionFailure: Error {
    case arguments
  }

  extension CFunctionText {
    /// The expression of a pointer to the function, which throws.
    func pointerExpression(in library: String) -> String {
      let symbol = StringLiteralExprSyntax(content: symbol).description
      return "InvocationMacros._DeclaredFunction.pointer(to: \(symbol), in: \(library), as: (\(pointer)).self)"
    }
  }
  /// The text of a string literal, and where each of its bytes is in the source.
  struct LiteralText {
    /// The text without its delimiters, escapes and indentation.
    private(set) var bytes: [UInt8] = []
    /// The position of each byte in the source.
    private var positions: [AbsolutePosition] = []
    private var end: AbsolutePosition

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Reads a literal; nil if it contains an interpolation.
    init?(_ literal: StringLiteralExprSyntax) {
      end = literal.closingQuote.positionAfterSkippingLeadingTrivia
      let escape = Array(("\\" + (literal.openingPounds?.text ?? "")).utf8)
      for segment in literal.segments {
        guard case .stringSegment(let segment) = segment else { return nil }
        add(Array(segment.content.text.utf8), at: segment.content.positionAfterSkippingLeadingTrivia, escape)
      }
    }

    /// The position in the source of the byte at an offset; the end is at the closing quote.
    func position(of offset: Int) -> AbsolutePosition { offset < positions.count ? positions[offset] : end }

    private mutating func add(_ source: [UInt8], at start: AbsolutePosition, _ escape: [UInt8]) {
      var index = 0
      func position() -> AbsolutePosition { start.advanced(by: index) }
      while index < source.count {
        guard source[index...].starts(with: escape) else {
          add([source[index]], at: position())
          index += 1
          continue
        }
        let (value, count) = Self.escaped(source[(index + escape.count)...])
        add(value, at: position())
        index += escape.count + count
      }
    }

    private mutating func add(_ value: [UInt8], at position: AbsolutePosition) {
      bytes += value
      positions += repeatElement(position, count: value.count)
    }

    /// Returns the bytes that an escape stands for, and its length after the backslash.
    ///
    /// The compiler checks escapes.
    private static func escaped(_ rest: ArraySlice<UInt8>) -> (value: [UInt8], count: Int) {
      switch rest.first {
      case UInt8(ascii: "n"): return ([0x0A], 1)
      case UInt8(ascii: "t"): return ([0x09], 1)
      case UInt8(ascii: "r"): return ([0x0D], 1)
      case UInt8(ascii: "0"): return ([0], 1)
      case UInt8(ascii: "u"):
        let digits = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "}") }
        let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
        return (scalar.map { Array(String($0).utf8) } ?? [], min(rest.count, digits.count + 3))
      case 0x0A: return ([], 1)
      case let byte?: return ([byte], 1)
      case nil: return ([], 0)
      }
    }
  }
#endif
