/// How an invocation finds the method that its target has for its selector.
extension Invocation {
  /// The code of the method found the last time, if it is still that of the target and the selector.
  @inline(__always)
  var cachedCode: UnsafeRawPointer? {
    let address = unsafe frame.load(fromByteOffset: max(0, targetOffset), as: UInt.self)
    guard let target = unsafe UnsafeRawPointer(bitPattern: address), let method = unsafe methodCache.method else { return nil }
    return unsafe method._withUnsafeGuaranteedRef { method in
      unsafe isCached(method, of: Unmanaged<AnyObject>.fromOpaque(target)) ? method.code : nil
    }
  }

  /// Whether the method is that of the target's class for the selector.
  ///
  /// There is a method only when argument 0 is an object and argument 1 a selector.
  @inline(__always)
  private func isCached(_ method: Method, of target: Unmanaged<AnyObject>) -> Bool {
    unsafe slots[1].word(of: frame) == UInt64(UInt(bitPattern: method.selector.pointer))
      && target._withUnsafeGuaranteedRef { ObjectIdentifier(type(of: $0)) == methodCache.type }
      && methodCache.epoch == MethodTable.epoch
  }

  /// The implementation that the class of the target has, or that the target says itself.
  func implementation(of target: AnyObject) throws(InvocationError) -> Implementation {
    guard let selector else {
      throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1))
    }
    let isObject = unsafe slots[0].kind == .object
    if isObject, let method = try method(of: target, selector) { return method.implementation }
    guard let invocable = target as? any Invocable else {
      if isObject { throw MethodTable.of(type(of: target)).unrecognized(selector) }
      throw InvocationError(.noImplementation, "\(target) is not Invocable, so it cannot be asked for an implementation")
    }
    guard let implementation = invocable.implementation(for: selector) else {
      throw MethodTable.of(type(of: target)).unrecognized(selector)
    }
    if let own = implementation.methodSignature { try require(own, of: type(of: target), selector) }
    return implementation
  }

  /// The method in the table of the target's class, from now on cached.
  private func method(of target: AnyObject, _ selector: Selector) throws(InvocationError) -> Method? {
    if let method = unsafe methodCache.method?.takeUnretainedValue(), unsafe isCached(method, of: .passUnretained(target)) { return method }
    // Read before the table: a change after it makes what is found here stale.
    let epoch = MethodTable.epoch
    let type: AnyClass = type(of: target)
    guard let method = MethodTable.of(type).method(for: selector) else { return nil }
    try require(method.methodSignature, of: type, selector)
    methodCache.keep(method, of: type, epoch)
    return method
  }

  /// Throws unless a method has the types of this invocation.
  private func require(_ own: MethodSignature, of type: AnyClass, _ selector: Selector) throws(InvocationError) {
    if methodSignature.carries(own) { return }
    throw InvocationError(
      .typeMismatch, "\(type) implements '\(selector)' with the types '\(own)', the invocation has '\(methodSignature)'")
  }
}
