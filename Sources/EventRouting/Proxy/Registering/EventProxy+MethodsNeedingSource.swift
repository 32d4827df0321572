public import DynamicInvocation

// One overload for each number of arguments up to eight.

/// Handlers that are methods, given by their names, and take no event without a source.
extension EventProxy {
  /// Registers a method of a target, of the source and no arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) { (target: Target, source: Source) throws -> Result in try body(target)(source) }
  }

  /// Registers a method of a target, of the source and one argument, which takes no event without a source; see the form with an optional source.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) { (target: Target, source: Source, a: A) throws -> Result in
      try body(target)(source, a)
    }
  }

  /// Registers a method of a target, of the source and two arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A, B) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) { (target: Target, source: Source, a: A, b: B) throws -> Result in
      try body(target)(source, a, b)
    }
  }

  /// Registers a method of a target, of the source and three arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A, B, C) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) { (target: Target, source: Source, a: A, b: B, c: C) throws -> Result in
      try body(target)(source, a, b, c)
    }
  }

  /// Registers a method of a target, of the source and four arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A, B, C, D) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) { (target: Target, source: Source, a: A, b: B, c: C, d: D) throws -> Result in
      try body(target)(source, a, b, c, d)
    }
  }

  /// Registers a method of a target, of the source and five arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A, B, C, D, E) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) { (target: Target, source: Source, a: A, b: B, c: C, d: D, e: E) throws -> Result in
      try body(target)(source, a, b, c, d, e)
    }
  }

  /// Registers a method of a target, of the source and six arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    F: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A, B, C, D, E, F) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) {
      (target: Target, source: Source, a: A, b: B, c: C, d: D, e: E, f: F) throws -> Result in try body(target)(source, a, b, c, d, e, f)
    }
  }

  /// Registers a method of a target, of the source and seven arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    F: BoxConvertible, G: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A, B, C, D, E, F, G) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) {
      (target: Target, source: Source, a: A, b: B, c: C, d: D, e: E, f: F, g: G) throws -> Result in
      try body(target)(source, a, b, c, d, e, f, g)
    }
  }

  /// Registers a method of a target, of the source and eight arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    F: BoxConvertible, G: BoxConvertible, H: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (Source, A, B, C, D, E, F, G, H) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try register(key, target: target, options: options) {
      (target: Target, source: Source, a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H) throws -> Result in
      try body(target)(source, a, b, c, d, e, f, g, h)
    }
  }
}
