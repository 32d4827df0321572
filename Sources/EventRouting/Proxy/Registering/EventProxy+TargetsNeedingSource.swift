public import DynamicInvocation

// One overload for each number of arguments up to eight.

/// Handlers that are Swift closures with a target of their own, and take no event without a source.
extension EventProxy {
  /// Registers a Swift closure of a target, the source and no arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody0 { target, source in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and one argument, which takes no event without a source; see the form with an optional source.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody1<A> { target, source, a in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and two arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A, B) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody2<A, B> { target, source, a, b in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a, b)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and three arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A, B, C) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody3<A, B, C> { target, source, a, b, c in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a, b, c)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and four arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A, B, C, D) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody4<A, B, C, D> { target, source, a, b, c, d in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a, b, c, d)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and five arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A, B, C, D, E) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody5<A, B, C, D, E> { target, source, a, b, c, d, e in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a, b, c, d, e)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and six arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    F: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A, B, C, D, E, F) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody6<A, B, C, D, E, F> { target, source, a, b, c, d, e, f in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a, b, c, d, e, f)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and seven arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    F: BoxConvertible, G: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A, B, C, D, E, F, G) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody7<A, B, C, D, E, F, G> { target, source, a, b, c, d, e, f, g in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a, b, c, d, e, f, g)) }
        }
      })
  }

  /// Registers a Swift closure of a target, the source and eight arguments; see the form with one argument.
  @inlinable @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: BoxConvertible, B: BoxConvertible, C: BoxConvertible, D: BoxConvertible, E: BoxConvertible,
    F: BoxConvertible, G: BoxConvertible, H: BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D, E, F, G, H)>, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, Source, A, B, C, D, E, F, G, H) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody8<A, B, C, D, E, F, G, H> { target, source, a, b, c, d, e, f, g, h in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in EventReply(of: try body(target, source, a, b, c, d, e, f, g, h)) }
        }
      })
  }
}
