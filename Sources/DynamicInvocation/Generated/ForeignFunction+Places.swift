// Written by make generate from Scripts/Templates/DynamicInvocation/ForeignFunction+Places.swift.template.

// Swift takes `&variable` for a parameter only that is a pointer, and `nil` only for one of a type that is known. So there is an overload for each
// choice of the arguments that are pointers to variables: up to three of three arguments, two of four and one of five. The others are whatever can
// be an argument. The overloads leave nothing in a program that does
// not call them. A variable of any type is accepted, since no protocol has both `EncodedBytes` and the bitwise copyable types, which a struct of
// C with bit-fields does not conform to: the call refuses any other.

extension ForeignFunction {
  /// Calls the function with one argument; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(1, returning: type) { unsafe $0.write(place: a) }
  }

  /// Calls the function with one argument and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A>(
    _ a: UnsafeMutablePointer<A>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(1, returning: NoResult.self) { unsafe $0.write(place: a) }
  }

  /// Calls the function with two arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(2, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(2, returning: NoResult.self) {
      $0.writeAny(a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with two arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(2, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(2, returning: NoResult.self) {
      unsafe $0.write(place: a); $0.writeAny(b)
    }
  }

  /// Calls the function with two arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(2, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with two arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(2, returning: NoResult.self) {
      unsafe $0.write(place: a); unsafe $0.write(place: b)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, C, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, C>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, C, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, C>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c)
    }
  }

  /// Calls the function with three arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B, C, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(3, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with three arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B, C>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(3, returning: NoResult.self) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); unsafe $0.write(place: c)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C, D, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C, D>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, D, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, D>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, C, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, C>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      $0.writeAny(a); unsafe $0.write(place: b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, D, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, D>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, C, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, C>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      unsafe $0.write(place: a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?,
    as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(4, returning: type) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with four arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, B>(
    _ a: UnsafeMutablePointer<A>, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(4, returning: NoResult.self) {
      unsafe $0.write(place: a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<E, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?,
    _ e: UnsafeMutablePointer<E>, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<E>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?, _ e: UnsafeMutablePointer<E>
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(5, returning: NoResult.self) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); unsafe $0.write(place: e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>,
    _ e: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<D>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: UnsafeMutablePointer<D>, _ e: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(5, returning: NoResult.self) {
      $0.writeAny(a); $0.writeAny(b); $0.writeAny(c); unsafe $0.write(place: d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?,
    _ e: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<C>(
    _ a: (any _CallArgument)?, _ b: (any _CallArgument)?, _ c: UnsafeMutablePointer<C>, _ d: (any _CallArgument)?, _ e: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(5, returning: NoResult.self) {
      $0.writeAny(a); $0.writeAny(b); unsafe $0.write(place: c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B, Result: CallResult>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?,
    _ e: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<B>(
    _ a: (any _CallArgument)?, _ b: UnsafeMutablePointer<B>, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?, _ e: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(5, returning: NoResult.self) {
      $0.writeAny(a); unsafe $0.write(place: b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A, Result: CallResult>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?,
    _ e: (any _CallArgument)?, as type: Result.Type = Result.self
  ) throws(InvocationError) -> Result {
    try callWithPlaces(5, returning: type) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }

  /// Calls the function with five arguments and drops its result; see the form with any number.
  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)
  public func callAsFunction<A>(
    _ a: UnsafeMutablePointer<A>, _ b: (any _CallArgument)?, _ c: (any _CallArgument)?, _ d: (any _CallArgument)?, _ e: (any _CallArgument)?
  ) throws(InvocationError) -> DiscardedResult {
    _ = try callWithPlaces(5, returning: NoResult.self) {
      unsafe $0.write(place: a); $0.writeAny(b); $0.writeAny(c); $0.writeAny(d); $0.writeAny(e)
    }
  }
}
