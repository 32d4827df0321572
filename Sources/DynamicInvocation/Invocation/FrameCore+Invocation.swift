// MARK: Writing

extension FrameCore {
  /// Sets an argument from a value of its type, or from a literal.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - index: The index.
  ///   - slots: The slots of the plan. The caller passes them so that they are not reloaded from memory after each
  ///     write to the frame.
  ///   - count: The number of arguments.
  @inlinable @inline(__always)
  func set<Value: EncodedValue>(_ value: Value, at index: Int, _ slots: UnsafePointer<FrameSlot>, _ count: Int) throws(InvocationError) {
    let slot = unsafe slots + index
    guard UInt(bitPattern: index) < UInt(bitPattern: count), unsafe isOfType(Value.self, index, slots) else {
      guard let literal = Literal(value) else { throw failure(Value.self, at: index) }
      return try set(literal, at: index)
    }
    if Value.valueTraits.mayOwn, unsafe mayKeep(slot.pointee.kind) {
      keep(value, at: index)
    } else {
      _ = unsafe value.store(in: slot.pointee, of: frame, keeping: false)
    }
    markSet(index)
  }

  /// Returns whether an argument, or the result if `index` is the number of arguments, is of a type.
  @inlinable @inline(__always)
  func isOfType<Value: EncodedValue>(_ type: Value.Type, _ index: Int, _ slots: UnsafePointer<FrameSlot>) -> Bool {
    unsafe Value.matches(slots, at: index, FrameWriter.pointsRight(type, index, state.signature))
  }

  /// Returns whether the pointee of a pointer type matches an argument, or the result if `index` is the number of
  /// arguments.
  ///
  /// True for types that are not pointers.
  @inlinable @inline(__always)
  func pointsRight<Value: EncodedValue>(_ type: Value.Type, _ index: Int) -> Bool {
    unsafe Value.valueTraits.pointeeType == nil || FrameWriter.pointsRight(type, index, state.signature)
  }

  // Out of line, like all error paths of `set(_:at:_:_:)`, which is compiled into every call.

  /// Returns the error for an index out of range, or for a value of another type.
  @inline(never) @usableFromInline
  func failure(_ type: Any.Type, at index: Int) -> InvocationError {
    UInt(bitPattern: index) < UInt(bitPattern: count) ? mismatch(type, .index(index)) : indexOutOfRange(index)
  }

  /// Sets an argument to a literal, converted to the argument's type.
  @inline(never) @usableFromInline
  func set(_ literal: Literal, at index: Int) throws(InvocationError) {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw indexOutOfRange(index) }
    do {
      unsafe try methodSignature.adapt(literal, at: index, of: frame)
    } catch {
      throw named(error)
    }
    markSet(index)
  }

  /// Whether the frame may own a value of a kind when it is set, or may own the value that was set before.
  @inlinable @inline(__always)
  func mayKeep(_ kind: ValueKind) -> Bool { kind == .object ? state.retainsObjects || state.mayOwn : kind.mayOwn }

  /// Sets an argument whose value the frame may own.
  @inlinable
  func keep<Value: EncodedValue>(_ value: Value, at index: Int) {
    guard Value.valueTraits.isLookedUp else {
      return replace(index) { slot in unsafe value.store(in: slot, of: frame, keeping: keeps(slot.kind, index)) }
    }
    // The program's code gives the raw value, and may set this argument too. So the raw value is read first.
    let kind = unsafe slots[index].kind
    var word: UInt64 = 0
    let isOwned = unsafe withUnsafeMutableBytes(of: &word) { word in
      unsafe value.store(in: FrameSlot(wordOf: kind), of: word.baseAddress.unsafelyUnwrapped, keeping: keeps(kind, index))
    }
    replace(index) { slot in
      unsafe slot.write(word: word, to: frame)
      return isOwned
    }
  }

  /// Sets an argument to an object, a class, or null.
  @inline(never)
  func set(object: AnyObject?, at index: Int) throws(InvocationError) {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw indexOutOfRange(index) }
    let slot = unsafe slots[index]
    switch (slot.kind, object) {
    case (.object, _):
      if !state.retainsObjects && !state.mayOwn {
        _ = unsafe ObjectReference.store(object, in: slot, of: frame, keeping: false)
      } else {
        replace(index) { slot in unsafe ObjectReference.store(object, in: slot, of: frame, keeping: state.retainsObjects) }
      }
    case (.classObject, let type as AnyClass):
      unsafe slot.write(word: ClassReference.word(type), to: frame)
    case (.pointer, nil), (.cString, nil), (.block, nil), (.classObject, nil), (.selector, nil):
      replace(index) { slot in
        unsafe slot.write(word: 0, to: frame)
        return false
      }
    default:
      throw named(
        InvocationError(
          .typeMismatch, object == nil ? "null is no value of it" : "an object is no value of it", argument: .index(index),
          encoding: methodSignature.types.arguments[index].description))
    }
    markSet(index)
  }

  /// Sets an argument from a boxed value, converted to the argument's type.
  func set(boxed value: BoxedValue, at index: Int, _ options: ConversionOptions) throws(InvocationError) {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw indexOutOfRange(index) }
    let slot = unsafe slots[index]
    let old = unsafe isOwned(index) ? slot.word(of: frame) : nil
    let type = unsafe state.signature._withUnsafeGuaranteedRef { $0.types.arguments[index] }
    let keeping = slot.kind == .object ? state.retainsObjects : state.copiesStrings
    do {
      markOwned(index, unsafe try value.store(in: slot, of: frame, as: type, options: options, keeping: keeping))
    } catch {
      throw named(error.placed(.index(index), type))
    }
    if let old { release(old, replacedIn: slot) }
    markSet(index)
  }

  /// Sets an argument from its bytes.
  ///
  /// Reads as many bytes as the argument's type has.
  func set(bytes: UnsafeRawPointer, at index: Int) throws(InvocationError) {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw indexOutOfRange(index) }
    replace(index) { slot in
      unsafe slot.write(from: bytes, to: frame)
      return keepReference(in: slot, index)
    }
    markSet(index)
  }
}

// MARK: Reading

extension FrameCore {
  /// Returns an argument as a value of its type.
  @inlinable
  func argument<Value: EncodedValue>(_ type: Value.Type, at index: Int) throws(InvocationError) -> Value {
    let slot: FrameSlot
    do { slot = try slotOfArgument(type, at: index) } catch { return try widerArgument(type, at: index, error) }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else { throw unreadable(.index(index), as: Value.self) }
    return value
  }

  /// Returns an argument that is a number of a narrower type, or throws the error for any other argument.
  ///
  /// Specialized, so that it returns the value in registers, and the callers need no memory for it.
  @inlinable @inline(never)
  func widerArgument<Value: EncodedValue>(_ type: Value.Type, at index: Int, _ error: InvocationError) throws(InvocationError) -> Value {
    guard UInt(bitPattern: index) < UInt(bitPattern: count), type.isWider(than: unsafe slots[index].kind) else { throw error }
    let slot = try slotOfArgument(at: index)
    do { return try unsafe slot.widerValue(as: type, of: frame, .index(index)).get() } catch { throw named(error) }
  }

  /// Returns the slot of an argument, after checking that it is set and has the given type.
  @inline(never) @usableFromInline
  func slotOfArgument<Value: EncodedValue>(_ type: Value.Type, at index: Int) throws(InvocationError) -> FrameSlot {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw indexOutOfRange(index) }
    guard Value.accepts(unsafe slots[index].kind), pointsRight(type, index) else { throw mismatch(type, .index(index)) }
    return try slotOfArgument(at: index)
  }

  /// Returns the slot of an argument, after checking that it is set.
  @usableFromInline
  func slotOfArgument(at index: Int) throws(InvocationError) -> FrameSlot {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw indexOutOfRange(index) }
    guard isSet(index) else { throw notSet(index) }
    return unsafe slots[index]
  }
}

// MARK: - Errors

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
    let name = (target as? any ForeignTarget)?.foreignClassName ?? "\(type)"
    return stating(typesOf: selector, of: type).about("-[\(name) \(selector)]")
  }

  /// Returns the error with the type that a method of a Swift library takes, where its encoding is an object's.
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

// MARK: Calling

extension FrameCore {
  /// Calls an implementation with the arguments.
  ///
  /// A method with a nil target is not called, and the result is then zero.
  @inlinable @inline(__always)
  func invoke(using implementation: Implementation) throws {
    // The fast path: all arguments set, a target, and a result that is not reference-counted. Only the call remains.
    if state.setMask == state.fastPathMask, implementation.isOpaque, hasTarget {
      if state.mayOwn {
        unsafe callKeepingArguments(implementation.pointer)
      } else {
        unsafe kernel(frame, implementation.pointer, context)
      }
      state.hasResult = true
    } else {
      try invokeWithChecks(using: implementation)
    }
  }

  @inline(never) @usableFromInline
  func invokeWithChecks(using implementation: Implementation) throws {
    if unsafe state.setMask == state.fastPathMask && implementation.isPlain(for: state.signature.takeUnretainedValue()),
      hasTarget, !state.mayOwn
    {
      unsafe kernel(frame, implementation.pointer, context)
      state.hasResult = true
      return
    }
    guard hasTarget else { return setZeroResult() }
    try requireArguments()
    try performWithChecks(implementation)
  }

  /// Throws unless the types and the target match the implementation, as far as both are known.
  @inline(__always)
  func require(_ implementation: Implementation) throws(InvocationError) {
    try implementation.requireTypes(methodSignature, selector)
    // The implementation is a method, so argument 0 is an object.
    if implementation.hasTargetType { try implementation.requireTarget(at: unsafe slots[0].word(of: frame), selector) }
  }

  /// Checks the types and the target, then calls the code.
  ///
  /// All arguments are set.
  func performWithChecks(_ implementation: Implementation) throws {
    try require(implementation)
    try perform(implementation)
  }

  /// Calls the code, whose types and target were checked.
  ///
  /// All arguments are set.
  func perform(_ implementation: Implementation) throws {
    try withRunningCall(mayThrow: implementation.mayThrow, isRetained: implementation.returnsRetained) { execute(implementation) }
  }

  /// Calls the code, and keeps it alive even if the callee drops the last other reference to it.
  func execute(_ implementation: Implementation) {
    defer { withExtendedLifetime(implementation) {} }
    unsafe execute(implementation.pointer, in: frame)
  }
}

// MARK: The result

extension FrameCore {
  /// Returns the result as a value of its type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - slots: The slots of the plan, already loaded by the caller.
  ///   - count: The number of arguments.
  @inlinable @inline(__always)
  func result<Value: EncodedValue>(_ type: Value.Type, _ slots: UnsafePointer<FrameSlot>, _ count: Int) throws(InvocationError) -> Value {
    let slot = unsafe slots[count]
    guard unsafe isOfType(type, count, slots), state.hasResult else { return try widerResult(type) }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else { throw unreadable(.result, as: type) }
    return value
  }

  /// Returns a result that is a number of a narrower type or bytes that are read as a text, or throws the error for a result
  /// of another type or a missing one.
  ///
  /// Specialized, so that it returns the value in registers, and the callers need no memory for it.
  @inlinable @inline(never)
  func widerResult<Value: EncodedValue>(_ type: Value.Type) throws(InvocationError) -> Value {
    guard type.isResult(of: methodSignature) else { throw named(methodSignature.resultMismatch(type)) }
    guard state.hasResult else { throw noResult() }
    if methodSignature.returnsText(type) {
      guard let value = unsafe Value.load(from: resultSlot, of: UnsafeRawPointer(frame)) else { throw unreadable(.result, as: type) }
      return value
    }
    do { return try unsafe resultSlot.widerValue(as: type, of: frame, .result).get() } catch { throw named(error) }
  }

  /// Sets the result to a literal, converted to the return type.
  @inline(never) @usableFromInline
  func setResult(_ literal: Literal) throws(InvocationError) {
    do { unsafe try methodSignature.adapt(literal, at: count, of: frame) } catch { throw named(error) }
    keepResult()
  }

  /// Returns a result that is an object, or nil for null.
  func objectResult() throws(InvocationError) -> AnyObject? {
    guard resultSlot.kind == .object else { throw mismatch(AnyObject.self, .result) }
    guard state.hasResult else { throw noResult() }
    return unsafe ObjectReference.object(in: resultSlot, of: frame)
  }

  /// Returns the result as a boxed value; a void result is returned as null.
  func boxedResult() throws(InvocationError) -> BoxedValue {
    guard state.hasResult else { throw noResult() }
    return unsafe BoxedValue(in: resultSlot, of: frame, as: methodSignature.returnType)
  }
}
