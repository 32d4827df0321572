public import DynamicInvocation

// Interceptors of all keys, or of keys with a prefix. Each is a template: when an event comes, a registration made from the
// template is in the list of the event's key. So a run over the list of a key knows nothing of prefixes.

extension EventProxy {
  /// Registers a closure that receives each event whose key has a prefix; without a prefix, every event.
  ///
  ///     try root.proxy.interceptAll { source, key, arguments in
  ///       print(key)
  ///       return .ignored
  ///     }
  ///     try root.proxy.interceptAll(withPrefix: "cart.") { source, key, arguments in
  ///       cart.isOpen ? .ignored : .handledAndStop(.pass)
  ///     }
  ///
  /// It is an interceptor of each of these keys, in the order in which it was registered: see
  /// ``intercept(_:options:_:)``. It may ignore, handle, stop or resend an event. At a node
  /// it receives the events that pass the node; at the root of a tree it receives all events that are sent up to the root. A
  /// ``DispatchReport/Observer`` receives the other events, too, and changes none.
  ///
  /// The registration ends, blocks and unblocks the interceptor for all keys. ``removeHandlers(for:)`` of a key does not
  /// remove it.
  ///
  /// - Parameters:
  ///   - prefix: The text with which a key begins, as `hasPrefix(_:)` compares it. The empty text begins every key.
  ///   - options: The priority and other options. ``HandlerOptions/duplicates`` is not used: there may be several interceptors.
  ///     ``HandlerOptions/receivesLast`` is not used either.
  ///   - body: Takes the source, the key and the arguments. An error that it throws is an error of the event.
  /// - Returns: The registration, whose key is the prefix.
  /// - Complexity: O(keys of the proxy). Ending, blocking and unblocking take O(keys of the interceptor). The first event of a key
  ///   allocates a registration for that key, which stays as long as the interceptor. Passes down visit all nodes between the root
  ///   and a node with such an interceptor. Events of a tree without such an interceptor cost nothing more.
  @discardableResult
  public func interceptAll(
    withPrefix prefix: String = "", options: HandlerOptions = HandlerOptions(duplicates: .append),
    _ body: @escaping (_ source: AnyObject?, _ key: EventKey, _ arguments: [BoxedValue]) throws -> EventReply
  ) -> EventRegistration {
    addInterceptor(ofPrefix: prefix, options) { key in
      InterceptorBody { source, arguments in try body(source, key, arguments) }
    }
  }

  /// Registers an asynchronous closure that receives each event whose key has a prefix; see the form with a synchronous
  /// closure.
  ///
  /// - Parameters:
  ///   - prefix: The text with which a key begins, as `hasPrefix(_:)` compares it. The empty text begins every key.
  ///   - options: The priority and other options, among them what a synchronous send does.
  ///   - actor: The actor on which a synchronous send starts the handler; the default is the isolation of the caller.
  ///   - body: Takes the source, the key and the arguments.
  @discardableResult
  public func interceptAll(
    withPrefix prefix: String = "", options: HandlerOptions = HandlerOptions(duplicates: .append),
    isolation actor: isolated (any Actor)? = #isolation,
    _ body:
      nonisolated(nonsending) @escaping (
        _ source: AnyObject?, _ key: EventKey, _ arguments: [BoxedValue]
      ) async throws -> EventReply
  ) -> EventRegistration {
    addInterceptor(ofPrefix: prefix, options) { key in AwaitedInterceptor(key, isolation: actor, body) }
  }

  private func addInterceptor(
    ofPrefix prefix: String, _ options: HandlerOptions, _ makeBody: @escaping (EventKey) -> HandlerBody
  ) -> EventRegistration {
    let template = EventRegistration(
      EventKey(prefix), .interceptor, target: nil, options, plan: nil, body: nil, source: .any, makeBody: makeBody)
    unsafe template.record.pointee.sequence = beginSequence()
    template.proxy = self
    let isFirst = interceptorsOfPrefixes.isEmpty
    interceptorsOfPrefixes.insert(template)
    for key in listedKeys { list(template, for: key) }
    if isFirst {
      unsafe state.pointee.proxyWithPrefixes = .passUnretained(self)
      for node in nodes { node.setTakesAnyKey(true) }
    }
    return template
  }

  /// Removes an interceptor of a prefix, for all keys.
  ///
  /// - Complexity: O(keys that it is listed for + log *n*) for *n* interceptors of prefixes.
  func removeInterceptor(ofPrefix template: EventRegistration) {
    template.proxy = nil
    template.links.list?.unlink(template)
    unsafe template.record.pointee.flags.insert(.removed)
    interceptorsOfPrefixes.remove(template)
    if interceptorsOfPrefixes.isEmpty {
      unsafe state.pointee.proxyWithPrefixes = nil
      for node in nodes { node.setTakesAnyKey(false) }
    }
    for registration in template.takeListed() { unlist(registration) }
  }

  /// Lists the interceptors of the prefixes of a key that has no handler yet.
  ///
  /// - Returns: The first of them.
  @usableFromInline @inline(never)
  func listInterceptors(ofPrefixesOf bits: UInt) -> UnsafeMutablePointer<HandlerRecord>? {
    let key = EventKey(bits: bits)
    for template in interceptorsOfPrefixes.all where !template.hasEnded { list(template, for: key) }
    return unsafe state.pointee.table[bits]
  }

  private func list(_ template: EventRegistration, for key: EventKey) {
    guard let makeBody = template.makeBody, key.name.hasPrefix(template.key.name) else { return }
    let registration = EventRegistration(
      key, .interceptor, target: nil, template.options, plan: nil, body: makeBody(key), source: .any, template: template)
    // The template's number: an event that began after the template was registered calls the registration.
    unsafe registration.record.pointee.sequence = unsafe template.record.pointee.sequence
    unsafe registration.record.pointee.flags.copyState(of: template.record.pointee.flags)
    template.listed.append(registration)
    list(registration)
  }

  /// Takes over what was set for an interceptor of a prefix, for all keys.
  func copyFlags(ofPrefix template: EventRegistration) {
    guard template.makeBody != nil else { return }
    for registration in template.listed {
      unsafe registration.record.pointee.flags.copyState(of: template.record.pointee.flags)
    }
  }
}

extension EventRegistration: OrderedMember {}

extension HandlerFlags {
  /// Takes over whether a handler is blocked, and whether something may have ended it.
  fileprivate mutating func copyState(of other: HandlerFlags) {
    for flag in [HandlerFlags.blocked, .watched] {
      if other.contains(flag) { insert(flag) } else { remove(flag) }
    }
  }
}
