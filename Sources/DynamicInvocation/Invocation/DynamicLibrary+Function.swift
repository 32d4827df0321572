import CFFIShim

extension DynamicLibrary {
  /// Returns a function of the library.
  ///
  /// - Parameters:
  ///   - name: The symbol.
  ///   - types: The return type and the argument types: `ddd` for `double pow(double, double)`. They must match the
  ///     code. This cannot be checked, and a call with wrong types is undefined behavior.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, `typeMismatch` when the library's symbol
  ///   table states that the symbol is a variable, and the errors of
  ///   ``MethodSignature/init(types:dialect:fixedArgumentCount:backend:)``.
  @unsafe
  public func function(
    _ name: String, types: String, fixedArgumentCount: Int? = nil
  ) throws(InvocationError) -> ForeignFunction {
    let signature: MethodSignature
    do { signature = try MethodSignature(types: types, fixedArgumentCount: fixedArgumentCount) } catch { throw error.about(name) }
    return try unsafe function(name, signature)
  }

  /// Returns a function of the library with an existing signature.
  ///
  /// The signature must match the code, which cannot be checked.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, and `typeMismatch` when the library's
  ///   symbol table states that the symbol is a variable.
  /// - Complexity: That of ``symbol(_:)``, and O(symbols of the library).
  @unsafe
  public func function(_ name: String, _ methodSignature: MethodSignature) throws(InvocationError) -> ForeignFunction {
    let implementation = unsafe Implementation(try code(name), methodSignature: methodSignature, keeping: LibrarySymbol(name, self))
    do { return try ForeignFunction(implementation, methodSignature) } catch { throw error.about(name) }
  }

  /// Returns the address of a symbol that is not a variable.
  ///
  /// - Throws: As ``function(_:_:)``.
  @unsafe
  package func code(_ name: String) throws(InvocationError) -> UnsafeRawPointer {
    let address = unsafe try symbol(name)
    if case .data(let size) = unsafe SymbolKind(of: name, at: address) {
      let bytes = size.map { " of \($0) bytes" } ?? ""
      throw InvocationError(.typeMismatch, "symbol '\(name)' of \(self) is a variable\(bytes), not a function")
    }
    return unsafe address
  }
}

/// The name of a function and its library.
///
/// The implementation owns this object, which keeps the library loaded.
package final class LibrarySymbol: Sendable {
  package let name: String
  package let library: DynamicLibrary

  init(_ name: String, _ library: DynamicLibrary) {
    self.name = name
    self.library = library
  }
}

extension Implementation {
  /// The symbol of a function from a ``DynamicLibrary``, or nil.
  var symbolName: String? { librarySymbol?.name }

  /// The symbol of a function from a ``DynamicLibrary`` with the library, or nil.
  package var librarySymbol: LibrarySymbol? { owner as? LibrarySymbol }
}

extension DynamicLibrary {
  /// Returns the address of a variable that is large enough for a value of a type.
  ///
  /// The address is valid only while the library is loaded. For a thread-local variable it is the calling thread's.
  ///
  /// - Parameters:
  ///   - name: The symbol.
  ///   - type: The type of the variable. Only its size can be checked, if the library's symbol table states one.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, `typeMismatch` when the symbol is a
  ///   function or the variable is smaller than the type, `unsupportedType` when the type has no size.
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

extension DynamicLibrary {
  /// Returns the size of a variable in bytes, or nil if the library's symbol table does not state it.
  ///
  /// A declaration such as `extern const char *const names[];` does not state how many elements there are.
  ///
  /// - Parameter name: The symbol.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, `typeMismatch` when the symbol is a function.
  /// - Complexity: That of ``symbol(_:)``, and O(symbols of the library).
  public func size(ofVariable name: String) throws(InvocationError) -> Int? {
    switch unsafe SymbolKind(of: name, at: try symbol(name)) {
    case .function: throw InvocationError(.typeMismatch, "symbol '\(name)' of \(self) is a function, not a variable")
    case .data(let size): return size
    case nil: return nil
    }
  }
}

/// The kind of a symbol, from the library's symbol table.
enum SymbolKind {
  case function
  /// A variable, with its size in bytes if the table states it.
  case data(size: Int?)

  /// Reads the symbol table of the library that defines the symbol.
  ///
  /// Nil when the table does not state a kind, as on platforms whose libraries are not ELF files.
  init?(of name: String, at address: UnsafeRawPointer) {
    var size = 0
    switch unsafe cffi_describe_symbol(name, address, &size) {
    case CFFI_SYMBOL_FUNCTION: self = .function
    case CFFI_SYMBOL_DATA: self = .data(size: size > 0 ? size : nil)
    default:
      // The table has the versions of a symbol under its name.
      guard let symbol = VersionedName(name)?.symbol, let kind = unsafe SymbolKind(of: symbol, at: address) else { return nil }
      self = kind
    }
  }
}
