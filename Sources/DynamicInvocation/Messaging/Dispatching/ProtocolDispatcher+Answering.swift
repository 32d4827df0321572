/// Queries of a dispatcher.
extension ProtocolDispatcher {
  /// Returns whether the dispatcher's protocol is the other protocol or inherits from it.
  public func conforms(to other: DispatchProtocol) -> Bool { dispatchProtocol.conforms(to: other) }

  /// Returns whether a message would be handled, by an implementer that is called for it or by the dispatcher itself.
  ///
  /// - Complexity: O(*implementers*); takes no lock.
  public func responds(to selector: MethodSelector) -> Bool {
    guard let entry = entry(of: selector) else { return MethodTable.of(ProtocolDispatcher.self).responds(to: selector) }
    return entry.isOverridden || entry.hasResponder
  }

  /// Returns the types of a method of the protocol, whether or not an implementer responds to it, or of a method that
  /// the dispatcher itself has.
  ///
  /// - Complexity: O(1); takes no lock and allocates nothing.
  public func methodSignature(for selector: MethodSelector) -> MethodSignature? {
    MethodTable.of(ProtocolDispatcher.self).methodSignature(for: selector) ?? dispatchProtocol.method(for: selector)?.methodSignature
  }

  /// Returns the error for a selector that the protocol does not have.
  func unrecognized(_ selector: MethodSelector) -> InvocationError {
    InvocationError(
      .unrecognizedSelector, "\(dispatchProtocol.name) has no method '\(selector)'",
      candidates: NearestNames.nearest(to: selector.name, among: dispatchProtocol.methods.lazy.map(\.selector.name), limit: 3))
  }
}

/// The policies.
extension ProtocolDispatcher {
  /// Returns the policy for the results of a method.
  public func returnPolicy(for selector: MethodSelector) -> ReturnPolicy<BoxedValue> {
    let plan = plan.current
    if let policy = plan.policies[selector] { return policy }
    guard let method = dispatchProtocol.method(for: selector), plan.policy.fits(method.methodSignature) else { return .last }
    return plan.policy
  }

  /// Sets the policy for the results of all methods without a policy of their own.
  ///
  /// It applies from the next call on.
  ///
  /// - Parameter policy: The policy for all methods whose return type it fits. The other methods keep
  ///   ``ReturnPolicy/last``.
  public func setReturnPolicy(_ policy: ReturnPolicy<BoxedValue>) { renew(policy: policy) }

  /// Sets the policy for the results of a method.
  ///
  /// It applies from the next call on.
  ///
  /// - Parameters:
  ///   - policy: The policy, or nil for the policy of all methods.
  ///   - selector: A method of the protocol.
  /// - Throws: `InvocationError` `unrecognizedSelector` if the protocol does not have the method, and `typeMismatch`
  ///   if the policy does not fit the return type: ``ReturnPolicy/firstNonNil`` requires a pointer or object,
  ///   ``ReturnPolicy/anyTrue`` and ``ReturnPolicy/allTrue`` a bool or char, ``ReturnPolicy/reduce(_:)`` any value.
  public func setReturnPolicy(_ policy: ReturnPolicy<BoxedValue>?, for selector: MethodSelector) throws(InvocationError) {
    guard let method = dispatchProtocol.method(for: selector) else { throw unrecognized(selector) }
    guard policy?.fits(method.methodSignature) != false else {
      throw InvocationError(
        .typeMismatch, "the policy for '\(selector)' fits no such result", argument: .result,
        encoding: method.methodSignature.returnType.description)
    }
    renew(for: selector, .some(policy))
  }
}
