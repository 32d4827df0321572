// Written by make generate from Scripts/Templates/DynamicInvocation/Closure+Arity.swift.template.

// One overload for each number of parameters up to ten, and a pack for more: that takes several times the instructions, as its objects are
// retained and its arguments are checked one by one.

extension Closure {
  /// Creates a closure of no parameters with a result.
  ///
  /// The parameters and the result are of the types that the encoding says: `Int32` for `i`, `Double` for `d`, a struct of the same layout
  /// for a struct. A pointer that may be null is an optional: a null for a type that has none traps. An object is an `Unmanaged`, handed
  /// over as it is: return one made with `passRetained`, as the caller releases it.
  ///
  /// - Parameters:
  ///   - types: The return type and the argument types: `i^v^v` for the comparison of `qsort`.
  ///   - body: The Swift closure.
  /// - Throws: `InvocationError`: `countMismatch` and `typeMismatch` when the parameters or the result differ from the signature,
  ///   `unsupportedType` where closures cannot be made, `limitExceeded` when the system gives no more memory, and what
  ///   ``MethodSignature/init(types:dialect:fixedArgumentCount:backend:)`` throws.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<Result: EncodedValue>(
    types: String, _ body: @escaping @Sendable () -> Result
  ) throws(InvocationError) {
    try self.init(types, [], returning: Result.self) { $1.answer(body(), to: $0) }
  }

  /// Creates a closure of no parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init(
    types: String, _ body: @escaping @Sendable () -> Void
  ) throws(InvocationError) {
    try self.init(types, []) { _, _ in body() }
  }

  /// Creates a closure of one parameter with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, Result: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0), to: frame) }
    }
  }

  /// Creates a closure of one parameter without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0) }
    }
  }

  /// Creates a closure of two parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, Result: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1), to: frame) }
    }
  }

  /// Creates a closure of two parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1) }
    }
  }

  /// Creates a closure of three parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2), to: frame) }
    }
  }

  /// Creates a closure of three parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2) }
    }
  }

  /// Creates a closure of four parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C, D) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2, $3), to: frame) }
    }
  }

  /// Creates a closure of four parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C, D) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2, $3) }
    }
  }

  /// Creates a closure of five parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Result: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2, $3, $4), to: frame) }
    }
  }

  /// Creates a closure of five parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2, $3, $4) }
    }
  }

  /// Creates a closure of six parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, Result: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2, $3, $4, $5), to: frame) }
    }
  }

  /// Creates a closure of six parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2, $3, $4, $5) }
    }
  }

  /// Creates a closure of seven parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue,
    Result: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2, $3, $4, $5, $6), to: frame) }
    }
  }

  /// Creates a closure of seven parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2, $3, $4, $5, $6) }
    }
  }

  /// Creates a closure of eight parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    Result: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self], returning: Result.self) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2, $3, $4, $5, $6, $7), to: frame) }
    }
  }

  /// Creates a closure of eight parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2, $3, $4, $5, $6, $7) }
    }
  }

  /// Creates a closure of nine parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, Result: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self, I.self], returning: Result.self) {
      frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2, $3, $4, $5, $6, $7, $8), to: frame) }
    }
  }

  /// Creates a closure of nine parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self, I.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2, $3, $4, $5, $6, $7, $8) }
    }
  }

  /// Creates a closure of ten parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue, Result: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J) -> Result
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self, I.self, J.self], returning: Result.self) {
      frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { closure.answer(body($0, $1, $2, $3, $4, $5, $6, $7, $8, $9), to: frame) }
    }
  }

  /// Creates a closure of ten parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J) -> Void
  ) throws(InvocationError) {
    try self.init(types, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self, I.self, J.self]) { frame, closure in
      closure.run(frame, from: 0, mayThrow: false) { body($0, $1, $2, $3, $4, $5, $6, $7, $8, $9) }
    }
  }

  /// Creates a closure of eleven or more parameters with a result; see the form without parameters.
  ///
  /// - Complexity: A call allocates nothing, but retains the objects among its arguments, which one of up to ten parameters borrows.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public convenience init<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue, Result: EncodedValue
  >(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, repeat each Rest) -> Result
  ) throws(InvocationError) {
    var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat parameters.append((each Rest).self)
    try self.init(types, parameters, returning: Result.self) { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        closure.answer(
          body(
            closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index), closure.next(C.self, of: frame, &index),
            closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
            repeat closure.next((each Rest).self, of: frame, &index)), to: frame)
      }
    }
  }

  /// Creates a closure of eleven or more parameters without a result; see the form without parameters.
  ///
  /// - Complexity: A call allocates nothing, but retains the objects among its arguments, which one of up to ten parameters borrows.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public convenience init<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue>(
    types: String, _ body: @escaping @Sendable (A, B, C, D, E, repeat each Rest) -> Void
  ) throws(InvocationError) {
    var parameters: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat parameters.append((each Rest).self)
    try self.init(types, parameters) { frame, closure in
      closure.runChecked(frame, from: 0, mayThrow: false) { index in
        body(
          closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index), closure.next(C.self, of: frame, &index),
          closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
          repeat closure.next((each Rest).self, of: frame, &index))
      }
    }
  }
}
