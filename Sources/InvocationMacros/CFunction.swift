#if Macros
  /// Returns a C function of a library as a Swift function with the types of its C declaration.
  ///
  ///     let pow: (Double, Double) -> Double = try #cFunction("double pow(double, double)", in: "libm.so.6")
  ///     pow(2, 10)  // 1024.0
  ///
  /// The macro reads the declaration when the program is compiled. An error in the declaration is a compiler error at its
  /// column, and so is a use of the expression as a type that differs from the declaration's. No compiler for C is needed. A call
  /// is a direct C call, which neither allocates nor throws.
  ///
  /// The types are those with which Swift imports C functions. A pointer is optional. A pointer to an incomplete struct
  /// is an `OpaquePointer`, and a pointer to a complete struct is raw. An enum has its integer type, and `size_t` is `UInt`.
  /// Structs, unions, complex numbers, vectors, `__int128` and `_Float16` by value and variadic functions are errors:
  /// `DynamicLibrary.function(_:variadic:)` of `CDeclarations` calls them.
  ///
  /// The declaration must match the code of the library. This cannot be checked, and a call with wrong types is
  /// undefined behavior.
  ///
  /// - Parameters:
  ///   - declaration: A string literal with one declaration of a function, with or without `;`. Declarations of types
  ///     may precede it.
  ///   - library: The name of the library, as `DynamicLibrary.init(_:)` finds it. The library stays loaded until the
  ///     process ends.
  /// - Returns: The function, of the type that the context states.
  /// - Throws: `InvocationError` `libraryNotFound` or `symbolNotFound`.
  /// - Complexity: As opening the library and of looking up the symbol, each time the expression is evaluated.
  @freestanding(expression)
  public macro cFunction<Function>(_ declaration: StaticString, in library: String) -> Function =
    #externalMacro(module: "InvocationMacrosPlugin", type: "CFunctionMacro")

  /// Returns a C function of an open library, or of the process, as a Swift function with the types of its C declaration.
  ///
  ///     let getpid: () -> Int32 = try #cFunction("int getpid(void)", in: .process)
  ///
  /// The rest is as for a library's name.
  ///
  /// - Parameters:
  ///   - declaration: A string literal with one declaration of a function.
  ///   - library: The library, which stays loaded until the process ends.
  @freestanding(expression)
  public macro cFunction<Function>(_ declaration: StaticString, in library: DynamicLibrary) -> Function =
    #externalMacro(module: "InvocationMacrosPlugin", type: "CFunctionMacro")

  /// Declares a static method for each function of C declarations.
  ///
  ///     enum Math {
  ///       #cFunctions("""
  ///         double pow(double base, double exponent);
  ///         double frexp(double, int *exponent);
  ///         """, in: "libm.so.6")
  ///     }
  ///     try Math.pow(2, 10)  // 1024.0
  ///
  /// The methods have the names of the functions, no argument labels, and the types that `#cFunction` states. A method
  /// throws `InvocationError` if the library or the symbol is not found. Both are looked up by the first call of each
  /// method, and later calls are direct C calls.
  ///
  /// The macro is used in a type or an extension that is not generic: Swift has no macros that declare names of their
  /// own choice outside of types.
  ///
  /// - Parameters:
  ///   - declarations: A string literal with declarations of functions, and of the types that they use.
  ///   - library: The name of the library. It stays loaded until the process ends.
  @freestanding(declaration, names: arbitrary)
  public macro cFunctions(_ declarations: StaticString, in library: String) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "CFunctionsMacro")

  /// Declares a static method for each function of C declarations, in an open library or in the process.
  ///
  /// The rest is as for a library's name.
  ///
  /// - Parameters:
  ///   - declarations: A string literal with declarations of functions, and of the types that they use.
  ///   - library: The library, which stays loaded until the process ends.
  @freestanding(declaration, names: arbitrary)
  public macro cFunctions(_ declarations: StaticString, in library: DynamicLibrary) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "CFunctionsMacro")
#endif
