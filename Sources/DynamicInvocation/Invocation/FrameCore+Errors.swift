/// The message of a call, as far as it is set.
extension FrameCore {
  @usableFromInline
  var methodSignature: MethodSignature { unsafe MethodSignature(storage: state.signature.takeUnretainedValue()) }

  /// The target of a message to an object, or nil.
  var target: AnyObject? {
    guard targetOffset >= 0 else { return nil }
    let slot = unsafe slots[0]
    if slot.kind == .object { return unsafe ObjectReference.object(in: slot, of: frame) }
    return unsafe ClassReference.type(slot.word(of: frame)) as AnyObject?
  }

  /// The selector of a message; nil if it is not set.
  var selector: MethodSelector? { unsafe targetOffset >= 0 && isSet(1) ? MethodSelector.load(from: slots[1], of: frame) : nil }

  /// Throws if an argument is not set, with the index of the first one.
  @inline(__always)
  func requireArguments() throws(InvocationError) {
    if count <= CallPlan.firstCount, state.setMask == plan.allSetMask { return }
    try requireEachArgument()
  }

  private func requireEachArgument() throws(InvocationError) {
    guard let index = (0..<count).first(where: { !isSet($0) }) else { return }
    throw notSet(index)
  }
}

extension Invocation {
  /// Returns the error with the name of the function, or of the message as far as it is set.
  package func named(_ error: InvocationError) -> InvocationError {
    defer { keepAlive() }
    return core.named(error)
  }
}

/// An object that a frame may belong to.
@usableFromInline
protocol FrameOwner: AnyObject {
  /// The name of the called function, if it is known.
  var functionName: String? { get }
}

extension InvocationError {
  /// Returns the error with the name of a message: the class of the target, if there is one, and the selector.
  func about(_ selector: MethodSelector, to target: AnyObject?) -> InvocationError {
    guard let target else { return about(selector.name) }
    let type: AnyClass = (target as? AnyClass) ?? type(of: target)
    return stating(typesOf: selector, of: type).about("-[\(type) \(selector)]")
  }

  /// Returns the error with the type that a method of a Swift library takes, where its encoding is that of an object.
  private func stating(typesOf selector: MethodSelector, of type: AnyClass) -> InvocationError {
    guard code == .typeMismatch, encoding == "@", case .index(let index)? = argument,
      let owner = MethodTable.of(type).method(for: selector)?.implementation.owner as? MethodOwner,
      owner.valueTypes.indices.contains(index - 2)
    else { return self }
    let name = _typeName(owner.valueTypes[index - 2], qualified: true)
    guard !reason.contains(name) else { return self }
    let stated = InvocationError(code, "\(reason); the method takes \(name), also in a SwiftValue", argument: argument, encoding: encoding)
    return callee.map(stated.about) ?? stated
  }
}

extension FrameCore {
  /// Returns the error with the name of the function, or of the message as far as it is set.
  @usableFromInline
  func named(_ error: InvocationError) -> InvocationError {
    if let name = (unsafe state.owner as? any FrameOwner)?.functionName { return error.about(name) }
    guard let selector else { return error }
    return error.about(selector, to: target)
  }

  func indexOutOfRange(_ index: Int) -> InvocationError { named(methodSignature.indexOutOfRange(index)) }

  /// Returns the error for a Swift type that does not match an argument or the result.
  @usableFromInline
  func mismatch(_ type: Any.Type, _ place: InvocationError.Argument) -> InvocationError { named(methodSignature.mismatch(type, place)) }

  func notSet(_ index: Int) -> InvocationError { named(methodSignature.notSet(index)) }

  @usableFromInline
  func noResult() -> InvocationError { named(methodSignature.noResult()) }

  /// Returns the error for a slot that has no value of the requested Swift type.
  @inline(never) @usableFromInline
  func unreadable(_ place: InvocationError.Argument, as type: Any.Type) -> InvocationError {
    switch place {
    case .index(let index): named(unsafe slots[index].unreadable(in: frame, place, as: type))
    case .result: named(unsafe resultSlot.unreadable(in: frame, place, as: type))
    }
  }
}
