public import CallFrames

extension CallExplanation {
  /// The result or an argument of a call.
  public struct Value: Sendable {
    /// The index of an argument, or nil for the result.
    public let index: Int?

    /// The type as written in the encoding.
    public let type: TypeEncoding

    /// The size in bytes, or nil for a type without one.
    ///
    /// The size of an array argument is the size of the pointer that it is passed as.
    public let size: Int?

    /// The alignment in bytes, or nil for a type without a size.
    public let alignment: Int?

    /// The members of a struct or union.
    public let fields: [Field]

    /// The location in which the value is passed, as text: `rdi`, `rax (bytes 0-7), xmm0 (bytes 8-15)`, `stack+8`,
    /// `by reference in x8`, `nothing`.
    public let location: String

    /// The parts in which the value is passed; empty if the value is rejected or has no bytes.
    public let parts: [Part]

    /// Whether the parts are the address of the value instead of the value.
    let isReference: Bool

    init(_ type: TypeEncoding, index: Int?, _ place: Place) {
      self.index = index
      self.type = type
      var isPointer = false
      if index != nil, case .array = type.kind { isPointer = true }
      size = isPointer ? 8 : type.size
      alignment = isPointer ? 8 : type.alignment
      fields = Field.fields(of: type, at: 0)
      location = place.location
      parts = place.parts
      isReference = place.isReference
    }
  }

  /// A run of a value's bytes and the location in which it is passed.
  public struct Part: Sendable, Hashable {
    /// The register, the stack offset, or the libffi type.
    public let place: String

    /// The offset of the first byte in the value.
    public let offset: Int

    /// The number of bytes.
    public let size: Int

    /// The register or the stack offset that ``place`` names, or nil for a libffi type.
    let location: CallLayout.Location?

    init(place: String, offset: Int, size: Int, location: CallLayout.Location? = nil) {
      self.place = place
      self.offset = offset
      self.size = size
      self.location = location
    }
  }

  /// A member of a struct or union, with its members.
  public struct Field: Sendable {
    /// The name, or nil if the encoding does not state it.
    public let name: String?

    /// The type.
    public let type: TypeEncoding

    /// The offset in bytes from the start of the whole value.
    ///
    /// For a bit-field, the offset of the byte that contains its first bit.
    public let offset: Int

    /// The size in bytes, or nil for a bit-field.
    public let size: Int?

    /// The bits of a bit-field, counted from the start of the whole value, or nil for other members.
    public let bits: Range<Int>?

    /// The members of a member that is a struct or union.
    public let fields: [Field]

    static func fields(of type: TypeEncoding, at start: Int) -> [Field] {
      switch type.kind {
      case .structure(let record), .union(let record):
        (record.fields ?? []).map { field in
          Field(
            name: field.name, type: field.type, offset: start + field.offset, size: field.type.size,
            bits: field.bits.map { $0.lowerBound + 8 * start..<$0.upperBound + 8 * start },
            fields: fields(of: field.type, at: start + field.offset))
        }
      case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .array,
        .bitField:
        []
      }
    }
  }
}
