/// The offset of an argument or of the result in a frame, and how its value is stored there.
///
/// The backend that plans a call determines the offset. All other code only reads the slot.
@frozen
public struct FrameSlot: Sendable {
  /// How a value is stored in a frame, in the form that the call loads.
  @frozen
  public enum Storage: UInt8, Sendable {
    // The order makes each test on a hot path a single comparison.

    /// A signed integer of at most eight bytes, sign-extended to a whole word.
    case signed
    /// An unsigned integer, a bool or a pointer, zero-extended to a whole word.
    case unsigned
    /// A floating-point number of at most eight bytes in a word whose other bytes are zero.
    case floating
    /// The unchanged bytes, padded with zeros to whole words.
    case bytes
    /// Two words that are not adjacent: the first eight bytes are at ``FrameSlot/offset``, the others at ``FrameSlot/second``.
    case twoWords
    /// The members of a homogeneous aggregate, each in its own vector register.
    ///
    /// The low half of ``FrameSlot/second`` is the size of a member, the high half the distance between two members.
    case homogeneous
    /// No bytes: void, or an empty struct.
    case nothing
  }

  /// The kind of the value, which typed access compares with the kind of the Swift type.
  public let kind: ValueKind

  /// The size of the value in bytes.
  public let size: UInt32

  /// The offset of the value from the start of the frame.
  public let offset: UInt32

  /// The offset of the second word for ``Storage/twoWords``, and the size and distance of the members for
  /// ``Storage/homogeneous``.
  public let second: UInt32

  /// How the value is stored.
  public let storage: Storage

  package init(kind: ValueKind, size: Int, offset: Int, second: Int = 0, storage: Storage) {
    self.kind = kind
    self.size = UInt32(size)
    self.offset = UInt32(offset)
    self.second = UInt32(second)
    self.storage = storage
  }

  /// Creates the slot of a value from the locations of its pieces.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - passed: The kind, size and alignment of the type as it is passed.
  ///   - pieces: The pieces of the value.
  ///   - unused: The offset of a word for an eightbyte that contains only padding and is not passed.
  ///   - offset: Returns the offset of a location in the frame.
  init(_ type: TypeEncoding, _ passed: Passed, _ pieces: [CallLayout.Piece], unused: Int, offset: (CallLayout.Location) -> Int) {
    guard !pieces.isEmpty else {
      self.init(kind: passed.kind, size: passed.size, offset: unused, storage: .nothing)
      return
    }
    let storage = Self.storage(of: type)
    if let members = Self.homogeneousMembers(pieces, offset: offset) {
      self.init(
        kind: passed.kind, size: passed.size, offset: offset(pieces[0].location), second: members.size | members.stride << 16,
        storage: .homogeneous)
      return
    }
    let first = pieces.first { $0.offset == 0 }.map { offset($0.location) } ?? unused
    // A piece may hold more than eight bytes: a stack area, a whole vector register, a long double.
    let isWhole = passed.size <= 8 || pieces[0].offset == 0 && pieces[0].size > 8
    let second = isWhole ? first + 8 : pieces.first { $0.offset == 8 }.map { offset($0.location) } ?? unused
    if second == first + 8 {
      self.init(kind: passed.kind, size: passed.size, offset: first, storage: storage)
    } else {
      self.init(kind: passed.kind, size: passed.size, offset: first, second: second, storage: .twoWords)
    }
  }

  /// The size of the members of a homogeneous aggregate and the distance between their registers.
  ///
  /// Returns nil if one run of bytes or two words can describe the value.
  private static func homogeneousMembers(_ pieces: [CallLayout.Piece], offset: (CallLayout.Location) -> Int) -> (size: Int, stride: Int)? {
    guard pieces.count > 1, pieces.count > 2 || pieces[0].size < 8, case .vector = pieces[0].location else { return nil }
    let stride = offset(pieces[1].location) - offset(pieces[0].location)
    return stride == pieces[0].size ? nil : (pieces[0].size, stride)
  }

  private init(_ slot: FrameSlot, offset: UInt32, second: UInt32, storage: Storage) {
    kind = slot.kind
    size = slot.size
    self.offset = offset
    self.second = second
    self.storage = storage
  }

  /// Returns the slot in a frame with other offsets, which a closure computes.
  func moved(_ place: (Int) -> Int) -> FrameSlot {
    // For a homogeneous aggregate the second field is not an offset.
    let second = storage == .homogeneous ? second : UInt32(place(Int(second)))
    return FrameSlot(self, offset: UInt32(place(Int(offset))), second: second, storage: storage)
  }

  /// Returns the slot of the value stored as one run of bytes.
  package func gathered(at offset: Int) -> FrameSlot {
    FrameSlot(self, offset: UInt32(offset), second: UInt32(offset + 8), storage: .bytes)
  }

  /// The size of the value in a frame, rounded up to whole words.
  package var extent: Int { Int(size).roundedUp(to: 8) }
}

extension FrameSlot {
  /// The type of an argument as it is passed: an array becomes a pointer to its first element.
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

  /// Returns how a type is stored if its value is one run of bytes.
  package static func storage(of type: TypeEncoding) -> Storage {
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
