// Methods whose parameters are a pack: one overload for each with and without a result. The compiler prefers those of Generated/, of up to eight
// parameters; a table makes those of five and more here.

extension Implementation {
  /// Creates the implementation of a method of nine or more parameters with a result; see the form without parameters.
  ///
  /// - Parameter body: The closure; its first parameter is the target.
  /// - Throws: `InvocationError` as the form without parameters does.
  /// - Complexity: Making one allocates. A call allocates nothing, but retains the objects among its arguments, which one of up to eight
  ///   parameters borrows.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Result
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat types.append((each Rest).self)
    try self.init(
      Target.self, types, returning: Result.self, throwing: Failure.self != Never.self,
      reading: { (target: Target, reader: inout ArgumentReader) in
        reader.answer(
          try body(target, reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self)))
      })
  }

  /// Creates the implementation of a method of nine or more parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat types.append((each Rest).self)
    try self.init(
      Target.self, types, returning: nil, throwing: Failure.self != Never.self,
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
    repeat types.append((each Rest).self)
    try self.init(
      Target.self, types, returning: Result.self, throwing: Failure.self != Never.self,
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
    repeat types.append((each Rest).self)
    try self.init(
      Target.self, types, returning: nil, throwing: Failure.self != Never.self,
      reading: { (target: Target, reader: inout ArgumentReader) in
        try body(target)(reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self))
      })
  }
}
