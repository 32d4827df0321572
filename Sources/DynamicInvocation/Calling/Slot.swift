/// Where one argument, or the result, lies in a frame, and how it is written there.
///
/// The lane that plans a call decides the offset; everything above it only follows the slot.
@frozen
public struct Slot: Sendable {
  /// How a value is written so that the call finds it.
  @frozen
  public enum Storage: UInt8, Sendable {
    // In this order each question on a hot path is one comparison.

    /// A signed integer of at most eight bytes, sign-extended to a whole word.
    case signed
    /// An unsigned integer, a bool or a pointer, zero-extended to a whole word.
    case unsigned
    /// A floating-point number of at most eight bytes in a word whose other bytes are zero.
    case floating
    /// The bytes as they are, padded with zeros to whole words.
    case bytes
    /// Two words apart: the first eight bytes at the slot's offset, the others at its second one.
    case split
    /// Equal members apart from each other, as a homogeneous aggregate lies in vector registers: the low half of the second offset is the size
    /// of a member, the high half the distance from one to the next.
    case scattered
    /// No bytes: void, or an empty struct.
    case nothing
  }

  /// The kind of value, which typed access compares with that of the Swift type.
  public let kind: ValueKind

  /// The size of the value in bytes.
  public let size: UInt32

  /// The offset of the value from the start of the frame.
  public let offset: UInt32

  /// The offset of the bytes from the eighth on, for ``Storage/split``; how the members lie, for ``Storage/scattered``.
  public let second: UInt32

  /// How the value is written.
  public let storage: Storage

  init(kind: ValueKind, size: Int, offset: Int, second: Int = 0, storage: Storage) {
    self.kind = kind
    self.size = UInt32(size)
    self.offset = UInt32(offset)
    self.second = UInt32(second)
    self.storage = storage
  }

  /// Makes the slot of a value from the places of its pieces in a frame.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - passed: How it is passed.
  ///   - pieces: The pieces.
  ///   - unused: The offset of a word for bytes that travel nowhere, being padding.
  ///   - offset: Gives the offset in the frame of a piece's location.
  init(_ type: TypeEncoding, _ passed: Passed, _ pieces: [Piece], unused: Int, offset: (Location) -> Int) {
    guard !pieces.isEmpty else {
      self.init(kind: passed.kind, size: passed.size, offset: unused, storage: .nothing)
      return
    }
    let storage = Self.storage(of: type)
    if let members = Self.scattered(pieces, offset: offset) {
      self.init(
        kind: passed.kind, size: passed.size, offset: offset(pieces[0].location), second: members.size | members.stride << 16,
        storage: .scattered)
      return
    }
    let first = pieces.first { $0.offset == 0 }.map { offset($0.location) } ?? unused
    // A piece may hold more than eight bytes: a stack area, a whole vector register, a long double.
    let isWhole = passed.size <= 8 || pieces[0].offset == 0 && pieces[0].size > 8
    let second = isWhole ? first + 8 : pieces.first { $0.offset == 8 }.map { offset($0.location) } ?? unused
    if second == first + 8 {
      self.init(kind: passed.kind, size: passed.size, offset: first, storage: storage)
    } else {
      self.init(kind: passed.kind, size: passed.size, offset: first, second: second, storage: .split)
    }
  }

  /// The size of the members of a homogeneous aggregate and the distance between their registers.
  ///
  /// Nil where two words or one run of bytes tell the places as well.
  private static func scattered(_ pieces: [Piece], offset: (Location) -> Int) -> (size: Int, stride: Int)? {
    guard pieces.count > 1, pieces.count > 2 || pieces[0].size < 8, case .vector = pieces[0].location else { return nil }
    let stride = offset(pieces[1].location) - offset(pieces[0].location)
    return stride == pieces[0].size ? nil : (pieces[0].size, stride)
  }

  private init(_ slot: Slot, offset: UInt32, second: UInt32, storage: Storage) {
    kind = slot.kind
    size = slot.size
    self.offset = offset
    self.second = second
    self.storage = storage
  }

  /// The slot in a frame that has everything elsewhere.
  func moved(_ place: (Int) -> Int) -> Slot {
    // How scattered members lie is no offset.
    let second = storage == .scattered ? second : UInt32(place(Int(second)))
    return Slot(self, offset: UInt32(place(Int(offset))), second: second, storage: storage)
  }

  /// The slot of the value as one run of bytes.
  func gathered(at offset: Int) -> Slot {
    Slot(self, offset: UInt32(offset), second: UInt32(offset + 8), storage: .bytes)
  }

  /// The number of bytes that the value takes in a frame: whole words.
  var extent: Int { Int(size).roundedUp(to: 8) }
}

extension Slot {
  /// A type as an argument of it is passed: an array is a pointer to its first element.
  struct Passed {
    var kind: ValueKind
    var size: Int
    var alignment: Int

    init(_ type: TypeEncoding) {
      if case .array = type.kind {
        (kind, size, alignment) = (.pointer, 8, 8)
      } else {
        (kind, size, alignment) = (type.valueKind, type.size ?? 0, type.alignment ?? 1)
      }
    }
  }

  /// How a type of this encoding is written, whatever the lane.
  static func storage(of type: TypeEncoding) -> Storage {
    switch type.kind {
    case .void, .unknown, .bitField: .nothing
    case .scalar(let scalar) where scalar.size > 8: .bytes
    case .scalar(let scalar):
      switch scalar.traits.format {
      case .signedInteger: .signed
      case .unsignedInteger, .bool: .unsigned
      case .floatingPoint: .floating
      case .longDouble: .bytes
      }
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: .unsigned
    // An array argument is a pointer.
    case .array: .unsigned
    case .complex, .vector, .structure, .union: type.size == 0 ? .nothing : .bytes
    }
  }
}
