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
    if Value.mayOwn, unsafe mayKeep(slot.pointee.kind) {
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
    unsafe Value.pointeeType == nil || FrameWriter.pointsRight(type, index, state.signature)
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
    guard Value.isLookedUp else {
      return replace(index) { slot in unsafe value.store(in: slot, of: frame, keeping: keeps(slot.kind, index)) }
    }
    // The raw value is that of the program's code, which may set this argument too. So it is read first.
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
