/// What a dispatcher answers.
extension ProtocolDispatcher {
  /// Returns whether the protocol is another one or inherits from it.
  public func conforms(to other: DispatchProtocol) -> Bool { dispatchProtocol.conforms(to: other) }

  /// Returns whether a message would be answered: by an implementer that is called for it, or by the dispatcher itself.
  ///
  /// - Complexity: O(*implementers*); takes no lock.
  public func responds(to selector: Selector) -> Bool {
    guard let row = row(of: selector) else { return MethodTable.of(ProtocolDispatcher.self).responds(to: selector) }
    return row.isOverridden || row.hasResponder
  }

  /// Returns the types of a method of the protocol, whether or not somebody responds to it, or of a method that the dispatcher itself has.
  ///
  /// - Complexity: O(1); takes no lock and allocates nothing.
  public func methodSignature(for selector: Selector) -> MethodSignature? {
    MethodTable.of(ProtocolDispatcher.self).methodSignature(for: selector) ?? dispatchProtocol.method(for: selector)?.methodSignature
  }

  /// The error of a selector that the protocol does not have.
  func unrecognized(_ selector: Selector) -> InvocationError {
    InvocationError(
      .unrecognizedSelector, "\(dispatchProtocol.name) has no method '\(selector)'",
      candidates: NearestNames.nearest(to: selector.name, among: dispatchProtocol.methods.lazy.map(\.selector.name), limit: 3))
  }
}
