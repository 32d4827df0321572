extension Invocation {
  /// Sets an argument from a value of its type.
  ///
  /// - Parameters:
  ///   - value: The value. Its Swift type must be that of the encoding: `Int32` for `i`, `Double` for `d`, a struct of the same layout for a
  ///     struct. A literal adapts: an `Int` becomes any integer or floating-point type, a `Double` any floating-point type, when the value fits.
  ///   - index: The index; of a method 0 is the target, 1 the selector.
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `typeMismatch`, and `outOfRange` and `inexact` for a literal that does not fit.
  /// - Complexity: O(bytes of the value). A string allocates its copy; nothing else allocates.
  @inlinable @inline(__always)
  public func setArgument<Value: EncodedValue>(_ value: Value, at index: Int) throws(InvocationError) {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw indexOutOfRange(index) }
    let slot = unsafe slots + index
    guard Value.accepts(unsafe slot.pointee.kind), Value.pointeeType == nil || pointsRight(Value.self, index) else {
      guard let literal = Literal(value) else { throw mismatch(Value.self, .index(index)) }
      return try set(literal, at: index)
    }
    if Value.mayOwn, unsafe slot.pointee.kind.mayOwn {
      keepArgument(value, at: index)
    } else {
      _ = unsafe value.store(in: slot.pointee, of: frame, keeping: false)
    }
    markSet(index)
  }

  /// Whether the values of a pointer type point to what an argument, or behind the last one the result, does.
  @inlinable @inline(__always)
  func pointsRight<Value: EncodedValue>(_ type: Value.Type, _ index: Int) -> Bool { methodSignature.storage.pointsRight(type, at: index) }

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

  /// Sets an argument that the frame may come to own.
  @inlinable
  func keepArgument<Value: EncodedValue>(_ value: Value, at index: Int) {
    replace(index) { slot in unsafe value.store(in: slot, of: frame, keeping: keepsArgument(index)) }
  }

  /// Sets an argument to an object, a class, or null.
  ///
  /// - Parameters:
  ///   - object: The object; a class for an argument of type `#`. Nil sets any pointer to null.
  ///   - index: The index; of a method 0 is the target.
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `typeMismatch`.
  /// - Complexity: O(1).
  public func setArgument(_ object: AnyObject?, at index: Int) throws(InvocationError) {
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    let slot = unsafe slots[index]
    switch (slot.kind, object) {
    case (.object, _) where !argumentsRetained && !mayOwn:
      _ = unsafe ObjectReference.store(object, in: slot, of: frame, keeping: false)
    case (.object, _):
      replace(index) { slot in
        unsafe ObjectReference.store(object, in: slot, of: frame, keeping: argumentsRetained)
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

  /// Returns an argument as a value of its type.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `typeMismatch`, `argumentNotSet`, and `nullNotAllowed` when it is null and the type is no optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable
  public func argument<Value: EncodedValue>(at index: Int, as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    defer { keepAlive() }
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    let slot = unsafe slots[index]
    guard Value.accepts(slot.kind), Value.pointeeType == nil || pointsRight(Value.self, index) else {
      throw mismatch(Value.self, .index(index))
    }
    guard isSet(index) else { throw notSet(index) }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else { throw isNull(.index(index)) }
    return value
  }

  /// Returns an argument that is an object, or nil for null.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `argumentNotSet`, and `typeMismatch` when the argument is no object.
  /// - Complexity: O(1).
  public func objectArgument(at index: Int) throws(InvocationError) -> AnyObject? {
    defer { keepAlive() }
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    let slot = unsafe slots[index]
    guard slot.kind == .object else { throw mismatch(AnyObject.self, .index(index)) }
    guard isSet(index) else { throw notSet(index) }
    return unsafe ObjectReference.object(in: slot, of: frame)
  }

  // MARK: Values by address

  /// Sets an argument from the bytes at an address, as NSInvocation's `setArgument:atIndex:` does.
  ///
  /// Reads as many bytes as the argument's type has. Objects are kept and C strings copied as with any other setter.
  ///
  /// - Parameters:
  ///   - bytes: The address of the value; it need not be aligned.
  ///   - index: The index.
  /// - Throws: ``InvocationError`` `indexOutOfRange`.
  public func setArgument(from bytes: UnsafeRawPointer, at index: Int) throws(InvocationError) {
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    replace(index) { slot in
      unsafe slot.write(from: bytes, to: frame)
      return keepReference(in: slot, index)
    }
    markSet(index)
  }

  /// Copies an argument's bytes to an address, as NSInvocation's `getArgument:atIndex:` does.
  ///
  /// - Parameters:
  ///   - bytes: The address of as many bytes as the argument's type has. An object is not retained for the caller.
  ///   - index: The index.
  /// - Throws: ``InvocationError`` `indexOutOfRange`, `argumentNotSet`.
  public func getArgument(into bytes: UnsafeMutableRawPointer, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    guard index >= 0, index < count else { throw indexOutOfRange(index) }
    guard isSet(index) else { throw notSet(index) }
    unsafe slots[index].read(from: frame, to: bytes)
  }

  // MARK: Ownership

  /// Whether a string or object set at an index is to be kept: output buffers are not.
  @usableFromInline
  func keepsArgument(_ index: Int) -> Bool {
    argumentsRetained && methodSignature.types.arguments[index].qualifiers.isDisjoint(with: [.out, .inout])
  }

  /// Writes a slot, then releases what it owned before: the new value may be a part of the old one.
  @usableFromInline
  func replace(_ index: Int, _ write: (Slot) -> Bool) {
    let slot = unsafe slots[index]
    let wasOwned = isOwned(index)
    let old = wasOwned ? unsafe slot.word(of: frame) : 0
    markOwned(index, write(slot))
    if wasOwned { letGo(of: old, in: slot) }
  }

  /// Releases what a slot owned before, once no call is running: Swift closures are lent the objects of their arguments.
  func letGo(of old: UInt64, in slot: Slot) {
    if methodCache.running == 0 { slot.releaseOwned(word: old) } else { methodCache.keepReplaced(slot, old) }
  }

  /// Keeps the object or C string that a slot refers to, if the invocation keeps its arguments; says whether it did.
  private func keepReference(in slot: Slot, _ index: Int) -> Bool {
    guard keepsArgument(index) else { return false }
    switch slot.kind {
    case .object: return unsafe ObjectReference.retain(in: slot, of: frame)
    case .cString:
      guard let string = unsafe UnsafePointer<CChar>(bitPattern: UInt(slot.word(of: frame))) else { return false }
      return unsafe string.store(in: slot, of: frame, keeping: true)
    default: return false
    }
  }

  /// Keeps every object and copies every C string set so far, and from now on.
  ///
  /// Does nothing when the invocation keeps its arguments already. Blocks are plain pointers on platforms without Objective-C and are not copied.
  public func retainArguments() {
    guard !argumentsRetained else { return }
    argumentsRetained = true
    for index in 0..<count where isSet(index) && !isOwned(index) {
      markOwned(index, unsafe keepReference(in: slots[index], index))
    }
  }
}

// MARK: Errors

extension Invocation {
  /// The error with the function or the message that the invocation is of, as far as it is set.
  func named(_ error: InvocationError) -> InvocationError {
    if let name = implementation?.symbolName { return error.about(name) }
    guard methodSignature.isMethod, let selector else { return error }
    guard let target else { return error.about(selector.name) }
    return error.about("-[\((target as? AnyClass) ?? type(of: target)) \(selector)]")
  }

  @usableFromInline
  func indexOutOfRange(_ index: Int) -> InvocationError { named(methodSignature.indexOutOfRange(index)) }

  /// The error of a Swift type that is not the signature's.
  @usableFromInline
  func mismatch<Value>(_ type: Value.Type, _ place: InvocationError.Argument) -> InvocationError {
    named(methodSignature.mismatch(type, place))
  }

  @usableFromInline
  func notSet(_ index: Int) -> InvocationError {
    named(methodSignature.notSet(index))
  }

  @usableFromInline
  func isNull(_ place: InvocationError.Argument) -> InvocationError {
    switch place {
    case .index(let index): named(unsafe slots[index].unreadable(in: frame, place))
    case .result: named(unsafe resultSlot.unreadable(in: frame, place))
    }
  }
}
