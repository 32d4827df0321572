/// Checks of a call against what is known about an implementation: its types, and the class of its targets.
///
/// Signatures are interned, so in most cases the check is a comparison of two pointers.
extension Implementation {
  /// The class of the accepted targets if the implementation is a method of a known class, otherwise nil.
  package var targetType: AnyClass? {
    guard hasTargetType, let owner else { return nil }
    return unsafe unsafeDowncast(owner as AnyObject, to: MethodOwner.self).targetType
  }

  /// Returns whether the implementation is a plain function of exactly the types `call`, so that no check is left to do
  /// before the call.
  @inlinable @inline(__always)
  func isPlain(for call: PlannedSignature) -> Bool { traits & 0b1010 == 0 && types === call }

  /// Throws unless the code can be called with the types `call`, as far as its own types are known.
  ///
  /// - Parameter selector: The selector of a message, or nil.
  @inline(__always)
  package func requireTypes(_ call: MethodSignature, _ selector: @autoclosure () -> MethodSelector?) throws(InvocationError) {
    guard let types, types !== call.storage else { return }
    try Self.compare(MethodSignature(storage: types), call, selector())
  }

  /// Throws unless the code can be called with the types `call`, as far as its own types are known.
  @inline(never) @usableFromInline
  func requireTypes(of call: MethodSignature) throws(InvocationError) { try requireTypes(call, nil) }

  @inline(never)
  private static func compare(_ own: MethodSignature, _ call: MethodSignature, _ selector: MethodSelector?) throws(InvocationError) {
    if call.carries(own) { return }
    throw InvocationError(.typeMismatch, "the implementation\(named(selector)) has the types '\(own)', the call has '\(call)'")
  }

  /// Throws unless the code accepts instances of a class as targets, as far as the class of its targets is known.
  package func requireTarget(_ type: AnyClass, _ selector: @autoclosure () -> MethodSelector?) throws(InvocationError) {
    guard let wanted = targetType, type != wanted, !MethodTable.of(type).isSubclass(of: wanted) else { return }
    throw InvocationError(
      .typeMismatch, "the implementation\(Self.named(selector())) takes a target of the class \(wanted), not \(type)")
  }

  /// Throws unless the code accepts an object as the target, as far as the class of its targets is known.
  ///
  /// - Parameter word: The address of the object, or 0, which is always accepted because there is no object to check.
  @usableFromInline
  package func requireTarget(at word: UInt64, _ selector: @autoclosure () -> MethodSelector?) throws(InvocationError) {
    guard hasTargetType, let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return }
    let type: AnyClass = unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef { Swift.type(of: $0) }
    try requireTarget(type, selector())
  }

  private static func named(_ selector: MethodSelector?) -> String { selector.map { " of '\($0)'" } ?? "" }

  /// Returns the implementation as a method of a class.
  ///
  /// It accepts instances of that class, unless the class of its targets is known already.
  func method(of type: AnyClass) -> Implementation {
    // Code that forwards messages is not a method of any class.
    if hasTargetType || owner is ForwardingClosure { return self }
    return unsafe Implementation(
      pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, mayThrow: mayThrow,
      isMethod: true, keeping: MethodOwner(targetType: type, keeping: owner, parameters: (owner as? Closure)?.parameters ?? []))
  }
}
