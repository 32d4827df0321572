// Written by make generate from Scripts/Templates/DynamicInvocation/ForeignFunction+Places.swift.template.

// Swift takes `&variable` for a parameter only that is a pointer, and `nil` only for one of a type that is known. So there is an overload for each
// choice of the arguments that are pointers to variables; the others are whatever can be an argument. They leave nothing in a program that does
// not call them.

extension ForeignFunction {
  /// Calls the function with one argument; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(1, returning: type) { unsafe $0.write(place: a) }
  }

  /// Calls the function with one argument and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>
  ) throws(InvocationError) {
    try callWithPlaces(1) { unsafe $0.write(place: a) }
  }

  /// Calls the function with two arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(2, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>
  ) throws(InvocationError) {
    try callWithPlaces(2) {
      $0.writeAny(a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with two arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(2, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(2) {
      unsafe $0.write(place: a); $0.writeAny(b)
    }
  }

  /// Calls the function with two arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(2, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>
  ) throws(InvocationError) {
    try callWithPlaces(2) {
      unsafe $0.write(place: a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) {
    try callWithPlaces(3) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(3) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) {
    try callWithPlaces(3) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(3) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) {
    try callWithPlaces(3) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(3) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) {
    try callWithPlaces(3) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) {
    try callWithPlaces(4) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: UnsafeMutablePointer<E>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>, _ e: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>, _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?, _ e: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?, _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: (any CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: (any CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: (any CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?, _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any CallArgument)?,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, Result: EncodedValue>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: (any CallArgument)?
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<
    A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable, Result: EncodedValue
  >(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A: BitwiseCopyable, B: BitwiseCopyable, C: BitwiseCopyable, D: BitwiseCopyable, E: BitwiseCopyable>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) {
    try callWithPlaces(5) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c); unsafe $0.write(place: d); unsafe $0.write(place: e)
    }
  }
}
