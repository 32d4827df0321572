extension DynamicLibrary {
  /// Returns a function of the library.
  ///
  /// - Parameters:
  ///   - name: The symbol.
  ///   - types: The return type and the argument types: `ddd` for `double pow(double, double)`. You promise that they are the code's:
  ///     nothing can check it, and wrong ones make a call undefined.
  ///   - fixedArgumentCount: For a variadic function the number of arguments before the ellipsis.
  /// - Throws: ``InvocationError`` `symbolNotFound` with the nearest names, `typeMismatch` when the symbol is a variable, as far as the library's
  ///   symbol table tells, and what ``MethodSignature/init(types:dialect:fixedArgumentCount:backend:)`` throws.
  @unsafe
  public func function(
    _ name: String, types: String, fixedArgumentCount: Int? = nil
  ) throws(InvocationError) -> ForeignFunction {
    try unsafe function(name, MethodSignature(types: types, fixedArgumentCount: fixedArgumentCount))
  }

  /// Returns a function of the library with a signature made already, which nothing can check against the code.
  ///
  /// - Throws: ``InvocationError`` `symbolNotFound` with the nearest names, and `typeMismatch` when the symbol is a variable, as far as the
  ///   library's symbol table tells.
  /// - Complexity: That of ``symbol(_:)``, and O(symbols of the library).
  @unsafe
  public func function(_ name: String, _ methodSignature: MethodSignature) throws(InvocationError) -> ForeignFunction {
    let address = unsafe try symbol(name)
    if case .data(let size) = unsafe SymbolKind(of: name, at: address) {
      let bytes = size.map { " of \($0) bytes" } ?? ""
      throw InvocationError(.typeMismatch, "symbol '\(name)' of \(self) is a variable\(bytes), not a function")
    }
    let implementation = unsafe Implementation(address, methodSignature: methodSignature, keeping: LibrarySymbol(name, self))
    return try ForeignFunction(implementation, methodSignature)
  }
}

/// The name of a function and its library, which a call of the function keeps loaded.
private final class LibrarySymbol: Sendable {
  let name: String
  private let library: DynamicLibrary

  init(_ name: String, _ library: DynamicLibrary) {
    self.name = name
    self.library = library
  }
}

extension Implementation {
  /// The symbol of a function of a ``DynamicLibrary``, or nil.
  var symbolName: String? { (owner as? LibrarySymbol)?.name }
}
