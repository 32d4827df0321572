// Written by make generate from Scripts/Templates/EventRouting/EventProxy+TypedRegistering.swift.template.

public import DynamicInvocation

// One overload for each number of arguments up to four.

/// Handlers that are Swift closures.
extension EventProxy {
  /// Registers a Swift closure of the source and no arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source?) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      TypedBody0(Result.self) { _, source in
        try source.withOptional { (source: Source?) in
          try EventReply(of: body(source))
        }
      })
  }

  /// Registers a Swift closure of the source and one argument.
  ///
  ///     try proxy.register("row.tapped") { (row: Row?, index: Int) in ... }
  ///
  /// - Parameters:
  ///   - key: The event. The types of a literal are inferred from the closure; `TypedEventKey(key)` adds them to an
  ///     ``EventKey``.
  ///   - options: The priority and other options.
  ///   - body: The closure. Its first parameter is the source, of any class, optional or not. An event whose source is
  ///     of another class is an error, and so is an event without a source if the parameter is not an optional. The
  ///     closure returns an ``EventReply``, or nothing. It may return an optional: nil is the same
  ///     as nothing. A result of any other type is the answer for a sender that asks. It may throw. It is retained as
  ///     long as the handler is registered, with everything it captures.
  /// - Throws: `InvocationError` `typeMismatch` when the encoding of a type does not match its layout in Swift;
  ///   `duplicateHandler`.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source?, A) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      TypedBody1<A>(Result.self) { _, source, a in
        try source.withOptional { (source: Source?) in
          try EventReply(of: body(source, a))
        }
      })
  }

  /// Registers a Swift closure of the source and two arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source?, A, B) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      TypedBody2<A, B>(Result.self) { _, source, a, b in
        try source.withOptional { (source: Source?) in
          try EventReply(of: body(source, a, b))
        }
      })
  }

  /// Registers a Swift closure of the source and three arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source?, A, B, C) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      TypedBody3<A, B, C>(Result.self) { _, source, a, b, c in
        try source.withOptional { (source: Source?) in
          try EventReply(of: body(source, a, b, c))
        }
      })
  }

  /// Registers a Swift closure of the source and four arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C, D)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source?, A, B, C, D) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: nil, options,
      TypedBody4<A, B, C, D>(Result.self) { _, source, a, b, c, d in
        try source.withOptional { (source: Source?) in
          try EventReply(of: body(source, a, b, c, d))
        }
      })
  }
}

/// Handlers that are Swift closures, and require a source.
extension EventProxy {
  /// Registers a Swift closure of the source and no arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      TypedBody0(Result.self) { _, source in
        try source.withObject { (source: Source) in
          try EventReply(of: body(source))
        }
      })
  }

  /// Registers a Swift closure of the source and one argument; the source is required.
  ///
  /// An event without a source is an error. See the form with an optional source.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source, A) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      TypedBody1<A>(Result.self) { _, source, a in
        try source.withObject { (source: Source) in
          try EventReply(of: body(source, a))
        }
      })
  }

  /// Registers a Swift closure of the source and two arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source, A, B) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      TypedBody2<A, B>(Result.self) { _, source, a, b in
        try source.withObject { (source: Source) in
          try EventReply(of: body(source, a, b))
        }
      })
  }

  /// Registers a Swift closure of the source and three arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source, A, B, C) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      TypedBody3<A, B, C>(Result.self) { _, source, a, b, c in
        try source.withObject { (source: Source) in
          try EventReply(of: body(source, a, b, c))
        }
      })
  }

  /// Registers a Swift closure of the source and four arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C, D)>, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Source, A, B, C, D) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: nil, options,
      TypedBody4<A, B, C, D>(Result.self) { _, source, a, b, c, d in
        try source.withObject { (source: Source) in
          try EventReply(of: body(source, a, b, c, d))
        }
      })
  }
}

/// Handlers that are methods, passed by their names.
extension EventProxy {
  /// Registers a method of a target, of the source and no arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source?) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      TypedBody0(Result.self) { target, source in
        try target.withObject { (target: Target) in
          try source.withOptional { (source: Source?) in
            try EventReply(of: body(target)(source))
          }
        }
      })
  }

  /// Registers a method of a target, by its name, of the source and one argument.
  ///
  ///     try proxy.register("row.tapped", target: controller, Controller.tapped)
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - target: The object whose method it is; weak unless the options specify otherwise.
  ///   - options: How the target is referenced, the priority and other options.
  ///   - actor: The isolation of the caller; with it the compiler keeps the proxy in the domain of a method of an actor.
  ///   - body: The method. It may have the types that a closure may have.
  /// - Throws: `InvocationError` as the form with a closure does.
  /// - Complexity: Swift may create a function for the target at each call, which allocates once. A closure that calls
  ///   the method allocates nothing.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source?, A) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      TypedBody1<A>(Result.self) { target, source, a in
        try target.withObject { (target: Target) in
          try source.withOptional { (source: Source?) in
            try EventReply(of: body(target)(source, a))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and two arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source?, A, B) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      TypedBody2<A, B>(Result.self) { target, source, a, b in
        try target.withObject { (target: Target) in
          try source.withOptional { (source: Source?) in
            try EventReply(of: body(target)(source, a, b))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and three arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source?, A, B, C) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      TypedBody3<A, B, C>(Result.self) { target, source, a, b, c in
        try target.withObject { (target: Target) in
          try source.withOptional { (source: Source?) in
            try EventReply(of: body(target)(source, a, b, c))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and four arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source?, A, B, C, D) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: false), target: target, options,
      TypedBody4<A, B, C, D>(Result.self) { target, source, a, b, c, d in
        try target.withObject { (target: Target) in
          try source.withOptional { (source: Source?) in
            try EventReply(of: body(target)(source, a, b, c, d))
          }
        }
      })
  }
}

/// Handlers that are methods, passed by their names, and require a source.
extension EventProxy {
  /// Registers a method of a target, of the source and no arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, Result>(
    _ key: TypedEventKey<Void>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody0(Result.self) { target, source in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in
            try EventReply(of: body(target)(source))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and one argument; the source is required.
  ///
  /// An event without a source is an error. See the form with an optional source.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, Result>(
    _ key: TypedEventKey<A>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source, A) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody1<A>(Result.self) { target, source, a in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in
            try EventReply(of: body(target)(source, a))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and two arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source, A, B) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody2<A, B>(Result.self) { target, source, a, b in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in
            try EventReply(of: body(target)(source, a, b))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and three arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, Result>(
    _ key: TypedEventKey<(A, B, C)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source, A, B, C) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody3<A, B, C>(Result.self) { target, source, a, b, c in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in
            try EventReply(of: body(target)(source, a, b, c))
          }
        }
      })
  }

  /// Registers a method of a target, of the source and four arguments; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func register<
    Target: AnyObject, Source: AnyObject, A: _BoxConvertible, B: _BoxConvertible, C: _BoxConvertible, D: _BoxConvertible, Result
  >(
    _ key: TypedEventKey<(A, B, C, D)>, target: Target, options: HandlerOptions = HandlerOptions(),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: @escaping (Target) -> (Source, A, B, C, D) throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    try add(
      key.key, source: SourceRule(Source.self, isRequired: true), target: target, options,
      TypedBody4<A, B, C, D>(Result.self) { target, source, a, b, c, d in
        try target.withObject { (target: Target) in
          try source.withObject { (source: Source) in
            try EventReply(of: body(target)(source, a, b, c, d))
          }
        }
      })
  }
}
