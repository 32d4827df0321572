import DynamicInvocation
import Synchronization

/// The declarations that requests refer to, each read once.
enum DeclaredFunctions {
  /// The maximum number of sets of headers that are kept.
  private static let mostEntries = 64

  private static let known: Mutex<[[String]: CDeclarations]> = Mutex([:])

  /// Returns the declarations of headers.
  static func declarations(_ headers: [String], include: [String]) throws(InvocationError) -> CDeclarations {
    let key = headers + [""] + include
    if let declarations = known.withLock({ $0[key] }) { return declarations }
    let declarations = try CDeclarations(headers: headers, include: include)
    known.withLock { known in
      if known.count >= mostEntries { known = [:] }
      known[key] = declarations
    }
    return declarations
  }

  /// Returns the declarations of headers, or those of the standard types if there are no headers.
  static func context(_ headers: [String], include: [String]) throws(InvocationError) -> CDeclarations {
    headers.isEmpty ? try CDeclarations("") : try declarations(headers, include: include)
  }
}

extension CallRequest {
  /// Replaces the types by those of a declaration, or of the function that a header declares.
  ///
  /// - Parameters:
  ///   - declaration: A declaration, or the name of a function in the headers.
  ///   - variadic: The types of the arguments after `...`, as in a parameter list.
  mutating func declare(
    _ declaration: String, headers: [String], include: [String], variadic: String
  ) throws(InvocationError) {
    let context = try DeclaredFunctions.context(headers, include: include)
    let signature: MethodSignature
    let function: CDeclarations.Function
    if let known = context.functions[declaration] {
      function = known
    } else {
      if !headers.isEmpty, !declaration.utf8.contains(0x28) {
        if let skipped = context.skipped.first(where: { $0.names(declaration) }) { throw skipped.error }
        throw InvocationError(.malformedDeclaration, "\(headers.joined(separator: ", ")) declares no function '\(declaration)'")
      }
      function = try context.function(declaration: declaration)
    }
    signature = try MethodSignature(declaration: declaration, in: context, variadic: variadic)
    if symbol.isEmpty || symbol == function.name { symbol = function.symbol }
    types = function.declaration
    // The same declaration may have other types with other headers.
    self.context = [variadic] + headers + [""] + include
    declaredTypes = signature.types
    fixedCount = signature.fixedArgumentCount
    if function.isVariadic, variadic.isEmpty, arguments.count > signature.numberOfArguments {
      throw InvocationError(.countMismatch, "'\(function.name)' is variadic: the types of the arguments after '...' are not stated")
    }
  }
}
