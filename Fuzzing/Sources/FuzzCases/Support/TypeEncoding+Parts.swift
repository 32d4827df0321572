import DynamicInvocation

extension TypeEncoding {
  /// Creates the encoding of a scalar.
  init(scalar: Scalar) {
    let text = String(Unicode.Scalar(scalar.rawValue))
    self = (try? TypeEncoding(text, dialect: .gnu, blankIsFloat16: true)) ?? "v"
  }

  /// Calls a closure with each part of a value that is no array and no record: its type, and its first byte, or the first byte of the
  /// record and the bits in it for a bit-field.
  ///
  /// - Parameter entersUnions: Whether the parts are all members' parts, rather than the union.
  func forEachPart(
    at start: Int = 0, entersUnions: Bool = true, _ body: (_ part: TypeEncoding, _ start: Int, _ bits: Range<Int>?) -> Void
  ) {
    switch kind {
    case .array(let count, let element):
      guard let stride = element.stride, stride > 0 else { return }
      for index in 0..<count { element.forEachPart(at: start + index * stride, entersUnions: entersUnions, body) }
    case .union where !entersUnions: body(self, start, nil)
    case .structure(let record), .union(let record):
      for field in record.fields ?? [] {
        guard let bits = field.bits else {
          field.type.forEachPart(at: start + field.offset, entersUnions: entersUnions, body)
          continue
        }
        body(field.type, start, bits)
      }
    default: body(self, start, nil)
    }
  }

  /// The bytes of a value that belong to numbers, excluding padding and references.
  var plainBytes: [Bool] {
    var bytes: [Bool] = Array(repeating: false, count: size ?? 0)
    forEachPart { part, start, bits in
      let ranges: [Range<Int>] =
        switch part.kind {
        case .bitField: bits.map { $0.isEmpty ? [] : [$0.lowerBound / 8..<($0.upperBound + 7) / 8] } ?? []
        case .scalar(.longDouble) where part.size == 16: [0..<10]
        case .scalar(let scalar): [0..<scalar.size]
        case .complex(.longDouble) where part.size == 32: [0..<10, 16..<26]
        case .complex: [0..<(part.size ?? 0)]
        case .vector(let element, let count, _, _): [0..<count * element.size]
        default: []
        }
      for byte in ranges.joined() { bytes[start + byte] = true }
    }
    return bytes
  }

  /// The bits of a value that belong to numbers, excluding padding and references.
  var plainBits: [UInt8] {
    var masks: [Int: UInt8] = [:]
    forEachPart(entersUnions: false) { _, start, bits in
      for bit in bits ?? 0..<0 { masks[start + bit / 8, default: 0] |= 1 << UInt8(bit % 8) }
    }
    // Another member can begin in the last byte of a bit-field only in a packed struct, which the generated texts do not contain.
    return plainBytes.enumerated().map { masks[$0] ?? ($1 ? 0xFF : 0) }
  }

  /// The bytes of a value that are a Boolean in at least one member of a union.
  var boolBytes: [Bool] {
    var bytes: [Bool] = Array(repeating: false, count: size ?? 0)
    forEachPart { part, start, _ in if case .scalar(.bool) = part.kind { bytes[start] = true } }
    return bytes
  }

  /// The text that equal types share.
  var canonicalText: String { text(dialect: .gnu, options: .structNames) }

  /// The scalars and pointers of a type by offset, or nil for a type whose parts overlap or are not whole scalars.
  var leaves: [Int: String]? {
    var leaves: [Int: String] = [:]
    var isWhole = true
    forEachPart(entersUnions: false) { part, start, _ in
      switch part.kind {
      case .scalar(let scalar): leaves[start] = "\(scalar)"
      case .cString, .atom, .object, .block, .classObject, .selector, .pointer: leaves[start] = "pointer"
      default: isWhole = false
      }
    }
    return isWhole ? leaves : nil
  }
}
