// Each makes an ``Implementation``.

extension MethodTable {
  /// Adds a method of five or more parameters with a result; see the form without parameters.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - body: The closure; its first parameter is the target.
  /// - Throws: `InvocationError` as the form without parameters does.
  /// - Complexity: A call retains the objects among its arguments, which a method of up to four borrows, and so does an ``Implementation`` of up to
  ///   eight: add that where each nanosecond counts.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector, Implementation(body))
  }

  /// Adds a method of five or more parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector, Implementation(body))
  }

  /// Adds a method of the class itself, of five or more parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, repeat each Rest) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector, Implementation(method: body))
  }

  /// Adds a method of the class itself, of five or more parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector, Implementation(method: body))
  }
}
