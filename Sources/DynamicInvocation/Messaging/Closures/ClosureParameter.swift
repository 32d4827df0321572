/// A parameter of a closure of known types, and the check that its arguments need.
@usableFromInline
struct ClosureParameter {
  /// The address of the class of its objects, or 0.
  @usableFromInline let objectClass: UInt64
  /// Whether null is a value of the type.
  private let takesNull: Bool
  private let check: Check
  let valueType: any EncodedValue.Type

  private enum Check: UInt8 {
    /// No check: any bytes are a value.
    case nothing
    /// Any word except null is a value.
    case null
    /// An object must be an instance of the class.
    case objectClass
    /// The type's `load` decides.
    case load
  }

  init(_ type: any EncodedValue.Type) {
    valueType = type
    let traits = type.valueTraits
    takesNull = traits.takesNull
    if let objectClass = traits.objectClass {
      self.objectClass = ClassReference.word(objectClass)
      check = .objectClass
    } else {
      objectClass = 0
      check = !traits.mayBeRefused ? .nothing : traits.hasNull ? .null : .load
    }
  }

  /// Returns whether the argument in a slot is a value of the type.
  func accepts(_ slot: FrameSlot, of frame: UnsafeRawPointer) -> Bool {
    switch check {
    case .nothing: return true
    case .null: return unsafe slot.word(of: frame) != 0
    case .load: return unsafe Self.isThere(in: slot, of: frame, as: valueType)
    case .objectClass:
      let word = unsafe slot.word(of: frame)
      return word == 0 ? takesNull : ObjectReference.isInstance(word, of: objectClass)
    }
  }

  private static func isThere<Value: EncodedValue>(in slot: FrameSlot, of frame: UnsafeRawPointer, as type: Value.Type) -> Bool {
    unsafe Value.load(from: slot, of: frame) != nil
  }
}

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
  static var isLent: Bool { Value.valueTraits.objectClass != nil }

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
