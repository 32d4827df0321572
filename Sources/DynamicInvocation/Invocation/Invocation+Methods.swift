/// Method lookup: finds the method of the target for the selector.
extension Invocation {
  /// The code of the method found last, if it is still the method of the target for the selector.
  @inline(__always)
  var cachedCode: UnsafeRawPointer? {
    let address = unsafe frame.load(fromByteOffset: max(0, core.targetOffset), as: UInt.self)
    guard let target = unsafe UnsafeRawPointer(bitPattern: address), let method = unsafe methodCache.method else { return nil }
    return unsafe method._withUnsafeGuaranteedRef { method in
      unsafe isCached(method, of: Unmanaged<AnyObject>.fromOpaque(target)) ? method.code : nil
    }
  }

  /// Returns whether the cached method is the method of the target's class for the selector.
  ///
  /// A method is cached only when argument 0 is an object and argument 1 a selector.
  @inline(__always)
  private func isCached(_ method: Method, of target: Unmanaged<AnyObject>) -> Bool {
    unsafe slots[1].word(of: frame) == UInt64(UInt(bitPattern: method.selector.pointer))
      && target._withUnsafeGuaranteedRef { ObjectIdentifier(type(of: $0)) == methodCache.type }
      && methodCache.epoch == MethodTable.epoch
  }

  /// Returns the implementation from the class of an object or from the object itself; nil if there is no
  /// implementation.
  func implementation(of target: AnyObject) throws -> Implementation? {
    guard let selector else {
      throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1))
    }
    let isObject = unsafe slots[0].kind == .object
    if isObject {
      if let method = try method(of: target, selector) { return method.implementation }
      if let forwarder = unsafe MethodTable.of(type(of: target)).forwarder {
        let resolves = unsafe try forwarder._withUnsafeGuaranteedRef { try $0.resolves(selector) }
        if resolves, let method = try method(of: target, selector) { return method.implementation }
        // The class is known not to conform, which saves the slow cast below.
        if unsafe !forwarder._withUnsafeGuaranteedRef({ $0.isInvocable }) { return nil }
      }
    }
    guard let invocable = target as? any Invocable else {
      if isObject { return nil }
      throw InvocationError(.noImplementation, "\(target) is not Invocable, so it cannot be asked for an implementation")
    }
    guard let implementation = invocable.implementation(for: selector) else {
      if isObject { return nil }
      throw MethodTable.of(type(of: target)).unrecognized(selector)
    }
    if let own = implementation.methodSignature { try methodSignature.require(own, of: type(of: target), selector) }
    try implementation.requireTarget(type(of: target), selector)
    return implementation
  }

  /// Returns the method from the table of the target's class, and caches it.
  private func method(of target: AnyObject, _ selector: MethodSelector) throws(InvocationError) -> Method? {
    if let method = unsafe methodCache.method?.takeUnretainedValue(), unsafe isCached(method, of: .passUnretained(target)) { return method }
    let type: AnyClass = type(of: target)
    let (found, epoch) = MethodTable.lookUp { MethodTable.of(type).method(for: selector) }
    guard let method = found else { return nil }
    try methodSignature.require(method.methodSignature, of: type, selector)
    methodCache.keep(method, of: type, epoch, isCalling: core.state.runningCalls > 0)
    return method
  }
}
