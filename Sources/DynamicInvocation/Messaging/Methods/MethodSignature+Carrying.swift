extension MethodSignature {
  /// Whether a call of these types may be carried out by code of the other's.
  ///
  /// Names of structs, and what pointers point to, do not count: of a method made from Swift types nobody says it.
  func carries(_ other: MethodSignature) -> Bool {
    if storage === other.storage { return true }
    let (count, slots, otherSlots) = unsafe (storage.plan.count, storage.plan.slots, other.storage.plan.slots)
    return other.storage.plan.count == count && fixedArgumentCount == other.fixedArgumentCount
      && (0...count).allSatisfy { unsafe slots[$0].kind == otherSlots[$0].kind && slots[$0].kind != .unknown }
  }

  /// Throws unless a method has these types.
  ///
  /// Names of structs, and what pointers point to, do not count: of a method made from Swift types nobody says it.
  func require(_ own: MethodSignature, of type: AnyClass, _ selector: Selector) throws(InvocationError) {
    if carries(own) { return }
    throw InvocationError(.typeMismatch, "\(type) implements '\(selector)' with the types '\(own)', the invocation has '\(self)'")
  }
}
