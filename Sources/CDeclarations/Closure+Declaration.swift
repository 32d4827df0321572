public import DeclarationReading
public import TypeEncodings

// The Swift closure has a parameter pack, so that two overloads serve any number of parameters.

extension Closure {
  /// Creates a closure with the types of a declaration, and compares the types of a Swift closure with them.
  ///
  ///     let closure = try Closure(declaration: "int (*)(const void *, const void *)") { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in
  ///       a.load(as: Int32.self) - b.load(as: Int32.self)
  ///     }
  ///
  /// The parameters and the result are as for a closure of an encoding.
  ///
  /// - Parameters:
  ///   - declaration: A declaration as for ``MethodSignature/init(declaration:in:variadic:backend:)``, such as
  ///     `sqlite3_callback`.
  ///   - declarations: The types that the declaration may use.
  ///   - body: The Swift closure.
  /// - Throws: `InvocationError` as ``MethodSignature/init(declaration:in:variadic:backend:)`` does; `countMismatch` and
  ///   `typeMismatch` when the parameters or the result differ from the declaration's; `unsupportedType` and
  ///   `limitExceeded` as for a closure with a handler.
  /// - Complexity: A call allocates nothing.
  @_alwaysEmitIntoClient
  public convenience init<each Parameter: EncodedValue, Result: EncodedValue>(
    declaration: String, in declarations: CDeclarations? = nil, _ body: @escaping @Sendable (repeat each Parameter) -> Result
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = []
    repeat types.append((each Parameter).self)
    try self.init(declaration, in: declarations, types, returning: Result.self) { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        closure.answer(body(repeat closure.next((each Parameter).self, of: frame, &index)), to: frame)
      }
    }
  }

  /// Creates a closure without a result, with the types of a declaration; see the form with a result.
  @_alwaysEmitIntoClient
  public convenience init<each Parameter: EncodedValue>(
    declaration: String, in declarations: CDeclarations? = nil, _ body: @escaping @Sendable (repeat each Parameter) -> Void
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = []
    repeat types.append((each Parameter).self)
    try self.init(declaration, in: declarations, types, returning: nil) { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        body(repeat closure.next((each Parameter).self, of: frame, &index))
      }
    }
  }

  /// Creates a closure from the types of a declaration and of a Swift closure.
  @usableFromInline
  convenience init(
    _ declaration: String, in declarations: CDeclarations?, _ parameters: [any EncodedValue.Type],
    returning returnType: (any EncodedValue.Type)?, _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    try self.init(MethodSignature(declaration: declaration, in: declarations), parameters, returning: returnType, run)
  }
}

/// Lends C a Swift closure with the types of a declaration, for the time of a body.
///
///     try withClosure(
///       declaration: "int (*)(const void *, const void *)",
///       { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in a.load(as: Int32.self) - b.load(as: Int32.self) }
///     ) { ascending in
///       try qsort(&numbers, numbers.count, 4, ascending)
///     }
///
/// The rules are the same as for `withClosure(types:_:_:)`.
///
/// - Parameters:
///   - declaration: A declaration as for `MethodSignature.init(declaration:in:variadic:backend:)`, such as
///     `sqlite3_callback`.
///   - declarations: The types that the declaration may use.
///   - handler: What runs when C calls.
///   - body: What uses the code pointer.
/// - Returns: What the body returns.
/// - Throws: `InvocationError` as creating a `Closure` does, and what the body throws.
/// - Complexity: Lending one takes a lock and allocates; a call allocates nothing.
@_alwaysEmitIntoClient
public func withClosure<each Parameter: EncodedValue, Answer: EncodedValue, Result>(
  declaration: String, in declarations: CDeclarations? = nil, _ handler: (repeat each Parameter) -> Answer,
  _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  var types: [any EncodedValue.Type] = []
  repeat types.append((each Parameter).self)
  return try unsafe LentClosure.lend(
    MethodSignature(declaration: declaration, in: declarations), types, returning: Answer.self,
    { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        closure.answer(handler(repeat closure.next((each Parameter).self, of: frame, &index)), to: frame)
      }
    }, body)
}

/// Lends C a Swift closure without a result, with the types of a declaration; see the form with a result.
@_alwaysEmitIntoClient
public func withClosure<each Parameter: EncodedValue, Result>(
  declaration: String, in declarations: CDeclarations? = nil, _ handler: (repeat each Parameter) -> Void,
  _ body: (UnsafeRawPointer) throws -> Result
) throws -> Result {
  var types: [any EncodedValue.Type] = []
  repeat types.append((each Parameter).self)
  return try unsafe LentClosure.lend(
    MethodSignature(declaration: declaration, in: declarations), types, returning: nil,
    { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        handler(repeat closure.next((each Parameter).self, of: frame, &index))
      }
    }, body)
}
