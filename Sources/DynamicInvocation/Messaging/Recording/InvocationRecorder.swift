/// A proxy that keeps the messages it is sent instead of passing them on.
///
///     let recorder = InvocationRecorder(target: document)
///     let message = try Invocation(target: recorder, selector: "setTitle(_:)")
///     try message.setArgument("Draft", at: 2)
///     try message.invoke()                     // recorded; the result is zero
///     try recorder.replay()                    // now the document gets it
///
/// The target's class says the types of the messages. The invocations keep their arguments and the target.
public final class InvocationRecorder: InvocationProxy {
  /// The messages in the order in which they were sent, with ``InvocationProxy/target`` as their target.
  public private(set) var invocations: [Invocation] = []

  /// Keeps the message.
  public override func forwardInvocation(_ invocation: Invocation) throws {
    invocation.target = target
    invocation.retainArguments()
    invocations.append(invocation)
  }

  /// Sends all messages to the target they were recorded for; any number of times.
  ///
  /// - Throws: What the first one throws that fails; those after it are not sent.
  public func replay() throws {
    for invocation in invocations { try invocation.invoke() }
  }

  /// Sends copies of all messages to another target.
  ///
  /// - Throws: What the first one throws that fails; those after it are not sent.
  public func replay(on target: AnyObject) throws {
    for invocation in invocations { try invocation.copy().invoke(with: target) }
  }

  /// The class of the target, and how many messages there are: `InvocationRecorder to Document, 2 messages`.
  public override var description: String { super.description + ", " + invocations.count.counted("message") }

  /// Forgets the messages.
  public func removeAll() { invocations = [] }
}
