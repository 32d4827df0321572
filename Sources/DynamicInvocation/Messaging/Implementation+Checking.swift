/// What is known of an implementation is compared with each call: its types, and the class of its targets.
///
/// The types of signatures are interned, so that mostly a comparison of two pointers tells.
extension Implementation {
  /// The class of the targets that it takes, where that is known: it is a method of that class.
  package var targetType: AnyClass? {
    guard hasTargetType, let owner else { return nil }
    return unsafe unsafeDowncast(owner as AnyObject, to: MethodOwner.self).targetType
  }

  /// Whether a call of some types is that of a plain function of just these types, and nothing is left to do but to call.
  @inlinable @inline(__always)
  func isPlain(for call: MethodSignature.Storage) -> Bool { traits & 0b1010 == 0 && types === call }

  /// Throws unless a call of some types may be carried out by the code, as far as its own types are known.
  ///
  /// - Parameter selector: The selector of a message, or nil.
  @inline(__always)
  package func requireTypes(_ call: MethodSignature, _ selector: @autoclosure () -> Selector?) throws(InvocationError) {
    guard let types, types !== call.storage else { return }
    try Self.compare(MethodSignature(storage: types), call, selector())
  }

  /// Throws unless a call of some types may be carried out by the code, as far as its own types are known.
  @inline(never) @usableFromInline
  func requireTypes(of call: MethodSignature) throws(InvocationError) { try requireTypes(call, nil) }

  @inline(never)
  private static func compare(_ own: MethodSignature, _ call: MethodSignature, _ selector: Selector?) throws(InvocationError) {
    if call.carries(own) { return }
    throw InvocationError(.typeMismatch, "the implementation\(named(selector)) has the types '\(own)', the call has '\(call)'")
  }

  /// Throws unless instances of a class are targets that the code takes, as far as it is known which are.
  package func requireTarget(_ type: AnyClass, _ selector: @autoclosure () -> Selector?) throws(InvocationError) {
    guard let wanted = targetType, type != wanted, !MethodTable.of(type).isSubclass(of: wanted) else { return }
    throw InvocationError(
      .typeMismatch, "the implementation\(Self.named(selector())) takes a target of the class \(wanted), not \(type)")
  }

  /// Throws unless an object is a target that the code takes, as far as it is known which are.
  ///
  /// - Parameter word: The address of the object, or 0, which is taken: there is nothing to read.
  @usableFromInline
  func requireTarget(at word: UInt64, _ selector: @autoclosure () -> Selector?) throws(InvocationError) {
    guard hasTargetType, let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return }
    let type: AnyClass = unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef { Swift.type(of: $0) }
    try requireTarget(type, selector())
  }

  private static func named(_ selector: Selector?) -> String { selector.map { " of '\($0)'" } ?? "" }

  /// The implementation as a method of a class: it takes instances of that class, unless its targets are known already.
  func method(of type: AnyClass) -> Implementation {
    // What forwards is no method of anyone.
    if hasTargetType || owner is ForwardingClosure { return self }
    return unsafe Implementation(
      pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, mayThrow: mayThrow,
      isMethod: true, keeping: MethodOwner(targetType: type, keeping: owner))
  }
}
