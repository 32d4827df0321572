extension SystemV {
  /// Classifies the eightbytes of a type in the way of one compiler.
  ///
  /// Where the psABI leaves a choice, gcc and clang make different ones. What is stated here of each was measured in
  /// code of gcc 12 and clang 21; `make proof` compares it.
  struct EightbyteReader {
    /// A compiler.
    enum Reading: Sendable {
      case clang
      /// gcc, if a bit-field of a packed struct without a known declaration is packed by `#pragma pack`.
      case gcc
      /// gcc, if it is packed by the attribute.
      case gccPacked
    }

    private let reading: Reading

    /// Whether a bit-field was classified of which it is not known what packs it.
    private(set) var dependsOnPacking = false

    init(_ reading: Reading) { self.reading = reading }

    mutating func eightbytes(_ type: TypeEncoding) -> Eightbytes {
      var classes = Eightbytes()
      merge(type, at: 0, into: &classes)
      classes.cleanUp()
      return classes
    }

    private mutating func merge(_ type: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
      switch type.kind {
      case .scalar(let scalar): merge(scalar, at: offset, into: &classes)
      case .complex(let part):
        merge(part, at: offset, into: &classes)
        merge(part, at: offset + part.size, into: &classes)
      case .vector(_, _, let size, _):
        // The alignment that an attribute gives to the type does not count.
        guard offset % size == 0 else { return classes.first = .memory }
        classes.merge(.sse, at: offset)
        if size == 16 { classes.merge(.sseUp, at: offset + 8) }
      case .cString, .atom, .object, .block, .classObject, .selector, .pointer:
        merge(.uint64, at: offset, into: &classes)
      case .array(let count, let element):
        var inner = Eightbytes()
        switch reading {
        case .clang: mergeElements(count, element, at: offset, into: &inner)
        case .gcc, .gccPacked: repeatElement(count, element, at: offset, into: &inner)
        }
        inner.cleanUp()
        classes.merge(inner)
      case .structure(let record): merge(record, of: type, isUnion: false, at: offset, into: &classes)
      case .union(let record): merge(record, of: type, isUnion: true, at: offset, into: &classes)
      case .void, .unknown, .bitField: break
      }
    }

    /// Whether clang passes a struct or an array in memory because of a part: an atomic one, or one at an offset that is
    /// not a multiple of its type's alignment, even if all scalars in it are aligned.
    private func isMemory(_ part: TypeEncoding, at offset: Int) -> Bool {
      reading == .clang && (part.qualifiers.contains(.atomic) || offset % (part.alignment ?? 1) != 0)
    }

    private mutating func mergeElements(_ count: Int, _ element: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
      guard let stride = element.stride, stride > 0 else { return }
      if isMemory(element, at: offset) { return classes.first = .memory }
      for index in 0..<count { merge(element, at: offset + index * stride, into: &classes) }
    }

    /// Classifies the first element and repeats the classes of its words over those of the array, as gcc does, even if
    /// the array has no elements or a later element is at a different offset in its word.
    private mutating func repeatElement(_ count: Int, _ element: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
      guard let stride = element.stride else { return }
      func words(_ size: Int) -> Int { (offset % 8 + size + 7) / 8 }
      let arrayWords = words(count * stride)
      guard arrayWords > 0, offset < 16 else { return }
      var element0 = Eightbytes()
      merge(element, at: offset, into: &element0)
      if element0.first == .memory || element0.second == .memory { return classes.first = .memory }
      let start = offset / 8
      for index in 0..<arrayWords where start + index < 2 {
        let word = start + index % max(1, words(stride))
        classes.merge(word == 0 ? element0.first : element0.second, at: 8 * (start + index))
      }
    }

    private mutating func merge(
      _ record: TypeEncoding.Record, of type: TypeEncoding, isUnion: Bool, at offset: Int, into classes: inout Eightbytes
    ) {
      var inner = Eightbytes()
      let fields = record.fields ?? []
      for field in fields {
        if case .bitField(let bitField) = field.type.kind {
          guard let bits = field.bits else { continue }
          switch reading {
          case .clang:
            if bitField.width > 0, !isPadding(field, bitField, among: fields) { merge(bits, at: offset, into: &inner) }
          case .gcc, .gccPacked:
            if isUnion {
              mergeUnionMember(bitField, at: offset, into: &inner)
            } else if bitField.width > 0 {
              let isOrdinary = isOrdinary(bitField, at: bits.lowerBound, of: type)
              if isOrdinary, (8 * offset + bits.lowerBound) % bitField.width != 0 { inner.first = .memory }
              merge(bits, at: offset, into: &inner)
            }
          }
        } else {
          if isMemory(field.type, at: offset + field.offset) { inner.first = .memory }
          merge(field.type, at: offset + field.offset, into: &inner)
        }
      }
      inner.cleanUp()
      classes.merge(inner)
    }

    /// Merges the class INTEGER into every eightbyte that contains a part of a bit-field, which may be misaligned.
    private func merge(_ bits: Range<Int>, at offset: Int, into classes: inout Eightbytes) {
      classes.merge(.integer, at: offset + bits.lowerBound / 8)
      classes.merge(.integer, at: offset + (bits.upperBound - 1) / 8)
    }

    /// Whether a bit-field has no name, so that clang skips it.
    ///
    /// An encoding without names of members does not tell; a bit-field is then taken for a named one.
    private func isPadding(_ field: TypeEncoding.Field, _ bitField: TypeEncoding.BitField, among fields: [TypeEncoding.Field]) -> Bool {
      if let declaration = bitField.declaration { return declaration.contains(.unnamed) }
      return field.name == nil && fields.contains { $0.name != nil }
    }

    /// Whether gcc treats a bit-field as an ordinary integer, which must be aligned: it has the size of one, lies at a
    /// multiple of it in its struct, and no attribute packs it.
    private mutating func isOrdinary(_ bitField: TypeEncoding.BitField, at position: Int, of type: TypeEncoding) -> Bool {
      guard [8, 16, 32, 64, 128].contains(bitField.width), position % bitField.width == 0 else { return false }
      if bitField.width == 8 { return true }
      if let declaration = bitField.declaration { return !declaration.contains(.packed) }
      guard type.layoutOverride?.packing == 1 else { return true }
      dependsOnPacking = true
      return reading == .gcc
    }

    /// Merges a bit-field of a union, which gcc treats as an integer of the least size that it fits.
    private func mergeUnionMember(_ bitField: TypeEncoding.BitField, at offset: Int, into classes: inout Eightbytes) {
      let bytes = [1, 2, 4, 8].first { bitField.width <= 8 * $0 } ?? 16
      guard offset % bytes == 0 else { return classes.first = .memory }
      merge(0..<8 * bytes, at: offset, into: &classes)
    }

    private func merge(_ scalar: TypeEncoding.Scalar, at offset: Int, into classes: inout Eightbytes) {
      // A value with an unaligned member has class MEMORY, rule 1.
      guard offset % scalar.size == 0 else { return classes.first = .memory }
      let (first, second): (ArgumentClass, ArgumentClass) =
        switch scalar.traits.registers {
        case .general: (.integer, scalar.size > 8 ? .integer : .none)
        case .vector: (.sse, scalar.size > 8 ? .sseUp : .none)
        case .x87: (.x87, .x87Up)
        }
      classes.merge(first, at: offset)
      if second != .none { classes.merge(second, at: offset + 8) }
    }
  }
}
