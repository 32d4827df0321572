extension CallFrame {
  /// Sets an argument from a value of its type.
  ///
  /// - Parameters:
  ///   - value: The value, of a Swift type that is that of the encoding, or a literal of it: an `Int` or a `Double` that fits.
  ///   - index: The index; of a method 0 is the target, 1 the selector.
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `typeMismatch`, `outOfRange`, `inexact`.
  /// - Complexity: O(bytes of the value). A string allocates its copy; nothing else allocates.
  @inlinable @inline(__always)
  public func setArgument<Value: EncodedValue>(_ value: Value, at index: Int) throws(InvocationError) {
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    let slot = unsafe slots[index]
    guard Value.accepts(slot.kind), unsafe Value.pointeeType == nil || FrameWriter.pointsRight(Value.self, index, storage) else {
      guard let literal = Literal(value) else { throw mismatch(Value.self, .index(index)) }
      return try set(literal, at: index)
    }
    if Value.mayOwn, slot.kind.mayOwn, keepsObjects || slot.kind == .cString {
      unsafe replace(index) { slot, frame in unsafe value.store(in: slot, of: frame, keeping: true) }
    } else {
      _ = unsafe value.store(in: slot, of: frame, keeping: false)
    }
    markSet(index)
  }

  /// Sets an argument to a literal, converted to the argument's type.
  @inline(never) @usableFromInline
  func set(_ value: Literal, at index: Int) throws(InvocationError) {
    do {
      unsafe try methodSignature.adapt(value, at: index, of: frame)
    } catch {
      throw named(error)
    }
    markSet(index)
  }

  @inline(never) @usableFromInline
  func indexOutOfRange(_ index: Int) -> InvocationError { named(methodSignature.indexOutOfRange(index)) }

  /// The error of a value whose type is not that of its place.
  @inline(never) @usableFromInline
  func mismatch(_ type: Any.Type, _ place: InvocationError.Argument) -> InvocationError { named(methodSignature.mismatch(type, place)) }

  /// Sets an argument to an object or null.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`, and `typeMismatch` when the argument is no object.
  /// - Complexity: O(1).
  public func setArgument(_ object: AnyObject?, at index: Int) throws(InvocationError) {
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    guard unsafe slots[index].kind == .object else { throw mismatch(AnyObject.self, .index(index)) }
    unsafe replace(index) { slot, frame in unsafe ObjectReference.store(object, in: slot, of: frame, keeping: keepsObjects) }
    markSet(index)
  }

  /// Sets an argument from a boxed value, converted to the argument's type.
  ///
  /// - Throws: ``InvocationError`` as ``Invocation/setArgument(boxed:at:options:)`` does. The argument then keeps what it had.
  /// - Complexity: O(bytes of the value). A string is copied.
  public func setArgument(boxed value: BoxedValue, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    let type = methodSignature.types.arguments[index]
    let converted: BoxedValue.Converted
    do {
      converted = try value.converted(to: type, options)
    } catch {
      throw named(error.placed(.index(index), type))
    }
    unsafe replace(index) { slot, frame in unsafe converted.store(in: slot, of: frame, keeping: keepsObjects || slot.kind == .cString) }
    markSet(index)
  }

  /// Writes a slot, then releases what it owned before: the new value may be a part of the old one.
  @usableFromInline
  func replace(_ index: Int, _ write: (Slot, UnsafeMutableRawPointer) -> Bool) {
    let slot = unsafe slots[index]
    let old = unsafe plan.isOwned(index, in: frame) ? slot.word(of: frame) : nil
    let owns = unsafe write(slot, frame)
    if owns { unsafe state.pointee.mayOwn = true }
    unsafe plan.markOwned(index, owns, in: frame)
    if let old { slot.releaseOwned(word: old) }
  }

  /// Marks an argument as set; the index is in range.
  @inlinable @inline(__always)
  func markSet(_ index: Int) {
    if index < CallPlan.firstCount {
      unsafe state.pointee.firstSet |= 1 << UInt64(truncatingIfNeeded: index)
    } else {
      markFarSet(index)
    }
  }

  @usableFromInline
  func markFarSet(_ index: Int) { unsafe plan.markSet(index, in: frame) }

  /// Whether an argument is set; the index is in range.
  func isSet(_ index: Int) -> Bool {
    index < CallPlan.firstCount ? unsafe state.pointee.firstSet >> UInt64(index) & 1 != 0 : unsafe plan.isSet(index, in: frame)
  }
}
