/// Sending a message in one statement.
extension Invocation {
  /// Sends a message and returns its result.
  ///
  ///     let area: Double = try Invocation.send(controller, "area(_:in:)", 7, frame)
  ///
  /// The types are those that the target specifies for the selector: those of its class's method, of its own
  /// implementation, or of the object to which it forwards. Arguments are passed as to a ``ForeignFunction``: literals
  /// adapt to the type, `nil` is null, a ``BoxedValue`` is converted.
  ///
  /// - Parameters:
  ///   - target: The object to which the message is sent.
  ///   - selector: The name of the message.
  ///   - arguments: One value for each argument after the target and the selector.
  ///   - type: The type of the result. It is usually inferred from the context.
  /// - Throws: What the method throws, and `InvocationError` with the class and the selector: `unrecognizedSelector`,
  ///   `countMismatch`, `typeMismatch`, `outOfRange`, `inexact`, `nullNotAllowed`.
  /// - Complexity: The call; looks the method up, and allocates the invocation and the list of the arguments.
  public static func send<Result: EncodedValue>(
    _ target: AnyObject, _ selector: MethodSelector, _ arguments: (any _CallArgument)?..., as type: Result.Type = Result.self
  ) throws -> Result {
    try sent(target, selector, arguments).returnValue()
  }

  /// Sends a message and returns its result as a boxed value, or null if it has no result.
  ///
  /// - Throws: The same errors as the form with a result of a known type.
  @discardableResult
  public static func send(_ target: AnyObject, _ selector: MethodSelector, _ arguments: (any _CallArgument)?...) throws -> BoxedValue {
    try sent(target, selector, arguments).boxedReturnValue()
  }

  /// Sends a message with boxed arguments and returns its result.
  ///
  ///     let area: Double = try Invocation.send(controller, "area(_:in:)", 7, .rect(frame))
  ///
  /// - Throws: The same errors as the form with arguments of any type.
  @_disfavoredOverload
  public static func send<Result: EncodedValue>(
    _ target: AnyObject, _ selector: MethodSelector, _ arguments: BoxedValue..., as type: Result.Type = Result.self
  ) throws -> Result {
    try sent(target, selector, arguments).returnValue()
  }

  /// Sends a message with boxed arguments and returns its result as a boxed value, or null if it has no result.
  ///
  /// - Throws: The same errors as the form with arguments of any type.
  @_disfavoredOverload @discardableResult
  public static func send(_ target: AnyObject, _ selector: MethodSelector, _ arguments: BoxedValue...) throws -> BoxedValue {
    try sent(target, selector, arguments).boxedReturnValue()
  }

  /// Sends a message and returns its invocation.
  private static func sent(_ target: AnyObject, _ selector: MethodSelector, _ arguments: [(any _CallArgument)?]) throws -> Invocation {
    // The invocation need not retain its arguments: they stay alive during this call. An object that the message is
    // forwarded to may store the invocation that it gets, which retains them.
    let invocation = try unsafe Invocation(target: target, selector: selector, retainsArguments: false)
    invocation.core.state.forwardsRetained = true
    try invocation.setArguments(arguments)
    try withExtendedLifetime((target, arguments)) { try invocation.invoke() }
    return invocation
  }

  /// Sets the arguments, for a method those after the target and the selector.
  ///
  /// No argument may be set before.
  private func setArguments(_ arguments: [(any _CallArgument)?]) throws(InvocationError) {
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
