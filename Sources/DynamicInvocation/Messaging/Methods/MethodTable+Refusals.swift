// What the compiler chooses for an asynchronous closure, or one with another result than the engine's, to say why it is refused.

extension Implementation {
  /// Refuses an asynchronous closure, and a result that has no encoding.
  @available(*, unavailable, message: "an implementation is not asynchronous, and returns nothing or an EncodedValue")
  public init<Target: AnyObject, each Argument: EncodedValue, Result>(
    _ body: @escaping @Sendable (Target, repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }
}

extension MethodTable {
  /// Refuses an asynchronous closure, and a result that has no encoding.
  @available(*, unavailable, message: "a method of a table is not asynchronous, and returns nothing or an EncodedValue")
  public func add<Target: AnyObject, each Argument: EncodedValue, Result>(
    _ selector: Selector, _ body: @escaping @Sendable (Target, repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }

  /// Refuses an asynchronous method, and a result that has no encoding.
  @available(*, unavailable, message: "a method of a table is not asynchronous, and returns nothing or an EncodedValue")
  public func add<Target: AnyObject, each Argument: EncodedValue, Result>(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> (repeat each Argument) async throws -> Result
  ) {
    preconditionFailure("unavailable")
  }
  /// Refuses a method of an actor.
  @available(*, unavailable, message: "an actor's method is called on its actor only, and a method of a table by whoever sends the message")
  public func add<Target: Actor, each Argument, Result>(
    _ selector: Selector, _ body: @escaping (isolated Target) -> (repeat each Argument) throws -> Result
  ) {
    preconditionFailure("unavailable")
  }
}
