/// A message that comes to a dispatcher by way of another object, or from C by ``Implementation/forwarding(_:)``.
extension ProtocolDispatcher: Forwarding {
  /// Calls the implementers, as a message to the dispatcher itself does.
  public func forwardInvocation(_ invocation: Invocation) throws {
    try invocation.core.requireArguments()
    if try !carryOut(invocation) {
      throw invocation.selector.map(unrecognized) ?? InvocationError(.unrecognizedSelector, "the selector is null")
    }
  }
}
