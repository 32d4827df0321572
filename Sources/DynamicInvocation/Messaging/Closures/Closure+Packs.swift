// Closures whose parameters are a pack: one overload for each with and without a result. The compiler prefers those of Generated/, of up to ten
// parameters, and up to four if they are lent.

extension Closure {
  /// Creates a closure of eleven or more parameters with a result; see the form without parameters.
  ///
  /// - Parameters:
  ///   - types: The return type and the argument types.
  ///   - body: The Swift closure.
  /// - Throws: `InvocationError` as the form without parameters does.
  /// - Complexity: A call allocates nothing, but retains the objects among its arguments, which one of up to ten parameters borrows.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue, Result: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, repeat each Rest) -> Result
  ) throws(InvocationError) {
    var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat parameters.append((each Rest).self)
    try self.init(
      types, parameters, returning: Result.self,
      reading: { (reader: inout ArgumentReader) in
        reader.answer(body(reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self)))
      })
  }

  /// Creates a closure of eleven or more parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, repeat each Rest) -> Void
  ) throws(InvocationError) {
    var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat parameters.append((each Rest).self)
    try self.init(
      types, parameters, returning: nil,
      reading: { (reader: inout ArgumentReader) in
        body(reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self))
      })
  }
}

/// Lends C a Swift closure of five or more parameters; see the form with two.
///
/// - Parameters:
///   - types: The return type and the argument types of the function that C calls.
///   - handler: What runs when C calls.
///   - body: What uses the code pointer.
/// - Returns: What the body returns.
/// - Throws: `InvocationError` as making a ``Closure`` does, and what the body throws.
/// - Complexity: As the form with two; a call retains the objects among its arguments, which one of up to four parameters borrows.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<
  A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue, Answer: EncodedValue, Result
>(
  types: String, _ handler: (A, B, C, D, E, repeat each Rest) -> Answer, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
  repeat parameters.append((each Rest).self)
  return try unsafe LentClosure.lend(
    types, parameters, returning: Answer.self,
    reading: { (reader: inout ArgumentReader) in
      reader.answer(
        handler(reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self)))
    }, body)
}

/// Lends C a Swift closure of five or more parameters without a result; see the form with two.
@_alwaysEmitIntoClient @_documentation(visibility: internal)
public func withClosure<
  A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue, Result
>(
  types: String, _ handler: (A, B, C, D, E, repeat each Rest) -> Void, _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
  repeat parameters.append((each Rest).self)
  return try unsafe LentClosure.lend(
    types, parameters, returning: nil,
    reading: { (reader: inout ArgumentReader) in
      handler(reader.next(), reader.next(), reader.next(), reader.next(), reader.next(), repeat reader.next((each Rest).self))
    }, body)
}
