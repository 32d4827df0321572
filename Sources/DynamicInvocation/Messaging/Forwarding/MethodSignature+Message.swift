extension MethodSignature {
  /// Finds the types of a message to an object, by what would answer it in ``Invocation/invoke()``; nil when the object says none.
  ///
  /// That is the method of the object's class, one resolved now, the implementation of an ``Invocable``, the forwarding target's method, or
  /// ``Forwarding/methodSignature(for:)``. Nothing is sent.
  ///
  /// - Complexity: As looking up the method; nothing is allocated, save by the object.
  public init?(of selector: Selector, to target: AnyObject) {
    // Targets that name each other in a circle say no types.
    var next: AnyObject? = target
    for _ in 0...ForwardingChain.largestCount {
      guard let object = next else { return nil }
      do {
        if let own = try MethodTable.implementation(of: object, for: selector) {
          guard let types = own.methodSignature else { return nil }
          self = types
          return
        }
      } catch {
        // The message would end with this error.
        return nil
      }
      guard let forwarder = unsafe MethodTable.of(type(of: object)).forwarder else { return nil }
      next = unsafe forwarder._withUnsafeGuaranteedRef { $0.target(of: object, for: selector) }
      guard next == nil else { continue }
      guard let signature = unsafe forwarder._withUnsafeGuaranteedRef({ $0.methodSignature(of: object, for: selector) }) else { return nil }
      self = signature
      return
    }
    return nil
  }
}

extension Invocation {
  /// Creates the invocation of a message, with the types that the target says; it keeps its arguments, the target among them.
  ///
  /// - Parameters:
  ///   - target: The target, which is set.
  ///   - selector: The selector, which is set.
  /// - Throws: ``InvocationError`` `unrecognizedSelector` when the target says no types for the selector.
  public convenience init(target: AnyObject, selector: Selector) throws(InvocationError) {
    try unsafe self.init(target: target, selector: selector, retainsArguments: true)
  }

  /// Creates the invocation of a message, with the types that the target says.
  ///
  /// - Parameters:
  ///   - target: The target, which is set.
  ///   - selector: The selector, which is set.
  ///   - retainsArguments: Whether to keep objects and copy C strings, the target among them, as for ``init(_:retainsArguments:)``.
  /// - Throws: ``InvocationError`` `unrecognizedSelector` when the target says no types for the selector.
  @unsafe
  public convenience init(target: AnyObject, selector: Selector, retainsArguments: Bool) throws(InvocationError) {
    guard let signature = MethodSignature(of: selector, to: target) else {
      throw MethodTable.of(type(of: target)).unrecognized(selector)
    }
    guard signature.isMethod else {
      throw InvocationError(.typeMismatch, "\(type(of: target)) gives '\(selector)' the types of a function", encoding: "\(signature)")
    }
    unsafe self.init(signature, retainsArguments: retainsArguments)
    self.target = target
    self.selector = selector
  }
}
