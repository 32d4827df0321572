// Written by make generate from Scripts/Templates/DynamicInvocation/MethodTable+Arity.swift.template.

// One overload for each number of parameters up to four, and a pack for more; each makes an ``Implementation``. A method named without its object is a function of the
// object that returns a function.

extension MethodTable {
  /// Adds a method that is a Swift closure; its first parameter is the target.
  ///
  ///     try MethodTable.of(Controller.self).add("tapped(_:tag:frame:)") { (controller: Controller, view: View?, tag: Int, frame: Geometry.Rect) in
  ///       controller.tapped(view, tag: tag, frame: frame)
  ///     }
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - body: The closure, of the types that an ``Implementation`` can be made of. It may throw.
  /// - Throws: `InvocationError` as making the implementation and adding it do: `duplicateMethod`, `typeMismatch`, `unsupportedType`,
  ///   `limitExceeded`.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of no parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of one parameter with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of one parameter without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of two parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of two parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of three parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B, C) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of three parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B, C) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of four parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B, C, D) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of four parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target, A, B, C, D) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of the class itself, given by its name; its parameters are the message's.
  ///
  ///     try MethodTable.of(Controller.self).add("tapped(_:tag:)", Controller.tapped)
  ///
  /// The method is called as if by its target: an object of a subclass that overrides it runs its own.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - body: The method, of the types that an ``Implementation`` can be made of. It may throw.
  /// - Throws: `InvocationError` as the form with a closure does.
  /// - Complexity: A call allocates nothing in an optimized build; unoptimized, Swift makes a function of the target for each call.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> () throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { (target: Target) throws(Failure) -> Result in try body(target)() }
  }

  /// Adds a method of the class itself, of no parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> () throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { (target: Target) throws(Failure) -> Void in try body(target)() }
  }

  /// Adds a method of the class itself, of one parameter with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A) throws(Failure) -> Result in try body(target)(a) }
  }

  /// Adds a method of the class itself, of one parameter without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A) throws(Failure) -> Void in try body(target)(a) }
  }

  /// Adds a method of the class itself, of two parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A, b: B) throws(Failure) -> Result in try body(target)(a, b) }
  }

  /// Adds a method of the class itself, of two parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A, b: B) throws(Failure) -> Void in try body(target)(a, b) }
  }

  /// Adds a method of the class itself, of three parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B, C) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A, b: B, c: C) throws(Failure) -> Result in try body(target)(a, b, c) }
  }

  /// Adds a method of the class itself, of three parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B, C) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A, b: B, c: C) throws(Failure) -> Void in try body(target)(a, b, c) }
  }

  /// Adds a method of the class itself, of four parameters with a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B, C, D) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A, b: B, c: C, d: D) throws(Failure) -> Result in try body(target)(a, b, c, d) }
  }

  /// Adds a method of the class itself, of four parameters without a result; see the form without parameters.
  @_alwaysEmitIntoClient @inline(__always)
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> (A, B, C, D) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { (target: Target, a: A, b: B, c: C, d: D) throws(Failure) -> Void in try body(target)(a, b, c, d) }
  }

  /// Adds a method of five or more parameters with a result; see the form without parameters.
  ///
  /// - Complexity: A call retains the objects among its arguments, which a method of up to four borrows, and so does an ``Implementation`` of
  ///   up to eight: add that where each nanosecond counts.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector,
    _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of five or more parameters without a result; see the form without parameters.
  ///
  /// - Complexity: A call retains the objects among its arguments, which a method of up to four borrows, and so does an ``Implementation`` of
  ///   up to eight: add that where each nanosecond counts.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    _ selector: MethodSelector,
    _ body: @escaping @Sendable (Target, A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(body) }
  }

  /// Adds a method of the class itself, of five or more parameters with a result; see the form without parameters.
  ///
  /// - Complexity: A call retains the objects among its arguments, which a method of up to four borrows, and so does an ``Implementation`` of
  ///   up to eight: add that where each nanosecond counts.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Result: EncodedValue, Failure: Error
  >(
    _ selector: MethodSelector,
    _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, repeat each Rest) throws(Failure) -> Result
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(method: body) }
  }

  /// Adds a method of the class itself, of five or more parameters without a result; see the form without parameters.
  ///
  /// - Complexity: A call retains the objects among its arguments, which a method of up to four borrows, and so does an ``Implementation`` of
  ///   up to eight: add that where each nanosecond counts.
  @_alwaysEmitIntoClient
  public func add<
    Target: AnyObject, A: EncodedValue, B: EncodedValue, C: EncodedValue, D: EncodedValue, E: EncodedValue, each Rest: EncodedValue,
    Failure: Error
  >(
    _ selector: MethodSelector,
    _ body: @escaping @Sendable (Target) -> (A, B, C, D, E, repeat each Rest) throws(Failure) -> Void
  ) throws(InvocationError) {
    try add(selector) { () throws(InvocationError) in try Implementation(method: body) }
  }
}
