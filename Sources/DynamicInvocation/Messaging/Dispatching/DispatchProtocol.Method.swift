extension DispatchProtocol {
  /// A method of a protocol.
  public struct Method: Sendable, Hashable {
    /// The selector.
    public let selector: Selector
    /// The types.
    public let methodSignature: MethodSignature
    /// Whether somebody must respond to it.
    public let isRequired: Bool

    /// Creates a method.
    ///
    /// - Throws: ``InvocationError`` `typeMismatch` when the types are not those of an instance method, whose first arguments are an object
    ///   and a selector; `countMismatch` when the selector says another number of arguments, as `two(_:_:)` and `two:with:` do.
    public init(_ selector: Selector, _ methodSignature: MethodSignature, isRequired: Bool) throws(InvocationError) {
      guard methodSignature.isMethod, unsafe methodSignature.storage.plan.slots[0].kind == .object else {
        throw InvocationError(.typeMismatch, "the types of '\(selector)' are those of no instance method", encoding: "\(methodSignature)")
      }
      try methodSignature.requireArgumentCount(of: selector)
      self.selector = selector
      self.methodSignature = methodSignature
      self.isRequired = isRequired
    }

    /// Creates a method that somebody must respond to.
    ///
    /// - Throws: ``InvocationError`` as making the signature does, and `typeMismatch` when it is not that of an instance method.
    public static func required(_ selector: Selector, types: String) throws(InvocationError) -> Method {
      try Method(selector, MethodSignature(types: types), isRequired: true)
    }

    /// Creates a method that nobody need respond to.
    ///
    /// - Throws: ``InvocationError`` as making the signature does, and `typeMismatch` when it is not that of an instance method.
    public static func optional(_ selector: Selector, types: String) throws(InvocationError) -> Method {
      try Method(selector, MethodSignature(types: types), isRequired: false)
    }
  }
}
