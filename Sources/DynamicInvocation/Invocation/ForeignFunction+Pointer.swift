extension ForeignFunction {
  /// Returns the code as a C function pointer, which is called at the cost of a call in C.
  ///
  ///     typealias Pow = @convention(c) (Double, Double) -> Double
  ///     let pow = try libm.function("pow", types: "ddd").pointer(as: Pow.self)
  ///     pow(2, 10)
  ///
  /// The types of the function pointer are compared with the signature once, here: each parameter and the result must
  /// be the type that a typed call accepts for the argument. Calls through the pointer check nothing: null is passed
  /// as null, and errors of a Swift implementation cannot be thrown.
  ///
  /// The pointer is valid as long as the code is loaded: keep a copy of the function, which keeps its library or closure
  /// alive, while the pointer is in use.
  ///
  /// - Parameter type: A type of the form `(@convention(c) (A, B) -> Result).self`.
  /// - Returns: The code.
  /// - Throws: `InvocationError` `typeMismatch` for a type that is not a C function type, and for a parameter or a
  ///   result of another type, with its index; `countMismatch` for another number of parameters; `unsupportedType` for a
  ///   variadic function, whose calls Swift cannot express, and for a method that may throw.
  /// - Complexity: O(*n*), where *n* is the number of parameters. Allocates a list of their types.
  @unsafe
  public func pointer<Function>(as type: Function.Type) throws(InvocationError) -> Function {
    guard let wanted = CFunctionType(type) else {
      throw named(InvocationError(.typeMismatch, "\(type) is not a C function type: write @convention(c)"))
    }
    if let fixed = methodSignature.fixedArgumentCount {
      throw named(InvocationError(.unsupportedType, "Swift has no type for a variadic C function; \(fixed) arguments are fixed"))
    }
    if implementation.mayThrow { throw named(InvocationError(.unsupportedType, "a C function pointer cannot throw the method's errors")) }
    guard wanted.parameters.count == methodSignature.numberOfArguments else { throw countMismatch(wanted.parameters.count) }
    for (index, type) in (wanted.parameters + [wanted.result]).enumerated() where !takes(type, at: index) {
      throw named(methodSignature.mismatch(type, index < wanted.parameters.count ? .index(index) : .result))
    }
    return unsafe unsafeBitCast(implementation.pointer, to: type)
  }

  /// Returns whether a Swift type is that of an argument, or of the result if the index is the number of arguments.
  private func takes(_ type: Any.Type, at index: Int) -> Bool {
    let encoding = index < methodSignature.numberOfArguments ? methodSignature.types.arguments[index] : methodSignature.returnType
    // A typed call makes a Bool of any byte of a `c`; through the pointer, only C's own bool is one.
    if type == Bool.self { return encoding.valueKind == Bool.valueKind }
    if let value = type as? any EncodedValue.Type {
      return TypeEncoding.isPassedAsBytes(value) && methodSignature.takes(value, at: index)
    }
    if case .void = encoding.kind { return type == Void.self }
    // `^?`, a pointer to a function.
    if case .pointer(let pointee) = encoding.kind, case .unknown = pointee.kind { return CFunctionType(pointer: type) != nil }
    return false
  }
}

/// The parameters and the result of a C function type, read from its metadata.
///
/// The layout of the metadata is part of Swift's ABI.
private struct CFunctionType {
  let parameters: [Any.Type]
  let result: Any.Type

  /// Returns nil if the type is neither a C function type nor an optional one.
  init?(pointer type: Any.Type) { self.init((type as? any OptionalType.Type)?.wrappedType ?? type) }

  /// Returns nil if the type is not that of a C function.
  init?(_ type: Any.Type) {
    // A metatype is the address of the metadata: the kind, the flags, the result, the parameters.
    guard let words = unsafe UnsafePointer<UInt>(bitPattern: unsafeBitCast(type, to: UInt.self)), unsafe words[0] == 0x302 else {
      return nil
    }
    let flags = unsafe words[1]
    // The number of parameters is in bits 0 to 15, the convention in bits 16 to 23: 3 for C.
    guard flags >> 16 & 0xFF == 3 else { return nil }
    result = unsafe unsafeBitCast(words[2], to: Any.Type.self)
    parameters = (0..<Int(flags & 0xFFFF)).map { unsafe unsafeBitCast(words[3 + $0], to: Any.Type.self) }
  }
}
