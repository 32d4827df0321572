/// An argument of an incoming call that a Swift closure of known types gets: an object lent as its reference lies in the frame, anything else read.
///
/// Whoever calls keeps the objects among the arguments, so none is retained.
@usableFromInline
@safe
struct ClosureArgument<Value: EncodedValue> {
  /// Where a reference lies.
  @usableFromInline let place: UnsafePointer<Value>
  /// Any other value.
  @usableFromInline let value: Value?

  /// Reads an argument that is a value of its type.
  @inlinable @inline(__always)
  init(_ index: Int, of frame: IncomingFrame, _ body: ClosureBody) {
    let slot = unsafe Slot(inOnePiece: body.slots[index])
    let memory = unsafe UnsafeRawPointer(frame.memory)
    unsafe place = (memory + Int(slot.offset)).assumingMemoryBound(to: Value.self)
    // A constant for each type, so only one of the branches remains.
    value = Self.isLent ? nil : unsafe Value.load(from: slot, of: memory)
  }

  /// Whether values of the type are references to objects, which lie in a frame as in any other memory.
  @inlinable @inline(__always)
  static var isLent: Bool { Value.objectClass != nil }

  /// Calls a function with the value.
  ///
  /// The function is called in one place for all types: in two, the code of a closure of types that are not known would double with each argument.
  @inlinable @inline(__always)
  func lend<Result>(_ body: (borrowing Value) throws -> Result) rethrows -> Result {
    if !Self.isLent && value == nil {
      preconditionFailure("the type \(Value.self) has no value for an argument, but says that it always has")
    }
    return try unsafe withUnsafePointer(to: value) { read in
      // A value lies at the start of its optional.
      let place = unsafe Self.isLent ? place : UnsafeRawPointer(read).assumingMemoryBound(to: Value.self)
      return try unsafe place.lend(body)
    }
  }
}

extension UnsafePointer where Pointee: ~Copyable {
  /// Calls a function with what lies at the address.
  ///
  /// Read as any other value an object would be retained; as one that cannot be copied it is not.
  @inlinable @inline(__always)
  func lend<Result>(_ body: (borrowing Pointee) throws -> Result) rethrows -> Result {
    try unsafe body(pointee)
  }
}
