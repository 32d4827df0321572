/// Where one argument, or the result, lies in a frame, and how it is written there.
///
/// The lane that plans a call decides the offset; everything above it only follows the slot.
@frozen
public struct Slot: Sendable {
  /// How a value is written so that the call finds it.
  @frozen
  public enum Storage: UInt8, Sendable {
    /// No bytes: void, or an empty struct.
    case nothing
    /// A signed integer of at most eight bytes, sign-extended to a whole word.
    case signed
    /// An unsigned integer, a bool or a pointer, zero-extended to a whole word.
    case unsigned
    /// A floating-point number of at most eight bytes in a word whose other bytes are zero.
    case floating
    /// The bytes as they are, padded with zeros to whole words.
    case bytes
  }

  /// The kind of value, which typed access compares with that of the Swift type.
  public let kind: ValueKind

  /// The size of the value in bytes.
  public let size: UInt32

  /// The offset of the value from the start of the frame.
  public let offset: UInt32

  /// How the value is written.
  public let storage: Storage

  init(kind: ValueKind, size: Int, offset: Int, storage: Storage) {
    self.kind = kind
    self.size = UInt32(size)
    self.offset = UInt32(offset)
    self.storage = storage
  }

  /// The number of bytes that the value takes in a frame: whole words.
  var extent: Int { Int(size).roundedUp(to: 8) }
}

extension Slot {
  /// How a type of this encoding is written, whatever the lane.
  static func storage(of type: TypeEncoding) -> Storage {
    switch type.kind {
    case .void, .unknown, .bitField: .nothing
    case .scalar(.int128), .scalar(.uint128), .scalar(.longDouble): .bytes
    case .scalar(let scalar): !scalar.isInteger ? .floating : scalar.isSigned ? .signed : .unsigned
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: .unsigned
    // An array argument is a pointer.
    case .array: .unsigned
    case .complex, .vector, .structure, .union: type.size == 0 ? .nothing : .bytes
    }
  }
}
