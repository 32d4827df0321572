internal import CallFrames
internal import DynamicInvocation

// What one object registered, removed with one call.

extension EventRegistration {
  /// Makes an object the owner of the handler, and returns the registration.
  ///
  ///     try node.proxy.register("row.tapped") { (row: Row?, index: Int) in ... }.owned(by: controller)
  ///     try node.proxy.intercept("row.moved") { source, key, arguments in ... }.owned(by: controller)
  ///     root.removeHandlers(ownedBy: controller)
  ///
  /// The owner is not retained. After the owner was deallocated, on any thread, no event calls the handler. The next event that
  /// reaches the handler removes it, as for a weak target. Without this call, the target, if there is one, owns the handler. A
  /// second call replaces the owner.
  ///
  /// - Complexity: Constant. Each event that reaches the handler checks whether the owner is alive, which takes some
  ///   nanoseconds.
  @discardableResult
  public func owned(by owner: AnyObject) -> EventRegistration {
    if let template {
      template.owned(by: owner)
      return self
    }
    self.owner = WeakObject(owner)
    watch()
    return self
  }

  /// Whether an object owns the handler.
  func isOwned(by object: AnyObject) -> Bool {
    let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    // The memory of a deallocated owner or weak target is not used again while there is a reference to it.
    return unsafe (owner?.address ?? record.pointee.target.address) == address
  }
}

extension EventProxy {
  /// Removes the handlers and interceptors that an object owns, by ``EventRegistration/owned(by:)`` or as their
  /// target.
  ///
  /// Events that are being delivered no longer call them.
  ///
  /// - Complexity: O(handlers).
  public func removeHandlers(ownedBy owner: AnyObject) {
    for registration in registrations where registration.isOwned(by: owner) { remove(registration) }
  }
}

extension Responder {
  /// Removes the handlers and interceptors that an object owns from this node and from all nodes below it.
  ///
  /// It does the same as ``EventProxy/removeHandlers(ownedBy:)`` for each of them. A node that is below itself is taken once.
  ///
  /// - Complexity: O(nodes + handlers); allocates.
  public func removeHandlers(ownedBy owner: AnyObject) {
    // All proxies first: what is released with a handler may change the tree.
    let proxies = TreeWalk.nodes(from: self, limit: .max).compactMap(\.node.eventProxy)
    for proxy in proxies { proxy.removeHandlers(ownedBy: owner) }
  }
}
