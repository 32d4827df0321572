/// The forwarding of a message that the class of its target has no method for, by NSObject's rules from the forwarding
/// target on.
enum ForwardingChain {
  /// The maximum number of forwarding targets that are followed for one message.
  static let largestCount = 128

  /// What a forwarder has named as the next target of a message: an object, or nil.
  @safe
  struct Link {
    let forwarder: Unmanaged<Forwarder>
    let target: AnyObject?
  }

  /// Follows the forwarding targets.
  ///
  /// - Parameters:
  ///   - receiver: The target.
  ///   - first: What the receiver's forwarder has named, if it was asked already.
  ///   - selector: The selector.
  ///   - methodSignature: The types of the message.
  ///   - send: Sends the message to an object if that has an implementation. Returns whether it did.
  /// - Returns: The object that handles the message as an invocation, or nil if the message was sent.
  /// - Throws: `InvocationError`: `unrecognizedSelector`, `forwardingCycle`, `limitExceeded`, `typeMismatch`; and
  ///   what `send` throws.
  static func follow(
    from receiver: AnyObject, _ first: Link?, _ selector: MethodSelector, _ methodSignature: MethodSignature,
    _ send: (AnyObject) throws -> Bool
  ) throws -> (forwarder: Unmanaged<Forwarder>, receiver: AnyObject)? {
    var receiver = receiver
    var asked = first
    // The object at the last step that is a power of two: a cycle returns to it, however many objects precede the
    // cycle.
    var mark = receiver
    for step in 1...largestCount {
      let link: Link
      if let asked { link = asked } else { link = try ask(receiver, selector) }
      asked = nil
      let forwarder = unsafe link.forwarder
      guard let next = link.target else {
        try unsafe requireTypes(of: receiver, forwarder, selector, methodSignature)
        return unsafe (forwarder, receiver)
      }
      guard next !== receiver, next !== mark else { throw cycle(selector, receiver, next) }
      if try send(next) { return nil }
      receiver = next
      if step & (step - 1) == 0 { mark = next }
    }
    throw InvocationError(.limitExceeded, "'\(selector)' goes through more than \(largestCount) forwarding targets")
  }

  /// Throws unless an object handles a message of these types as an invocation.
  static func requireTypes(
    of receiver: AnyObject, _ forwarder: Unmanaged<Forwarder>, _ selector: MethodSelector, _ methodSignature: MethodSignature
  ) throws(InvocationError) {
    guard let own = unsafe forwarder._withUnsafeGuaranteedRef({ $0.methodSignature(of: receiver, for: selector) }) else {
      throw MethodTable.unrecognized(selector, by: receiver)
    }
    // Signatures are interned, so in most cases they are the same object.
    if own.storage !== methodSignature.storage { try methodSignature.require(own, of: type(of: receiver), selector) }
  }

  private static func ask(_ receiver: AnyObject, _ selector: MethodSelector) throws(InvocationError) -> Link {
    let table = MethodTable.of(type(of: receiver))
    guard let forwarder = unsafe table.forwarder else { throw table.unrecognized(selector) }
    return unsafe Link(
      forwarder: forwarder, target: forwarder._withUnsafeGuaranteedRef { $0.target(of: receiver, for: selector) })
  }

  private static func cycle(_ selector: MethodSelector, _ receiver: AnyObject, _ next: AnyObject) -> InvocationError {
    let reason =
      next === receiver
      ? "\(type(of: receiver)) names itself as the forwarding target of '\(selector)'"
      : "the forwarding targets of '\(selector)' go round in a circle, from \(type(of: receiver)) back to \(type(of: next))"
    return InvocationError(.forwardingCycle, reason)
  }
}
