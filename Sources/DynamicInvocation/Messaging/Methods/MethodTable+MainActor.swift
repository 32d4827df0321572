// A method of the main actor, named without its object, is taken by these forms and not by those of any actor, which would lose the actor.

extension MethodTable {
  /// Adds a method of the class itself that runs on the main actor, given by its name.
  ///
  ///     try MethodTable.of(PageController.self).add("show(_:)", PageController.show)
  ///
  /// Only code on the main actor can add it. A message that is sent on no main actor traps: nobody can wait for the actor then.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - body: The method, of any number of parameters that are encoded values. It may throw.
  /// - Throws: ``InvocationError`` as the forms for other methods do.
  /// - Complexity: A call takes some ten nanoseconds for each argument more than that of another method, and asks for the actor.
  @MainActor
  public func add<Target: AnyObject, each Argument: EncodedValue, Result: EncodedValue, Failure: Error>(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Result
  ) throws(InvocationError) {
    let method = MethodOfMainActor(body: body).unisolated
    try addOnMainActor(selector, Result.self) { (target: Target, frame, closure) in
      var reader = ArgumentReader(closure)
      closure.answer(try method.body(target)(repeat try reader.read((each Argument).self, of: frame)), to: frame)
    } parameters: {
      repeat $0.append((each Argument).self)
    }
  }

  /// Adds a method of the class itself that runs on the main actor and has no result, given by its name; see the form with a result.
  @MainActor
  public func add<Target: AnyObject, each Argument: EncodedValue, Failure: Error>(
    _ selector: Selector, _ body: @escaping @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Void
  ) throws(InvocationError) {
    let method = MethodOfMainActor(body: body).unisolated
    try addOnMainActor(selector, nil) { (target: Target, frame, closure) in
      var reader = ArgumentReader(closure)
      try method.body(target)(repeat try reader.read((each Argument).self, of: frame))
    } parameters: {
      repeat $0.append((each Argument).self)
    }
  }

  private func addOnMainActor<Target: AnyObject>(
    _ selector: Selector, _ returnType: (any EncodedValue.Type)?,
    _ body: @escaping @Sendable (Target, IncomingFrame, ClosureBody) throws -> Void,
    parameters: (inout [any EncodedValue.Type]) -> Void
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = []
    parameters(&types)
    let implementation = try Implementation(Target.self, types, returning: returnType, mayThrow: true) { frame, closure in
      closure.run(frame, from: 2, mayThrow: true) {
        // As a thunk does. Without a message: the runtime of Swift 6.3 ends the process by itself, before that is read.
        MainActor.preconditionIsolated()
        try closure.withTarget(of: frame) { (target: Target) in try body(target, frame, closure) }
      }
    }
    try add(selector, implementation)
  }

  /// Reads the arguments after the target and the selector, in order.
  private struct ArgumentReader {
    private let closure: ClosureBody
    private var index = 2

    init(_ closure: ClosureBody) { self.closure = closure }

    mutating func read<Value: EncodedValue>(_ type: Value.Type, of frame: IncomingFrame) throws(InvocationError) -> Value {
      defer { index += 1 }
      let slot = unsafe closure.slots[index]
      guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame.memory)) else {
        throw unsafe slot.unreadable(in: frame.memory, .index(index))
      }
      return value
    }
  }
}

/// A method of the main actor.
///
/// The structs are there because a function of any number of parameters cannot be cast as it is.
private struct MethodOfMainActor<Target: AnyObject, Result, Failure: Error, each Argument>: Sendable {
  let body: @Sendable (Target) -> @MainActor (repeat each Argument) throws(Failure) -> Result

  /// The method as a function that its caller may run, having asked for the actor: an actor is no part of how a function is called.
  var unisolated: UnisolatedMethod<Target, Result, Failure, repeat each Argument> {
    unsafe unsafeBitCast(self, to: UnisolatedMethod<Target, Result, Failure, repeat each Argument>.self)
  }
}

/// A method that runs on whatever thread calls it.
private struct UnisolatedMethod<Target: AnyObject, Result, Failure: Error, each Argument>: Sendable {
  let body: @Sendable (Target) -> (repeat each Argument) throws(Failure) -> Result
}
