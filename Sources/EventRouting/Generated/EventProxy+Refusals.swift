// Written by make generate from Scripts/Templates/EventRouting/EventProxy+Refusals.swift.template.

public import DynamicInvocation

// The compiler chooses these overloads for a handler that cannot be registered, and reports the reason. The keys are
// literals, whose types are inferred from the handler. With any other key the handler must have the types of the
// key, and the compiler reports that.

extension EventProxy {
  /// Refuses a closure, with types that no event can pass.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      a handler takes the source first, an object or an optional one, and then arguments, \
      each an EncodedValue or an optional of one; pass anything else in a SwiftValue; \
      write the types of a closure's parameters
      """
  )
  @discardableResult
  public func register<each Argument, Result>(
    _ key: StaticString, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (repeat each Argument) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    preconditionFailure("unavailable")
  }

  /// Refuses a method, with types that no event can pass.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      a handler takes the source first, an object or an optional one, and then arguments, \
      each an EncodedValue or an optional of one; pass anything else in a SwiftValue; \
      write the types of a closure's parameters
      """
  )
  @discardableResult
  public func register<Target: AnyObject, each Argument, Result>(
    _ key: StaticString, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target) -> (repeat each Argument) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    preconditionFailure("unavailable")
  }

  /// Refuses a closure of a target.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      a handler with a target is a method, passed by its name: Page.tapped; \
      for a closure capture the target weakly, and leave the target out
      """
  )
  @discardableResult
  public func register<Target: AnyObject, each Argument, Result>(
    _ key: StaticString, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (Target, repeat each Argument) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    preconditionFailure("unavailable")
  }

  /// Refuses a method of an actor that is passed by the name of its class.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      an actor's method is called in a closure that awaits it, with parameters that are Sendable
      """
  )
  @discardableResult
  public func register<Target: Actor, each Argument, Result>(
    _ key: StaticString, target: Target, options: HandlerOptions = HandlerOptions(),
    _ body: @escaping (isolated Target) -> (repeat each Argument) async throws -> Result
  ) throws(InvocationError) -> EventRegistration {
    preconditionFailure("unavailable")
  }
}
