extension MethodSignature {
  /// Finds the types of a message to an object, in the order of ``Invocation/invoke()``.
  ///
  /// Returns nil if the object does not specify any.
  ///
  /// They are the types of the method of the object's class, of a method resolved now, of the implementation of an
  /// ``Invocable``, of the forwarding target's method, or those that ``Forwarding/methodSignature(for:)`` returns. No
  /// message is sent.
  ///
  /// - Complexity: As looking up the method. Allocates nothing, except what the object allocates.
  public init?(of selector: MethodSelector, to target: AnyObject) {
    if let own = MethodTableRegistry.shared.methodSignature(of: type(of: target), for: selector) {
      self = own
      return
    }
    // If the forwarding targets form a cycle, the message has no types.
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
        // The message would throw this error.
        return nil
      }
      guard let forwarder = unsafe MethodTable.of(type(of: object)).forwarder else { return nil }
      next = unsafe forwarder._withUnsafeGuaranteedRef { $0.target(of: object, for: selector) }
      guard next == nil else { continue }
      guard let signature = unsafe Self.answer(of: object, forwarder, selector) else { return nil }
      self = signature
      return
    }
    return nil
  }

  /// Asks an object for the types of a message, which it may ask another object for.
  ///
  /// Returns nil if too many objects ask each other: two proxies may name each other.
  private static func answer(of object: AnyObject, _ forwarder: Unmanaged<Forwarder>, _ selector: MethodSelector) -> MethodSignature? {
    let depth = ThreadState.signatureDepth
    guard depth < ForwardingChain.largestCount else { return nil }
    ThreadState.signatureDepth = depth + 1
    defer { ThreadState.signatureDepth = depth }
    return unsafe forwarder._withUnsafeGuaranteedRef { $0.methodSignature(of: object, for: selector) }
  }
}

extension Invocation {
  /// Creates the invocation of a message, with the types that the target specifies.
  ///
  /// It retains its arguments, including the target.
  ///
  /// - Parameters:
  ///   - target: The target, which is set.
  ///   - selector: The selector, which is set.
  /// - Throws: `InvocationError` `unrecognizedSelector` if the target specifies no types for the selector, and
  ///   `typeMismatch` if they are those of a function, or of a message to a class and the target is none.
  public convenience init(target: AnyObject, selector: MethodSelector) throws(InvocationError) {
    try unsafe self.init(target: target, selector: selector, retainsArguments: true)
  }

  /// Creates the invocation of a message, with the types that the target specifies.
  ///
  /// - Parameters:
  ///   - target: The target, which is set.
  ///   - selector: The selector, which is set.
  ///   - retainsArguments: Whether to retain objects and copy C strings, including the target, as for
  ///     ``init(_:retainsArguments:)``.
  /// - Throws: `InvocationError` `unrecognizedSelector` if the target specifies no types for the selector, and
  ///   `typeMismatch` if they are those of a function, or of a message to a class and the target is none.
  @unsafe
  public convenience init(target: AnyObject, selector: MethodSelector, retainsArguments: Bool) throws(InvocationError) {
    guard let signature = MethodSignature(of: selector, to: target) else {
      throw MethodTable.unrecognized(selector, by: target)
    }
    guard signature.isMethod else {
      throw InvocationError(.typeMismatch, "\(type(of: target)) gives '\(selector)' the types of a function", encoding: "\(signature)")
    }
    unsafe self.init(signature, retainsArguments: retainsArguments)
    self.selector = selector
    try setArgument(target, at: 0)
  }
}
