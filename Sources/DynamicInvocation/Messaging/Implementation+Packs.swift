// Methods of five and more parameters, whose types are a parameter pack: one overload for each with and without a result. Those of fewer are in
// Generated/Implementation+Arity.swift and Generated/MethodTable+Arity.swift.

extension Implementation {
  /// Creates the implementation of a method of five or more parameters with a result; see the form without parameters.
  ///
  /// - Parameter body: The closure; its first parameter is the target.
  /// - Throws: `InvocationError` as the form without parameters does.
  /// - Complexity: Making one allocates. A call takes about ten nanoseconds per argument more than that of a method of four, and allocates nothing.
  @_alwaysEmitIntoClient
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Result
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    var mayThrow = Failure.self != Never.self || A.mayBeRefused || B.mayBeRefused || C.mayBeRefused || D.mayBeRefused || E.mayBeRefused
    for type in repeat (each Rest).self {
      types.append(type)
      mayThrow = mayThrow || type.mayBeRefused
    }
    try self.init(
      Target.self, types, returning: Result.self, mayThrow: mayThrow,
      reading: { (target: Target, reader: inout ArgumentReader) in
        reader.answer(
          try body(target, reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self)))
      })
  }

  /// Creates the implementation of a method of five or more parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    var mayThrow = Failure.self != Never.self || A.mayBeRefused || B.mayBeRefused || C.mayBeRefused || D.mayBeRefused || E.mayBeRefused
    for type in repeat (each Rest).self {
      types.append(type)
      mayThrow = mayThrow || type.mayBeRefused
    }
    try self.init(
      Target.self, types, returning: nil, mayThrow: mayThrow,
      reading: { (target: Target, reader: inout ArgumentReader) in
        try body(target, reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self))
      })
  }

  /// Creates the implementation of a method, given by its name, of five or more parameters with a result.
  @_alwaysEmitIntoClient
  init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    method body: @escaping @Sendable (Target) -> (A, B, C, D, E, repeat each Rest) throws(Failure) -> Result
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    var mayThrow = Failure.self != Never.self || A.mayBeRefused || B.mayBeRefused || C.mayBeRefused || D.mayBeRefused || E.mayBeRefused
    for type in repeat (each Rest).self {
      types.append(type)
      mayThrow = mayThrow || type.mayBeRefused
    }
    try self.init(
      Target.self, types, returning: Result.self, mayThrow: mayThrow,
      reading: { (target: Target, reader: inout ArgumentReader) in
        reader.answer(
          try body(target)(reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self)))
      })
  }

  /// Creates the implementation of a method, given by its name, of five or more parameters without a result.
  @_alwaysEmitIntoClient
  init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    method body: @escaping @Sendable (Target) -> (A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    var mayThrow = Failure.self != Never.self || A.mayBeRefused || B.mayBeRefused || C.mayBeRefused || D.mayBeRefused || E.mayBeRefused
    for type in repeat (each Rest).self {
      types.append(type)
      mayThrow = mayThrow || type.mayBeRefused
    }
    try self.init(
      Target.self, types, returning: nil, mayThrow: mayThrow,
      reading: { (target: Target, reader: inout ArgumentReader) in
        try body(target)(reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self))
      })
  }
}
