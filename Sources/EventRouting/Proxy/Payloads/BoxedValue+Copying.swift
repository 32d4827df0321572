public import DynamicInvocation

extension BoxedValue {
  /// Boxes a typed value, for a parameter of another type.
  ///
  /// - Throws: ``DeliveryFailure`` when the type's encoding is not Swift's layout, or none that can be passed.
  @usableFromInline
  init<Value: EncodedValue>(copying value: Value) throws {
    let type = Value.typeEncoding
    let signature: MethodSignature
    do throws(InvocationError) {
      signature = try MethodSignature(MethodTypes(result: "v", arguments: [type]))
    } catch {
      throw DeliveryFailure(reason: error)
    }
    let call = PreparedCall(signature)
    let slot = unsafe call.slots[0]
    guard Value.accepts(slot.kind) else { throw DeliveryFailure(reason: .foreignLayout(Value.self)) }
    self = unsafe withUnsafeTemporaryAllocation(byteCount: call.frameSize, alignment: call.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      let owns = unsafe value.store(in: slot, of: frame, keeping: false)
      defer { if owns { slot.releaseOwned(word: unsafe frame.load(fromByteOffset: Int(slot.offset), as: UInt64.self)) } }
      return unsafe BoxedValue(in: slot, of: frame, as: type)
    }
    withExtendedLifetime(signature) {}
  }
}

extension InvocationError {
  /// The error of a type that declares an encoding which is not its layout in Swift.
  static func foreignLayout(_ type: any EncodedValue.Type, argument: Argument? = nil) -> InvocationError {
    InvocationError(
      .typeMismatch, "\(type) declares an encoding that is not Swift's layout", argument: argument,
      encoding: type.typeEncoding.description)
  }
}
