public import DynamicInvocation
public import TypeEncodings

/// The lookup of C functions for the code that the macros cFunction and cFunctions generate.
public enum _DeclaredFunction {
  /// Returns a function of a library as a pointer to a C function.
  ///
  /// The library stays loaded until the process ends.
  ///
  /// - Parameters:
  ///   - symbol: The name of the function in the symbol table of the library.
  ///   - library: The name or the path of the library.
  ///   - type: The type of a C function, `@convention(c)`, which must match the code.
  /// - Throws: `InvocationError` `libraryNotFound`, `symbolNotFound`, and `typeMismatch` when the symbol is a variable.
  /// - Complexity: As opening the library and of looking up the symbol; allocates.
  @unsafe
  public static func pointer<Pointer>(to symbol: String, in library: String, as type: Pointer.Type) throws(InvocationError) -> Pointer {
    try unsafe pointer(to: symbol, in: DynamicLibrary(library), as: type)
  }

  /// Returns a function of an open library, or of the process, as a pointer to a C function.
  ///
  /// The library stays loaded until the process ends.
  ///
  /// - Parameters:
  ///   - symbol: The name of the function in the symbol table of the library.
  ///   - library: The library.
  ///   - type: The type of a C function, `@convention(c)`, which must match the code.
  /// - Throws: `InvocationError` `symbolNotFound`, and `typeMismatch` when the symbol is a variable.
  /// - Complexity: As looking up the symbol.
  @unsafe
  public static func pointer<Pointer>(
    to symbol: String, in library: DynamicLibrary, as type: Pointer.Type
  ) throws(InvocationError) -> Pointer {
    let address = try unsafe library.code(symbol)
    // The pointer keeps nothing alive.
    _ = unsafe Unmanaged.passRetained(library)
    return unsafe unsafeBitCast(address, to: type)
  }
}
