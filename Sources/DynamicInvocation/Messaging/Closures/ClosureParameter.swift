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
    if let objectClass = type.objectClass {
      self.objectClass = ClassReference.word(objectClass)
      takesNull = type.isValue(0, of: self.objectClass)
      check = .objectClass
    } else {
      objectClass = 0
      takesNull = false
      check = !type.mayBeRefused ? .nothing : type is any _NullableValue.Type ? .null : .load
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
