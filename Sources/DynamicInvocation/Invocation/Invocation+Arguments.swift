extension Invocation {
  /// Sets an argument from a value of its type.
  ///
  /// - Parameters:
  ///   - value: The value. Its Swift type must match the encoding: `Int32` for `i`, `Double` for `d`, a struct of the
  ///     same layout for a struct. A literal adapts: an `Int` becomes any integer or floating-point type, a `Double`
  ///     any floating-point type, when the value fits.
  ///   - index: The index. For a method, 0 is the target and 1 is the selector.
  /// - Throws: `InvocationError` `indexOutOfRange`, `typeMismatch`, and `outOfRange` and `inexact` for a literal that
  ///   does not fit.
  /// - Complexity: O(bytes of the value). A string allocates its copy; nothing else allocates.
  @inlinable @inline(__always)
  public func setArgument<Value: EncodedValue>(_ value: Value, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    try unsafe core.set(value, at: index, slots, count)
  }

  /// Sets an argument to an object, a class, or null.
  ///
  /// - Parameters:
  ///   - object: The object; a class for an argument of type `#`. Nil sets any pointer to null.
  ///   - index: The index. For a method, 0 is the target.
  /// - Throws: `InvocationError` `indexOutOfRange`, `typeMismatch`.
  /// - Complexity: O(1).
  public func setArgument(_ object: AnyObject?, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    try core.set(object: object, at: index)
  }

  /// Returns an argument as a value of its type.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, `typeMismatch`, `argumentNotSet`, and `nullNotAllowed` when the
  ///   argument is null and the type is not an optional.
  /// - Complexity: O(bytes of the value). A string is copied; nothing else allocates.
  @inlinable
  public func argument<Value: EncodedValue>(at index: Int, as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    defer { keepAlive() }
    return try core.argument(type, at: index)
  }

  /// Returns an object argument, or nil for null.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`, and `typeMismatch` when the argument is not an
  ///   object.
  /// - Complexity: O(1).
  public func objectArgument(at index: Int) throws(InvocationError) -> AnyObject? {
    defer { keepAlive() }
    guard index >= 0, index < count else { throw core.indexOutOfRange(index) }
    guard unsafe slots[index].kind == .object else { throw core.mismatch(AnyObject.self, .index(index)) }
    return unsafe ObjectReference.object(in: try core.slotOfArgument(at: index), of: frame)
  }

  // MARK: Values by address

  /// Sets an argument from the bytes at an address, as NSInvocation's `setArgument:atIndex:` does.
  ///
  /// Reads as many bytes as the argument's type has. Objects are retained and C strings copied as with any other
  /// setter.
  ///
  /// - Parameters:
  ///   - bytes: The address of the value; it need not be aligned.
  ///   - index: The index.
  /// - Throws: `InvocationError` `indexOutOfRange`.
  public func setArgument(from bytes: UnsafeRawPointer, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    try unsafe core.set(bytes: bytes, at: index)
  }

  /// Copies an argument's bytes to an address, as NSInvocation's `getArgument:atIndex:` does.
  ///
  /// - Parameters:
  ///   - bytes: The address of as many bytes as the argument's type has. An object is not retained for the caller.
  ///   - index: The index.
  /// - Throws: `InvocationError` `indexOutOfRange`, `argumentNotSet`.
  public func getArgument(into bytes: UnsafeMutableRawPointer, at index: Int) throws(InvocationError) {
    defer { keepAlive() }
    unsafe try core.slotOfArgument(at: index).read(from: frame, to: bytes)
  }

  // MARK: Ownership

  /// Retains every object and copies every C string set so far, and those set from now on.
  ///
  /// Does nothing if the invocation already retains its arguments. On platforms without Objective-C, blocks are plain
  /// pointers and are not copied.
  public func retainArguments() {
    defer { keepAlive() }
    core.retainArguments()
  }
}
