// Written by make generate from Scripts/Templates/DynamicInvocation/Implementation+Arity.swift.template.

// One overload for each number of parameters up to eight, and a pack for more, as for ``Closure``. A table makes methods that are given by their
// names, of five parameters and more, of a pack.

extension Implementation {
  /// Creates the implementation of a method from a Swift closure whose first parameter is the target.
  ///
  ///     let implementation = try Implementation { (controller: Controller, tag: Int, frame: Geometry.Rect) -> Bool in
  ///       controller.tapped(tag, frame)
  ///     }
  ///
  /// The types of the parameters and the result make the signature: `B@:q{Rect={Point=dd}{Size=dd}}`. Objects are of classes that are
  /// ``EncodedObject``, or an `Unmanaged`, which is handed over as it is: return one made with `passRetained`. A pointer or object that may be
  /// null is an optional.
  ///
  /// The closure may throw: its error comes out of ``Invocation/invoke()``. So does an `InvocationError` for an argument that is null and
  /// no optional, or an object of another class than the parameter's. Called as a plain C function, by C or as a ``ForeignFunction``, a method
  /// cannot give its error to anyone and traps when it throws one, except in a batch. An asynchronous closure does not compile.
  ///
  /// The code trusts the class of the target: a ``MethodTable`` takes it only for that class and its subclasses.
  ///
  /// - Parameter body: The closure; the method of a class comes as one that calls it.
  /// - Throws: `InvocationError` `typeMismatch` for a result that is a `String`, whose copy nobody would free, or a type whose declared
  ///   encoding is not Swift's layout; `unsupportedType` where closures cannot be made; `limitExceeded` when the system gives no more memory.
  /// - Complexity: Making one allocates. A call allocates nothing.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self
    try self.init(Target.self, [], returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) {
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of no parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, Failure: Error
  >(
    _ body: @escaping @Sendable (Target) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self
    try self.init(Target.self, [], returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) {
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target)
        }
      }
    }
  }

  /// Creates the implementation of a method of one parameter with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self || A.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self], returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of one parameter without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self || A.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self], returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a)
        }
      }
    }
  }

  /// Creates the implementation of a method of two parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self], returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a, b), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of two parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self], returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a, b)
        }
      }
    }
  }

  /// Creates the implementation of a method of three parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self], returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a, b, c), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of three parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow = Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self], returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a, b, c)
        }
      }
    }
  }

  /// Creates the implementation of a method of four parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self], returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a, b, c, d), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of four parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self], returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a, b, c, d)
        }
      }
    }
  }

  /// Creates the implementation of a method of five parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Result: EncodedValue,
    Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self, E.self], returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a, b, c, d, e), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of five parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self, E.self], returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a, b, c, d, e)
        }
      }
    }
  }

  /// Creates the implementation of a method of six parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, F) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused || F.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self, E.self, F.self], returning: Result.self, mayThrow: mayThrow) {
      frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e, f in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a, b, c, d, e, f), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of six parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused || F.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self, E.self, F.self], returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e, f in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a, b, c, d, e, f)
        }
      }
    }
  }

  /// Creates the implementation of a method of seven parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, F, G) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused || F.valueTraits.mayBeRefused || G.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self], returning: Result.self, mayThrow: mayThrow) {
      frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e, f, g in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a, b, c, d, e, f, g), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of seven parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused || F.valueTraits.mayBeRefused || G.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self], returning: nil, mayThrow: mayThrow) {
      frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e, f, g in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a, b, c, d, e, f, g)
        }
      }
    }
  }

  /// Creates the implementation of a method of eight parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, H: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, F, G, H) throws(Failure) -> Result
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused || F.valueTraits.mayBeRefused || G.valueTraits.mayBeRefused
      || H.valueTraits.mayBeRefused
    try self.init(
      Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self], returning: Result.self, mayThrow: mayThrow
    ) { frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e, f, g, h in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(try body(target, a, b, c, d, e, f, g, h), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of eight parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, H: EncodedValue, Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(InvocationError) {
    let mayThrow =
      Failure.self != Never.self || A.valueTraits.mayBeRefused || B.valueTraits.mayBeRefused || C.valueTraits.mayBeRefused
      || D.valueTraits.mayBeRefused || E.valueTraits.mayBeRefused || F.valueTraits.mayBeRefused || G.valueTraits.mayBeRefused
      || H.valueTraits.mayBeRefused
    try self.init(Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self], returning: nil, mayThrow: mayThrow) {
      frame, closure in
      closure.run(frame, from: 2, mayThrow: mayThrow) { a, b, c, d, e, f, g, h in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target, a, b, c, d, e, f, g, h)
        }
      }
    }
  }

  /// Creates the implementation of a method of nine or more parameters with a result; see the form without parameters.
  ///
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
    let mayThrow = Failure.self != Never.self || types.contains { $0.valueTraits.mayBeRefused }
    try self.init(Target.self, types, returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.runChecked(frame, from: 2, mayThrow: mayThrow) { index in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(
            try body(
              target, closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index),
              closure.next(C.self, of: frame, &index), closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
              repeat closure.next((each Rest).self, of: frame, &index)), to: frame)
        }
      }
    }
  }

  /// Creates the implementation of a method of nine or more parameters without a result; see the form without parameters.
  ///
  /// - Complexity: Making one allocates. A call allocates nothing, but retains the objects among its arguments, which one of up to eight
  ///   parameters borrows.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public init<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = [A.self, B.self, C.self, D.self, E.self]
    repeat types.append((each Rest).self)
    let mayThrow = Failure.self != Never.self || types.contains { $0.valueTraits.mayBeRefused }
    try self.init(Target.self, types, returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.runChecked(frame, from: 2, mayThrow: mayThrow) { index in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(
            target, closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index),
            closure.next(C.self, of: frame, &index), closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
            repeat closure.next((each Rest).self, of: frame, &index))
        }
      }
    }
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
    let mayThrow = Failure.self != Never.self || types.contains { $0.valueTraits.mayBeRefused }
    try self.init(Target.self, types, returning: Result.self, mayThrow: mayThrow) { frame, closure in
      closure.runChecked(frame, from: 2, mayThrow: mayThrow) { index in
        try closure.withTarget(of: frame) { (target: Target) in
          closure.answer(
            try body(target)(
              closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index), closure.next(C.self, of: frame, &index),
              closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
              repeat closure.next((each Rest).self, of: frame, &index)), to: frame)
        }
      }
    }
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
    let mayThrow = Failure.self != Never.self || types.contains { $0.valueTraits.mayBeRefused }
    try self.init(Target.self, types, returning: nil, mayThrow: mayThrow) { frame, closure in
      closure.runChecked(frame, from: 2, mayThrow: mayThrow) { index in
        try closure.withTarget(of: frame) { (target: Target) in
          try body(target)(
            closure.next(A.self, of: frame, &index), closure.next(B.self, of: frame, &index), closure.next(C.self, of: frame, &index),
            closure.next(D.self, of: frame, &index), closure.next(E.self, of: frame, &index),
            repeat closure.next((each Rest).self, of: frame, &index))
        }
      }
    }
  }
}
