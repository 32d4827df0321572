@_spi(Tools) import CDeclarations
import DynamicInvocation
import Synchronization

/// The declarations that requests refer to, each read once.
enum DeclaredFunctions {
  /// Headers, and how the preprocessor reads them.
  struct Headers: Hashable, Sendable {
    var names: [String] = []
    var include: [String] = []
    /// Macros that are defined before: `NAME` or `NAME=VALUE`.
    var define: [String] = []

    /// The options of the compiler.
    var options: [String] { define.map { "-D" + $0 } }
  }

  /// The maximum number of sets of headers that are kept.
  private static let mostEntries = 64

  private static let known: Mutex<[Headers: CDeclarations]> = Mutex([:])

  /// Returns the declarations of headers, or the standard types if there are no headers.
  static func declarations(_ headers: Headers) throws(InvocationError) -> CDeclarations {
    guard !headers.names.isEmpty else { return try CDeclarations("") }
    if let declarations = known.withLock({ $0[headers] }) { return declarations }
    let declarations = try CDeclarations(headers: headers.names, include: headers.include, options: headers.options)
    known.withLock { known in
      if known.count >= mostEntries { known = [:] }
      known[headers] = declarations
    }
    return declarations
  }
}

extension CallRequest {
  /// Takes the types from a declaration, or from the function or the variable that a header declares.
  ///
  /// - Parameters:
  ///   - text: A declaration, or the name of a function or a variable in the headers, also with `@` and a version.
  ///   - variadic: The types of the arguments after `...`, as in a parameter list.
  ///   - hasArguments: Whether there are arguments; a request for a variable has none.
  mutating func declare(
    _ text: String, in headers: DeclaredFunctions.Headers, variadic: String = "", hasArguments: Bool = true
  ) throws(InvocationError) {
    let declaration = text.isDeclaration ? text : text.withoutVersion
    let version = text.dropFirst(declaration.count)
    let context = try DeclaredFunctions.declarations(headers)
    declarations = context
    if !hasArguments, let variable = Self.variable(declaration, context) {
      isVariable = true
      take(variable.name, variable.symbol + version, variable.declaration)
      declaredTypes = MethodTypes(result: try variable.encoding, arguments: [])
      return
    }
    let function: CDeclarations.Function
    do throws(InvocationError) {
      function = try Self.function(declaration, context, hasHeaders: !headers.names.isEmpty)
    } catch {
      guard hasArguments, let variable = Self.variable(declaration, context) else { throw error }
      throw InvocationError(.typeMismatch, "'\(variable.name)' is a variable, which has no arguments")
    }
    missingReason = function.reasonWithoutSymbol
    if function.isStatic, let missingReason { throw InvocationError(.symbolNotFound, "'\(function.name)' has no symbol: \(missingReason)") }
    let signature = try MethodSignature(declaration: declaration, in: context, variadic: variadic)
    take(function.name, function.symbol + version, function.declaration)
    declaredTypes = signature.types
    fixedCount = signature.fixedArgumentCount
    if !variadic.isEmpty { variadicTypes = try context.function(declaration: "void (variadic)(\(variadic))").types.arguments }
    if function.isVariadic, variadic.isEmpty, arguments.count > signature.numberOfArguments {
      throw InvocationError(
        .countMismatch,
        "'\(function.name)' is variadic: the types of the arguments after '...' are not stated; "
          + "write --variadic 'int, double', or \"variadic\" in a batch")
    }
    for (index, type) in signature.types.arguments.enumerated() where arguments.indices.contains(index) {
      arguments[index].replaceConstant(of: context, type)
    }
  }

  private mutating func take(_ name: String, _ symbol: String, _ declaration: String) {
    if self.symbol.isEmpty || self.symbol == name { self.symbol = symbol }
    types = declaration
  }

  /// Returns the variable that a text declares or names, or nil.
  private static func variable(_ text: String, _ context: CDeclarations) -> CDeclarations.Variable? {
    text.isDeclaration ? try? context.variable(declaration: text) : context.variables[text]
  }

  /// Returns the function that a text declares or names.
  private static func function(
    _ text: String, _ context: CDeclarations, hasHeaders: Bool
  ) throws(InvocationError) -> CDeclarations.Function {
    if let known = context.functions[text] { return known }
    // The error of the signature names what is near, or says what the name is instead.
    if hasHeaders, !text.isDeclaration, context.types[text] == nil {
      throw DeclarationLookup.undeclared("function", text, in: context, among: context.functions.names + context.types.names)
    }
    if hasHeaders, !text.isDeclaration { _ = try MethodSignature(declaration: text, in: context) }
    return try context.function(declaration: text)
  }
}

extension GivenValue {
  /// Replaces the name of a constant by its value, for a number or an untyped address: `SQLITE_OK`, `O_RDWR|O_CREAT`.
  fileprivate mutating func replaceConstant(of declarations: CDeclarations, _ type: TypeEncoding) {
    guard case .string(let text) = value, !text.isEmpty, !text.utf8.contains(0x20) else { return }
    switch type.kind {
    case .scalar:
      if let constant = declarations.constants[text] { return value = JSONValue(constant) }
      // Flags are combined as in C.
      var flags = 0
      for part in text.split(separator: "|", omittingEmptySubsequences: false) {
        guard let flag = declarations.constants[String(part)]?.int else { return }
        flags |= flag
      }
      value = .integer(flags)
    case .pointer:
      if case .address? = declarations.constants[text], let constant = declarations.constants[text] { value = JSONValue(constant) }
    default: return
    }
  }
}

extension JSONValue {
  /// The value of a constant; an address is a string of hexadecimal digits.
  init(_ constant: CDeclarations.Constant) {
    switch constant {
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .integer(value)
    case .floatingPoint(let value): self = ValueWriter.number(value)
    case .string(let text): self = .string(text)
    case .address: self = .string(constant.description)
    }
  }
}
