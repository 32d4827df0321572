/// An argument of an incoming call for a Swift closure of known types.
///
/// An object is borrowed directly from the frame; any other value is loaded.
///
/// The caller keeps the object arguments alive, so they are not retained.
@usableFromInline
@safe
struct ClosureArgument<Value: EncodedValue> {
  /// The address of a reference in the frame.
  @usableFromInline let place: UnsafePointer<Value>
  /// The loaded value of any other type.
  @usableFromInline let value: Value?

  /// Reads an argument that was checked to be a value of its type.
  @inlinable @inline(__always)
  init(_ index: Int, of frame: IncomingFrame, _ body: ClosureBody) {
    let slot = unsafe FrameSlot(inOnePiece: body.slots[index])
    let memory = unsafe UnsafeRawPointer(frame.memory)
    unsafe place = (memory + Int(slot.offset)).assumingMemoryBound(to: Value.self)
    // The condition is constant for each type, so only one branch remains in specialized code.
    value = Self.isLent ? nil : unsafe Value.load(from: slot, of: memory)
  }

  /// Whether values of the type are object references, which have the same representation in a frame as in other
  /// memory.
  @inlinable @inline(__always)
  static var isLent: Bool { Value.objectClass != nil }

  /// Calls a function with the value.
  ///
  /// There is only one call of the function, for all types: with two, the unspecialized code of a closure would double
  /// with each argument.
  @inlinable @inline(__always)
  func lend<Result>(_ body: (borrowing Value) throws -> Result) rethrows -> Result {
    if !Self.isLent && value == nil {
      preconditionFailure("the type \(Value.self) has no value for an argument, but says that it always has")
    }
    return try unsafe withUnsafePointer(to: value) { read in
      // The payload of an optional is at its start.
      let place = unsafe Self.isLent ? place : UnsafeRawPointer(read).assumingMemoryBound(to: Value.self)
      return try unsafe place.lend(body)
    }
  }
}

extension UnsafePointer where Pointee: ~Copyable {
  /// Calls a function with the value at the address.
  ///
  /// A plain load would retain an object. A borrow of a noncopyable value does not.
  @inlinable @inline(__always)
  func lend<Result>(_ body: (borrowing Pointee) throws -> Result) rethrows -> Result {
    try unsafe body(pointee)
  }
}
