// Written by make generate from Scripts/Templates/DynamicInvocation/ForeignFunction+Arity.swift.template.

// One overload for each number of arguments up to ten, which the optimizer sees through: a parameter pack costs about ten nanoseconds an argument
// more, 65 against 14 for two integers and a target.

extension ForeignFunction {
  /// Calls the function with no arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<Result: EncodedValue>(
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(0, returning: type) { _ in }
  }

  /// Calls the function with no arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction() throws(InvocationError) {
    try call(0) { _ in }
  }

  /// Calls the function with one argument and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, Result: EncodedValue>(
    _ a: A, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(1, returning: type) { $0.write(a) }
  }

  /// Calls the function with one argument and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue>(
    _ a: A
  ) throws(InvocationError) {
    try call(1) { $0.write(a) }
  }

  /// Calls the function with two arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(2, returning: type) {
      $0.write(a); $0.write(b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue>(
    _ a: A, _ b: B
  ) throws(InvocationError) {
    try call(2) {
      $0.write(a); $0.write(b)
    }
  }

  /// Calls the function with three arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(3, returning: type) {
      $0.write(a); $0.write(b); $0.write(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue>(
    _ a: A, _ b: B, _ c: C
  ) throws(InvocationError) {
    try call(3) {
      $0.write(a); $0.write(b); $0.write(c)
    }
  }

  /// Calls the function with four arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(4, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) throws(InvocationError) {
    try call(4) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d)
    }
  }

  /// Calls the function with five arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, Result: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(5, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) throws(InvocationError) {
    try call(5) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e)
    }
  }

  /// Calls the function with six arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(6, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f)
    }
  }

  /// Calls the function with six arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) throws(InvocationError) {
    try call(6) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f)
    }
  }

  /// Calls the function with seven arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue,
    Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(7, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g)
    }
  }

  /// Calls the function with seven arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) throws(InvocationError) {
    try call(7) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g)
    }
  }

  /// Calls the function with eight arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(8, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h)
    }
  }

  /// Calls the function with eight arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) throws(InvocationError) {
    try call(8) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h)
    }
  }

  /// Calls the function with nine arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(9, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i)
    }
  }

  /// Calls the function with nine arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
  ) throws(InvocationError) {
    try call(9) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i)
    }
  }

  /// Calls the function with ten arguments and returns its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue, Result: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try call(10, returning: type) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i); $0.write(j)
    }
  }

  /// Calls the function with ten arguments and drops its result; see the form with any number.
  @inlinable
  public func callAsFunction<
    A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, F: EncodedValue, G: EncodedValue, H: EncodedValue,
    I: EncodedValue, J: EncodedValue
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J
  ) throws(InvocationError) {
    try call(10) {
      $0.write(a); $0.write(b); $0.write(c); $0.write(d); $0.write(e); $0.write(f); $0.write(g); $0.write(h); $0.write(i); $0.write(j)
    }
  }
}
