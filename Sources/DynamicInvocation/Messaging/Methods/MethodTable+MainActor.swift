// These overloads take unapplied methods of the main actor, so that the other overloads do not: a conversion to those
// would lose the actor.

extension MethodTable {
  /// Adds a method of the class itself that runs on the main actor, as an unapplied method reference.
  ///
  ///     try MethodTable.of(PageController.self).add("show(_:)", PageController.show)
  ///
  /// Only code on the main actor can add it. A message that is not sent on the main actor traps, because the sender
  /// cannot wait for the actor.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - body: The method, with any number of parameters that are encoded values. It may throw.
  /// - Throws: `InvocationError` as the overloads for other methods do.
  /// - Complexity: A call takes about ten nanoseconds per argument more than a call of another method, and checks the
  ///   actor.
  @MainActor
  public func add<Target: AnyObject, each Argument: EncodedValue & Sendable, Result: EncodedValue & Sendable, Failure: Error>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Result
  ) throws(InvocationError) {
    try addMethod(selector, MethodOfMainActor(body: body).unisolated)
  }

  /// Adds a method of the class itself that runs on the main actor and has no result; see the overload with a result.
  @MainActor
  public func add<Target: AnyObject, each Argument: EncodedValue & Sendable, Failure: Error>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Void
  ) throws(InvocationError) {
    try addMethod(selector, MethodOfMainActor(body: body).unisolated)
  }

  /// Adds a method that runs on the main actor, and whose arguments or result are not Sendable.
  ///
  /// The compiler does not see that a message passes them to the main actor. The caller promises that senders do not use
  /// them anywhere else afterwards.
  @unsafe @MainActor
  public func add<Target: AnyObject, each Argument: EncodedValue, Result: EncodedValue, Failure: Error>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Result
  ) throws(InvocationError) {
    try addMethod(selector, MethodOfMainActor(body: body).unisolated)
  }

  /// Adds a method that runs on the main actor, whose arguments are not Sendable; see the overload with a result.
  @unsafe @MainActor
  public func add<Target: AnyObject, each Argument: EncodedValue, Failure: Error>(
    _ selector: MethodSelector, _ body: @escaping @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Void
  ) throws(InvocationError) {
    try addMethod(selector, MethodOfMainActor(body: body).unisolated)
  }

  private func addMethod<Target: AnyObject, each Argument: EncodedValue, Result: EncodedValue, Failure: Error>(
    _ selector: MethodSelector, _ method: UnisolatedMethod<Target, Result, Failure, repeat each Argument>
  ) throws(InvocationError) {
    try addOnMainActor(selector, Result.self) { (target: Target, frame, closure, index) in
      closure.answer(try method.body(target)(repeat closure.next((each Argument).self, of: frame, &index)), to: frame)
    } parameters: {
      repeat $0.append((each Argument).self)
    }
  }

  private func addMethod<Target: AnyObject, each Argument: EncodedValue, Failure: Error>(
    _ selector: MethodSelector, _ method: UnisolatedMethod<Target, Void, Failure, repeat each Argument>
  ) throws(InvocationError) {
    try addOnMainActor(selector, nil) { (target: Target, frame, closure, index) in
      try method.body(target)(repeat closure.next((each Argument).self, of: frame, &index))
    } parameters: {
      repeat $0.append((each Argument).self)
    }
  }

  private func addOnMainActor<Target: AnyObject>(
    _ selector: MethodSelector, _ returnType: (any EncodedValue.Type)?,
    _ body: @escaping @Sendable (Target, IncomingFrame, ClosureBody, inout Int) throws -> Void,
    parameters: (inout [any EncodedValue.Type]) -> Void
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = []
    parameters(&types)
    let implementation = try Implementation(Target.self, types, returning: returnType, mayThrow: true) { frame, closure in
      closure.runChecked(frame, from: 2, mayThrow: true) { index in
        // As a thunk does. No message is passed, because the runtime of Swift 6.3 traps before it would be evaluated. The
        // fault is gone when `MainActor.preconditionIsolated("text")` prints the text on another thread.
        MainActor.preconditionIsolated()
        try closure.withTarget(of: frame) { (target: Target) in try body(target, frame, closure, &index) }
      }
    }
    try add(selector, implementation)
  }
}

/// A method of the main actor.
///
/// These structs exist because a function with a parameter pack cannot be cast directly.
private struct MethodOfMainActor<Target: AnyObject, Result, Failure: Error, each Argument>: Sendable {
  let body: @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Result

  /// The method as a function without isolation.
  ///
  /// The caller must have checked the actor: isolation is not part of the calling convention.
  var unisolated: UnisolatedMethod<Target, Result, Failure, repeat each Argument> {
    unsafe unsafeBitCast(self, to: UnisolatedMethod<Target, Result, Failure, repeat each Argument>.self)
  }
}

/// A method that runs on the thread of its caller.
private struct UnisolatedMethod<Target: AnyObject, Result, Failure: Error, each Argument>: Sendable {
  let body: @Sendable (Target) -> (repeat each Argument) throws(Failure) -> Result
}
