/// The operations of a method's thunk: convert the arguments from their C representations, call the method, and convert
/// the result.
///
/// It does not check that the call has these types: the author of a thunk must ensure it.
///
/// The macro of the module InvocationMacros generates thunks like this one, which takes the target and the selector
/// first:
///
///     { target, _, tag in
///       unsafe _MethodThunk.call(Controller.self, target, mayFail: _MethodThunk.mayFail(Int.self)) { target in
///         try unsafe _MethodThunk.lend(Int.self, 2, tag) { tag in _MethodThunk.result(target.tapped(tag: tag)) }
///       }
///     } as @convention(c) (UInt, UInt, _MethodThunk.Form<Int>) -> _MethodThunk.Form<Bool>
public enum _MethodThunk {
  /// The C representation in which a thunk takes and returns a type.
  public typealias Form<Value: _ThunkValue> = Value.CRepresentation

  /// Calls a method of the target, whose address was passed to the thunk.
  ///
  /// Traps if the target is null, and if there is an error and the caller is not an ``Invocation``: other callers
  /// cannot receive an error.
  ///
  /// - Parameters:
  ///   - type: The class of the target.
  ///   - target: The address of the target. The caller keeps the target alive.
  ///   - mayFail: Whether the method throws, or an argument may be refused. The ``_InvocableMethods`` must specify the
  ///     same.
  ///   - body: Reads the arguments and calls the method.
  /// - Returns: The result, or zero after an error.
  /// - Complexity: The call; with `mayFail` also a read of a thread-local variable. Nothing is allocated.
  @unsafe @inlinable @inline(__always)
  public static func call<Target: AnyObject, Result>(
    _ type: Target.Type, _ target: UInt, mayFail: Bool, _ body: (Target) throws -> Result
  ) -> Result {
    // Taken first: functions that the method calls must not find the location.
    let place = mayFail ? ErrorPlace.take() : .none
    guard let address = unsafe UnsafeRawPointer(bitPattern: target) else { refuseNull(type) }
    do {
      return try unsafe Unmanaged<Target>.fromOpaque(address)._withUnsafeGuaranteedRef { try body($0) }
    } catch {
      return fail(type, error, place)
    }
  }

  /// Calls a method that runs on the main actor.
  ///
  /// Traps if the message was not sent on the main actor: a thunk cannot wait for it. Otherwise like the other form.
  @unsafe @inlinable @inline(__always)
  public static func callOnMainActor<Target: AnyObject, Result>(
    _ type: Target.Type, _ target: UInt, mayFail: Bool, _ body: @MainActor (Target) throws -> Result
  ) -> Result {
    MainActor.preconditionIsolated()
    return withoutActuallyEscaping(body) { body in
      unsafe call(type, target, mayFail: mayFail, unsafeBitCast(body, to: ((Target) throws -> Result).self))
    }
  }
}

/// Arguments and results.
extension _MethodThunk {
  /// Calls a function with an argument that is not a pointer and not an object.
  ///
  /// - Parameters:
  ///   - type: The type of the method's parameter.
  ///   - index: The index of the argument in the message, where 0 is the target and 1 the selector.
  ///   - form: The C representation that was passed to the thunk.
  ///   - body: The rest of the call.
  /// - Throws: What the function throws.
  @unsafe @inlinable @inline(__always)
  public static func lend<Value: _CRepresentable, Result>(
    _ type: Value.Type, _ index: Int, _ form: Value.CRepresentation, _ body: (Value) throws -> Result
  ) throws -> Result {
    try body(Value(cRepresentation: form))
  }

  /// Calls a function with a pointer or object argument, which may be null if its type is an optional.
  ///
  /// An object is borrowed: the sender of the message keeps it alive.
  ///
  /// - Throws: `InvocationError` `nullNotAllowed`, and `typeMismatch` for an object of another class; what the
  ///   function throws.
  @unsafe @inlinable @inline(__always) @_disfavoredOverload
  public static func lend<Value: _ThunkValue, Result>(
    _ type: Value.Type, _ index: Int, _ form: UInt, _ body: (Value) throws -> Result
  ) throws -> Result where Value.CRepresentation == UInt {
    guard Value.valueTraits.objectClass != nil else {
      guard let value: Value = read(form) else { throw unreadable(index, form, Value.self) }
      return try body(value)
    }
    guard isObject(form, type) else { throw unreadable(index, form, Value.self) }
    return try unsafe withUnsafePointer(to: form) { place in
      try unsafe UnsafeRawPointer(place).assumingMemoryBound(to: Value.self).lend { try body($0) }
    }
  }

  /// Returns the C representation of a result that is not a pointer and not an object.
  @inlinable @inline(__always)
  public static func result<Value: _CRepresentable>(_ value: Value) -> Value.CRepresentation { value.cRepresentation }

  /// Returns the C representation of a result that is a pointer, an object or nil.
  ///
  /// An object is retained for the caller. A text is not a result: methods of a class that return a text are refused.
  @inlinable @inline(__always) @_disfavoredOverload
  public static func result<Value: _ThunkValue>(_ value: Value) -> UInt where Value.CRepresentation == UInt {
    var word: UInt64 = 0
    _ = unsafe withUnsafeMutableBytes(of: &word) { bytes in
      unsafe value.store(
        in: FrameSlot(wordOf: Value.valueKind), of: bytes.baseAddress.unsafelyUnwrapped, keeping: Value.valueTraits.isCounted)
    }
    return UInt(word)
  }
}

/// Properties of a type that are known before the call.
extension _MethodThunk {
  /// Returns whether a thunk may have to refuse an argument of a type.
  @inlinable @inline(__always)
  public static func mayFail<Value: _ThunkValue>(_ type: Value.Type) -> Bool { type.valueTraits.mayBeRefused }

  /// Lets the compiler check that a thunk can take and return a type.
  @inlinable @inline(__always)
  public static func check<Value: _ThunkValue>(_ type: Value.Type) {}

  /// Unavailable for a type that a thunk cannot take and return.
  @available(
    *, unavailable,
    message: """
      C has no form of this type, so no thunk can take or return it: make a class an EncodedObject, make a struct a _CRepresentable, or \
      exclude the method with @NotInvocable
      """
  )
  @_disfavoredOverload
  public static func check<Value>(_ type: Value.Type) {}
}

extension _MethodThunk {
  /// Returns whether a word is the address of an instance of a class.
  @inlinable @inline(__always)
  static func isObject<Value: _ThunkValue>(_ form: UInt, _ type: Value.Type) -> Bool {
    guard let objectClass = Value.valueTraits.objectClass else { return false }
    let address = unsafe UInt(bitPattern: unsafeBitCast(objectClass, to: UnsafeRawPointer.self))
    return Value.valueTraits.isValue(UInt64(form), of: UInt64(address)) || ObjectReference.isInstance(UInt64(form), of: UInt64(address))
  }

  @inlinable @inline(__always)
  static func read<Value: _ThunkValue>(_ form: UInt) -> Value? {
    unsafe withUnsafeBytes(of: UInt64(form)) { bytes in
      unsafe Value.load(from: FrameSlot(wordOf: Value.valueKind), of: bytes.baseAddress.unsafelyUnwrapped)
    }
  }

  @usableFromInline
  static func unreadable<Value: _ThunkValue>(_ index: Int, _ form: UInt, _ type: Value.Type) -> InvocationError {
    unsafe withUnsafeBytes(of: UInt64(form)) { bytes in
      unsafe FrameSlot(wordOf: Value.valueKind).unreadable(in: bytes.baseAddress.unsafelyUnwrapped, .index(index), as: type)
    }
  }

  @usableFromInline
  static func refuseNull(_ type: AnyClass) -> Never { fatalError("a method of \(type) was called with null as its target") }

  /// Passes an error to the invocation, and returns zero as a result that is not used.
  @inlinable @inline(never)
  static func fail<Result>(_ type: AnyClass, _ error: any Error, _ place: ErrorPlace) -> Result {
    give(type, error, place)
    return unsafe withUnsafeTemporaryAllocation(of: Result.self, capacity: 1) { memory in
      // The C representations are numbers and C structs, for which zero bytes are a valid value.
      unsafe UnsafeMutableRawBufferPointer(memory).initializeMemory(as: UInt8.self, repeating: 0)
      return unsafe memory.moveElement(from: 0)
    }
  }

  @usableFromInline
  static func give(_ type: AnyClass, _ error: any Error, _ place: ErrorPlace) {
    if !place.give(error) { fatalError("a method of \(type) was called as a C function and threw an error: \(error)") }
  }
}
