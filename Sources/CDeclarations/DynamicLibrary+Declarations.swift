public import DeclarationReading
public import DynamicInvocation
public import TypeEncodings

extension DynamicLibrary {
  /// Opens a library whose functions and variables are found by name, with the types of declarations.
  ///
  ///     let sqlite = try DynamicLibrary("libsqlite3.so.0", declarations: CDeclarations(header: "sqlite3.h"))
  ///     let version: String = try sqlite.function("sqlite3_libversion")()
  ///
  /// A declared function that the library lacks is an error only when it is used.
  ///
  /// - Throws: `InvocationError` as `init(_:)` does.
  public convenience init(_ name: String, declarations: CDeclarations) throws(InvocationError) {
    try self.init(name, suggesting: true, companion: declarations)
  }

  /// Opens a library by its linker name, as `find(_:)` does, with declarations.
  ///
  ///     let sqlite = try DynamicLibrary.find("sqlite3", declarations: CDeclarations(header: "sqlite3.h"))
  ///
  /// - Parameters:
  ///   - name: The linker name, or the name of a file.
  ///   - declarations: The declarations in which functions and variables of the library are found by name.
  /// - Throws: `InvocationError` `libraryNotFound`, with the names that were tried.
  /// - Complexity: As `find(_:)`.
  public static func find(_ name: String, declarations: CDeclarations) throws(InvocationError) -> DynamicLibrary {
    try find(name, companion: declarations)
  }

  /// The declarations with which the library was opened, or nil.
  ///
  /// ``function(_:variadic:)`` and ``variable(_:)`` find names in them.
  public var declarations: CDeclarations? { companion as? CDeclarations }

  /// Returns a function of the library, with the types of a declaration.
  ///
  ///     let pow = try libm.function("double pow(double, double)")
  ///
  /// The declaration must match the code. This cannot be checked, and a call with wrong types is undefined behavior.
  ///
  /// - Parameters:
  ///   - declaration: A declaration, which may use the types of the library's ``declarations``, or the name of a function
  ///     that they declare.
  ///   - variadic: For a variadic function, the types of the arguments after `...`, as in a parameter list:
  ///     `"int, double"`. They are promoted as C promotes them.
  /// - Throws: `InvocationError` `malformedDeclaration` with the column and what was expected, or if no declaration has
  ///   the name, with similar names; `unsupportedType` for a type that cannot be passed; `symbolNotFound` if the library
  ///   has no such symbol.
  /// - Complexity: O(bytes of the declaration), plus the cost of `symbol(_:)`.
  @unsafe
  public func function(_ declaration: String, variadic: String = "") throws(InvocationError) -> ForeignFunction {
    let function = try DeclarationLookup.function(declaration, in: declarations)
    let reason = function.reasonWithoutSymbol
    if function.isStatic, let reason { throw InvocationError(.symbolNotFound, "'\(function.name)' has no symbol: \(reason)") }
    let signature: MethodSignature
    do {
      signature = try DeclarationLookup.signature(function, in: declarations, variadic: variadic, backend: .automatic)
    } catch {
      throw error.about(function.name)
    }
    do throws(InvocationError) {
      return try unsafe self.function(function.symbol, signature)
    } catch {
      guard error.code == .symbolNotFound, let reason else { throw error }
      throw InvocationError(.symbolNotFound, "\(error.reason); \(reason)", candidates: error.candidates)
    }
  }

  /// Returns the address of a declared variable.
  ///
  /// The address is valid only while the library is loaded.
  ///
  /// - Parameter name: The name of a variable in the library's ``declarations``.
  /// - Throws: `InvocationError` `malformedDeclaration` if no declaration has the name, and as `variable(_:type:)` does.
  public func variable(_ name: String) throws(InvocationError) -> UnsafeRawPointer {
    guard let variable = declarations?.variables[name] else {
      throw DeclarationLookup.undeclared(
        "variable", name, in: declarations, among: declarations?.variables.names ?? [], hint: DeclarationLookup.optionHint)
    }
    return try unsafe self.variable(variable.symbol, type: variable.encoding)
  }
}

extension MethodSignature {
  /// Creates or finds the signature of a declared function.
  ///
  /// - Parameters:
  ///   - declaration: A declaration of a function or of a pointer to one, with or without a name:
  ///     `int (*)(const void *, const void *)`; or the name of a function or of such a type in `declarations`.
  ///   - declarations: The types that the declaration may use, besides the types of `<stdint.h>` and `<stddef.h>`.
  ///   - variadic: For a variadic function, the types of the arguments after `...`, as in a parameter list.
  ///   - backend: The backend that executes the call.
  /// - Throws: `InvocationError` `malformedDeclaration` with the column and what was expected, and as
  ///   `init(_:fixedArgumentCount:backend:)` does.
  public init(
    declaration: String, in declarations: CDeclarations? = nil, variadic: String = "", backend: CallBackend = .automatic
  ) throws(InvocationError) {
    let function = try DeclarationLookup.function(declaration, in: declarations)
    self = try DeclarationLookup.signature(function, in: declarations, variadic: variadic, backend: backend)
  }
}

extension Closure {
  /// Creates a closure for C with the types of a declaration.
  ///
  /// The handler reads the arguments by index, as for `init(_:onError:_:)`.
  ///
  /// - Parameters:
  ///   - declaration: A declaration as for ``MethodSignature/init(declaration:in:variadic:backend:)``, such as
  ///     `sqlite3_callback`.
  ///   - declarations: The types that the declaration may use.
  ///   - onError: Called with an error that the handler throws. The default traps.
  ///   - handler: Reads the arguments and sets the result.
  /// - Throws: `InvocationError` as ``MethodSignature/init(declaration:in:variadic:backend:)`` and
  ///   `init(_:onError:_:)` do.
  public convenience init(
    declaration: String, in declarations: CDeclarations? = nil,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("the handler of a closure threw an error: \($0)") },
    _ handler: @escaping @Sendable (inout IncomingCall) throws -> Void
  ) throws(InvocationError) {
    try self.init(MethodSignature(declaration: declaration, in: declarations), onError: onError, handler)
  }
}

/// Finds what a text declares or names.
@_spi(Tools) public enum DeclarationLookup {
  /// Returns the function that a text declares, or that has the text as its name.
  static func function(_ text: String, in declarations: CDeclarations?) throws(InvocationError) -> CDeclarations.Function {
    let isName = !text.isEmpty && text.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x24 }
    guard isName else {
      guard let declarations else { return try CDeclarations.function(declaration: text) }
      return try declarations.function(declaration: text)
    }
    if let declared = declarations?.functions[text] { return declared }
    guard let declarations, let type = declarations.types[text] else {
      throw undeclared(
        "function", text, in: declarations, among: declarations.map { $0.functions.names + $0.types.names } ?? [], hint: optionHint)
    }
    guard let declared = try? declarations.function(declaration: text) else {
      throw InvocationError(
        .malformedDeclaration, "'\(text)' is the type '\(type.declaration ?? text)', which is neither a function's nor a pointer to one")
    }
    return declared
  }

  /// The hint of the programming interface: a header that was read has no trace of what an option hides.
  static var optionHint: String { "; some names of a header need an option, as options: [\"-D_GNU_SOURCE\"]" }

  /// Returns the error for a name that is not declared as the kind asked for: what the name is instead, or similar names.
  ///
  /// - Parameters:
  ///   - kind: `function`, `variable` or `constant`.
  ///   - hint: What may help if no declaration tells anything about the name.
  @_spi(Tools) public static func undeclared(
    _ kind: String, _ name: String, in declarations: CDeclarations?, among names: [String], hint: String = ""
  ) -> InvocationError {
    if let skipped = declarations?.skipped.first(where: { $0.names(name) }) { return skipped.error }
    let function = kind != "function" && declarations?.functions[name] != nil ? "it is a function" : nil
    if let reason = function ?? declarations?.reasonWithoutFunction(name) {
      return InvocationError(.malformedDeclaration, "no \(kind) '\(name)' is declared: \(reason)")
    }
    guard !names.isEmpty else {
      return InvocationError(
        .malformedDeclaration,
        "'\(name)' is a name without a declaration: state one, such as 'double pow(double, double)', "
          + "or open the library with declarations")
    }
    return InvocationError(
      .malformedDeclaration, "no \(kind) '\(name)' is declared\(hint)",
      candidates: NearestNames.nearest(to: name, among: names, limit: 3))
  }

  /// Returns the signature of a function, with the types of its variadic arguments.
  static func signature(
    _ function: CDeclarations.Function, in declarations: CDeclarations?, variadic: String, backend: CallBackend
  ) throws(InvocationError) -> MethodSignature {
    let types = try function.types
    guard function.isVariadic else {
      guard variadic.isEmpty else {
        throw InvocationError(.countMismatch, "'\(function.name)' is not variadic: its declaration has no '...'")
      }
      return try MethodSignature(types, backend: backend)
    }
    let context = if let declarations { declarations } else { try CDeclarations("") }
    let extra = try context.variadicTypes(variadic)
    return try MethodSignature(
      MethodTypes(result: types.result, arguments: types.arguments + extra), fixedArgumentCount: types.arguments.count, backend: backend)
  }
}

extension CDeclarations.Constant: _CallArgument {
  /// Writes the value, converted to the argument's type, as the next argument of a call: an address for any pointer, a string as a
  /// copy that is freed after the call.
  @unsafe
  public func write(to frame: inout FrameWriter) { unsafe boxed.write(to: &frame) }

  private var boxed: BoxedValue {
    switch self {
    case .integer(let number): .int(Int(number))
    case .unsigned(let number): .uint(UInt(number))
    case .floatingPoint(let number): .double(number)
    case .string(let text): .string(text)
    case .address(let bits): unsafe UnsafeRawPointer(bitPattern: bits).map { unsafe .pointer($0) } ?? .null
    }
  }
}
