import CFFIShim

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

extension DynamicLibrary {
  /// Returns the address of a variable that is large enough for a value of a type.
  ///
  /// The address is good only while the library is loaded; that of a thread-local variable is the calling thread's.
  ///
  /// - Parameters:
  ///   - name: The symbol.
  ///   - type: The type of the variable. Nothing can check it but its size, where the library's symbol table states one.
  /// - Throws: ``InvocationError`` `symbolNotFound` with the nearest names, `typeMismatch` when the symbol is a function or the variable
  ///   is smaller than the type, `unsupportedType` when the type has no size.
  /// - Complexity: That of ``symbol(_:)``, and O(symbols of the library).
  public func variable(_ name: String, type: TypeEncoding) throws(InvocationError) -> UnsafeRawPointer {
    guard let size = type.size else {
      throw InvocationError(.unsupportedType, "no variable has a type without a size", encoding: type.description)
    }
    let address = unsafe try symbol(name)
    switch unsafe SymbolKind(of: name, at: address) {
    case .function: throw InvocationError(.typeMismatch, "symbol '\(name)' of \(self) is a function, not a variable")
    case .data(let stated?) where stated < size:
      throw InvocationError(
        .typeMismatch, "variable '\(name)' of \(self) has \(stated) bytes, the type \(size)", encoding: type.description)
    case .data, nil: return unsafe address
    }
  }
}

/// What the symbol table of a library says that a symbol is.
enum SymbolKind {
  case function
  /// A variable, with the number of its bytes if the table states it.
  case data(size: Int?)

  /// Looks at the table of the library that a symbol was found in; nil when it does not tell, as where libraries are not ELF files.
  init?(of name: String, at address: UnsafeRawPointer) {
    var size = 0
    switch unsafe cffi_describe_symbol(name, address, &size) {
    case CFFI_SYMBOL_FUNCTION: self = .function
    case CFFI_SYMBOL_DATA: self = .data(size: size > 0 ? size : nil)
    default: return nil
    }
  }
}
