/// An argument of an incoming call that a Swift closure of known types gets: an object lent as its reference lies in the frame, anything else read.
///
/// Whoever calls keeps the objects among the arguments, so none is retained.
@usableFromInline
@safe
struct ClosureArgument<Value: EncodedValue> {
  /// Where a reference lies.
  @usableFromInline let place: UnsafePointer<Value>
  /// Any other value; nil for a null that the type cannot express.
  @usableFromInline let value: Value?
  /// The class of an object.
  @usableFromInline let objectClass: UInt64

  /// Reads an argument, whose kind was checked.
  @inlinable @inline(__always)
  init(_ index: Int, of frame: IncomingFrame, _ body: ClosureBody) {
    let slot = unsafe Slot(inOnePiece: body.slots[index])
    let memory = unsafe UnsafeRawPointer(frame.memory)
    unsafe place = (memory + Int(slot.offset)).assumingMemoryBound(to: Value.self)
    // A constant for each type, so only one of the branches remains.
    if Self.isLent {
      value = nil
      objectClass = unsafe body.parameters.unsafelyUnwrapped[index].objectClass
    } else {
      value = unsafe Value.load(from: slot, of: memory)
      objectClass = 0
    }
  }

  /// Whether it is a value of the type at first sight, as an object of a subclass is not.
  @inlinable @inline(__always)
  var isReadable: Bool {
    Self.isLent ? unsafe Value.isReference(UnsafeRawPointer(place).load(as: UInt64.self), to: objectClass) : value != nil
  }

  /// Whether values of the type are references to objects, which lie in a frame as in any other memory.
  @inlinable @inline(__always)
  static var isLent: Bool { Value.objectClass != nil }

  /// Calls a function with the value, which is there.
  @inlinable @inline(__always)
  func lend<Result>(_ body: (borrowing Value) throws -> Result) rethrows -> Result {
    if Self.isLent { return try unsafe Self.lend(place, body) }
    guard let value else { preconditionFailure("an argument was read that has no value") }
    return try body(value)
  }

  /// As a value that cannot be copied the reference is not retained.
  @inlinable @inline(__always)
  static func lend<Lent: ~Copyable, Result>(_ place: UnsafePointer<Lent>, _ body: (borrowing Lent) throws -> Result) rethrows -> Result {
    try unsafe body(place.pointee)
  }
}
