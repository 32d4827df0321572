/// The implementers.
extension ProtocolDispatcher {
  /// The implementers that are alive, in the order of their calls.
  ///
  /// - Complexity: O(*n*); allocates the array.
  public var implementers: [AnyObject] { list.implementers }

  /// The numbers of the implementers that are alive, in the order of their calls.
  ///
  /// - Complexity: O(*n*); allocates the array.
  public var numbers: [Int] { list.numbers }

  /// Adds an implementer, to be called after the others.
  ///
  /// - Parameters:
  ///   - implementer: The implementer. It is not retained.
  ///   - allowsDuplicates: Whether to add it again if it is an implementer already, so that it is called once more.
  /// - Returns: Its number. If it is an implementer already and not added again, the number that it has.
  /// - Throws: `InvocationError` `typeMismatch` if it has, or forwards, a method of the protocol with other types, and
  ///   `dispatchCycle` for this dispatcher, or a dispatcher whose messages reach this one.
  /// - Complexity: O(*implementers* × *methods*), under a lock.
  @discardableResult
  public func append(_ implementer: AnyObject, allowsDuplicates: Bool = false) throws(InvocationError) -> Int {
    try add(implementer) { list throws(InvocationError) in try list.append(implementer, allowsDuplicates: allowsDuplicates) }
  }

  /// Adds an implementer, to be called before others.
  ///
  /// - Parameters:
  ///   - implementer: The implementer. It is not retained.
  ///   - position: The number of ``implementers`` that are called before it. If it is not less than their count, the
  ///     implementer is the last.
  ///   - allowsDuplicates: Whether to add it again if it is an implementer already. Otherwise its position does not
  ///     change.
  /// - Returns: Its number, as ``append(_:allowsDuplicates:)`` does.
  /// - Throws: `InvocationError` as ``append(_:allowsDuplicates:)`` does, and `indexOutOfRange` for a negative
  ///   position.
  /// - Complexity: O(*implementers* × *methods*), under a lock.
  @discardableResult
  public func insert(_ implementer: AnyObject, at position: Int, allowsDuplicates: Bool = false) throws(InvocationError) -> Int {
    try add(implementer) { list throws(InvocationError) in
      try list.insert(implementer, at: position, allowsDuplicates: allowsDuplicates)
    }
  }

  /// Removes all entries of an implementer.
  ///
  /// - Returns: Whether it was an implementer.
  /// - Complexity: O(*implementers* × *methods*), under a lock.
  @discardableResult
  public func remove(_ implementer: AnyObject) -> Bool {
    defer { renew() }
    return list.remove(implementer)
  }

  /// Removes the implementer of a number.
  ///
  /// - Returns: Whether there was one.
  /// - Complexity: O(*implementers* × *methods*), under a lock.
  @discardableResult
  public func remove(number: Int) -> Bool {
    defer { renew() }
    return list.remove(number: number)
  }

  /// Removes all implementers.
  ///
  /// - Complexity: O(*implementers* × *methods*), under a lock.
  public func removeAll() {
    list.removeAll()
    renew()
  }

  private func add(
    _ implementer: AnyObject, _ insert: (ImplementerList<AnyObject>) throws(InvocationError) -> Int
  ) throws(InvocationError) -> Int {
    try requireTypes(of: implementer)
    defer { renew() }
    return try list.add(implementer, to: self, "messages", "dispatcher of \(dispatchProtocol.name)", by: insert)
  }

  /// Throws if an implementer has a method of the protocol with other types.
  func requireTypes(of implementer: AnyObject) throws(InvocationError) {
    let type: AnyClass = type(of: implementer)
    for method in dispatchProtocol.methods {
      let own =
        MethodTable.of(type).methodSignature(for: method.selector)
        ?? (implementer as? ProtocolDispatcher)?.dispatchProtocol.method(for: method.selector)?.methodSignature
        ?? (implementer as? any Invocable)?.implementation(for: method.selector)?.methodSignature
        ?? MethodSignature(of: method.selector, to: implementer)
      guard let own, !method.methodSignature.carries(own) else { continue }
      throw InvocationError(
        .typeMismatch,
        "\(type) implements '\(method.selector)' with the types '\(own)', \(dispatchProtocol.name) has '\(method.methodSignature)'")
    }
  }
}
