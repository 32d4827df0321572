// One overload for each number of parameters up to eight. A method named without its object is a function of the object that returns a function.

extension MethodTable {
  /// Adds a method of the class itself, given by its name; its parameters are the message's.
  ///
  ///     try MethodTable.of(Controller.self).add("tapped(_:tag:)", Controller.tapped)
  ///
  /// The method is called as if by its target: an object of a subclass that overrides it runs its own.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - body: The method, of the types that an ``Implementation`` can be made of. It may throw.
  /// - Throws: ``InvocationError`` as the form with a closure does.
  /// - Complexity: Swift makes a function of the target for each call, which allocates once; the form with a closure that calls the method
  ///   allocates nothing.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> () throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(Target.self, [], returning: Result.self, isThrowing: Failure.self != Never.self) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(try body(target)(), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of no parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> () throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(Target.self, [], returning: nil, isThrowing: Failure.self != Never.self) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)()
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of one parameter with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(Target.self, [A.self], returning: Result.self, isThrowing: Failure.self != Never.self) {
      mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(try body(target)(closure.methodArgument(2, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of one parameter without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(Target.self, [A.self], returning: nil, isThrowing: Failure.self != Never.self) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(closure.methodArgument(2, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of two parameters with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(Target.self, [A.self, B.self], returning: Result.self, isThrowing: Failure.self != Never.self) {
      mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(try body(target)(closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of two parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(Target.self, [A.self, B.self], returning: nil, isThrowing: Failure.self != Never.self) {
      mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of three parameters with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self], returning: Result.self, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(
            try body(target)(
              closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of three parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(Target.self, [A.self, B.self, C.self], returning: nil, isThrowing: Failure.self != Never.self) {
      mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of four parameters with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self], returning: Result.self, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(
            try body(target)(
              closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
              closure.methodArgument(5, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of four parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self], returning: nil, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(
            closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
            closure.methodArgument(5, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of five parameters with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Result: EncodedValue,
    Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self], returning: Result.self, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(
            try body(target)(
              closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
              closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of five parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self], returning: nil, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(
            closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
            closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of six parameters with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, F) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self, F.self], returning: Result.self, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(
            try body(target)(
              closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
              closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame), closure.methodArgument(7, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of six parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self, F.self], returning: nil, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(
            closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
            closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame), closure.methodArgument(7, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of seven parameters with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, F, G) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self], returning: Result.self, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(
            try body(target)(
              closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
              closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame), closure.methodArgument(7, of: frame),
              closure.methodArgument(8, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of seven parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self], returning: nil, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(
            closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
            closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame), closure.methodArgument(7, of: frame),
            closure.methodArgument(8, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of eight parameters with a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, H: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, F, G, H) throws(Failure) -> Result
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self], returning: Result.self,
      isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          closure.answer(
            try body(target)(
              closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
              closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame), closure.methodArgument(7, of: frame),
              closure.methodArgument(8, of: frame), closure.methodArgument(9, of: frame)), to: frame)
        }
      }
    }
    try add(selector, implementation)
  }

  /// Adds a method of the class itself, of eight parameters without a result; see the form without parameters.
  @inlinable @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue,
    G: EncodedValue, H: EncodedValue, Failure: Error
  >(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(InvocationError) {
    let implementation = try Implementation(
      Target.self, [A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self], returning: nil, isThrowing: Failure.self != Never.self
    ) { mayThrow in
      { frame, closure in
        closure.runMethod(frame, mayThrow) { (target: Target) in
          try body(target)(
            closure.methodArgument(2, of: frame), closure.methodArgument(3, of: frame), closure.methodArgument(4, of: frame),
            closure.methodArgument(5, of: frame), closure.methodArgument(6, of: frame), closure.methodArgument(7, of: frame),
            closure.methodArgument(8, of: frame), closure.methodArgument(9, of: frame))
        }
      }
    }
    try add(selector, implementation)
  }
}
