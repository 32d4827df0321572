/// Messages in one line.
extension Invocation {
  /// Sends a message and returns its result.
  ///
  ///     let area: Double = try Invocation.send(controller, "area(_:in:)", 7, frame)
  ///
  /// The types are those that the target says for the selector: of its class's method, of its own implementation, or of the object that it
  /// forwards to. Arguments are given as to a ``ForeignFunction``: literals adapt, `nil` is null, a ``BoxedValue`` is converted.
  ///
  /// - Parameters:
  ///   - target: The object that the message goes to.
  ///   - selector: The name of the message.
  ///   - arguments: One value for each argument after the target and the selector.
  ///   - type: The type of the result; mostly it follows from the context.
  /// - Throws: What the method throws, and ``InvocationError`` with the class and the selector: `unrecognizedSelector`, `countMismatch`,
  ///   `typeMismatch`, `outOfRange`, `inexact`, `nullNotAllowed`.
  /// - Complexity: The call; looks the method up, and allocates the invocation and the list of the arguments.
  public static func send<Result: EncodedValue>(
    _ target: AnyObject, _ selector: Selector, _ arguments: (any CallArgument)?..., as type: Result.Type = Result.self
  ) throws -> Result {
    try sent(target, selector, arguments).returnValue()
  }

  /// Sends a message and returns its result as a boxed value, null if it has none.
  ///
  /// - Throws: As the form with a result of a known type.
  @discardableResult
  public static func send(_ target: AnyObject, _ selector: Selector, _ arguments: (any CallArgument)?...) throws -> BoxedValue {
    try sent(target, selector, arguments).boxedReturnValue()
  }

  /// Sends a message with boxed arguments and returns its result.
  ///
  ///     let area: Double = try Invocation.send(controller, "area(_:in:)", 7, .rect(frame))
  ///
  /// - Throws: As the form with arguments of any type.
  @_disfavoredOverload
  public static func send<Result: EncodedValue>(
    _ target: AnyObject, _ selector: Selector, _ arguments: BoxedValue..., as type: Result.Type = Result.self
  ) throws -> Result {
    try sent(target, selector, arguments).returnValue()
  }

  /// Sends a message with boxed arguments and returns its result as a boxed value, null if it has none.
  ///
  /// - Throws: As the form with arguments of any type.
  @_disfavoredOverload @discardableResult
  public static func send(_ target: AnyObject, _ selector: Selector, _ arguments: BoxedValue...) throws -> BoxedValue {
    try sent(target, selector, arguments).boxedReturnValue()
  }

  /// The invocation of a message, which was sent.
  private static func sent(_ target: AnyObject, _ selector: Selector, _ arguments: [(any CallArgument)?]) throws -> Invocation {
    // It need not keep its arguments: they live as long as this call. Whoever keeps the invocation asks it to keep them.
    let invocation = try unsafe Invocation(target: target, selector: selector, retainsArguments: false)
    try invocation.setArguments(arguments)
    try withExtendedLifetime((target, arguments)) { try invocation.invoke() }
    return invocation
  }

  /// Sets the arguments, of a method those after the target and the selector; nothing was set before.
  private func setArguments(_ arguments: [(any CallArgument)?]) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    guard arguments.count == count - first else { throw core.named(methodSignature.countMismatch(arguments.count, of: count - first)) }
    for (offset, argument) in arguments.enumerated() {
      let index = first + offset
      let (failure, isOwned) = unsafe withUnsafeTemporaryAllocation(of: FrameWriter.Note.self, capacity: 1) { notes in
        var writer = unsafe FrameWriter(
          methodSignature, methodSignature.storage.plan, frame, notes: UnsafeMutableRawPointer(notes.baseAddress.unsafelyUnwrapped),
          index: index)
        writer.writeAny(argument)
        return (writer.takeFailure(), writer.owned != 0)
      }
      if let failure { throw core.named(failure) }
      core.markOwned(index, isOwned)
      core.markSet(index)
    }
  }
}
