import DynamicInvocation

extension InputReader {
  /// Takes `count` bytes.
  ///
  /// Past the end of the input they are pseudorandom.
  mutating func filled(_ count: Int) -> [UInt8] {
    var bytes = bytes(count)
    var state = UInt64(bytes.count) &+ 1
    while bytes.count < count {
      state = state &* 0x9E37_79B9_7F4A_7C15 &+ 0x632B_E59B_D9B4_E019
      bytes.append(UInt8(truncatingIfNeeded: state >> 56))
    }
    return bytes
  }

  /// Takes a value of a type that has a size.
  ///
  /// Its numbers are arbitrary, its references null, and its Booleans 0 or 1.
  mutating func value(of type: TypeEncoding) -> [UInt8] {
    let size = type.size ?? 0
    let (plain, bools) = (type.plainBytes, type.boolBytes)
    return filled(size).enumerated().map { offset, byte in bools[offset] ? byte & 1 : plain[offset] ? byte : 0 }
  }
}

extension TypeEncoding {
  /// The bits of a value that belong to numbers, excluding padding and references.
  var plainBits: [UInt8] {
    var bits: [UInt8] = plainBytes.map { $0 ? 0xFF : 0 }
    clearPadding(in: &bits, at: 0)
    return bits
  }

  /// Clears the bits next to the bit-fields of a struct, for which ``plainBytes`` contains whole bytes.
  private func clearPadding(in bits: inout [UInt8], at start: Int) {
    switch kind {
    case .array(let count, let element):
      guard let stride = element.stride, stride > 0 else { return }
      for index in 0..<count { element.clearPadding(in: &bits, at: start + index * stride) }
    case .structure(let record):
      let fields = record.fields ?? []
      for field in fields where field.bits == nil { field.type.clearPadding(in: &bits, at: start + field.offset) }
      let own = fields.compactMap(\.bits)
      for byte in Set(own.flatMap { $0.isEmpty ? [] : [$0.lowerBound / 8, ($0.upperBound - 1) / 8] }) {
        // Another member can begin in the last byte only in a packed struct, which the generated texts do not contain.
        bits[start + byte] = (0..<8).reduce(0) { mask, bit in own.contains { $0.contains(8 * byte + bit) } ? mask | 1 << UInt8(bit) : mask }
      }
    default: break
    }
  }

  /// The bytes of a value that are a Boolean in at least one member of a union.
  var boolBytes: [Bool] {
    var bytes: [Bool] = Array(repeating: false, count: size ?? 0)
    markBools(in: &bytes, at: 0)
    return bytes
  }

  private func markBools(in bytes: inout [Bool], at start: Int) {
    switch kind {
    case .scalar(.bool): bytes[start] = true
    case .array(let count, let element):
      guard let stride = element.stride, stride > 0 else { return }
      for index in 0..<count { element.markBools(in: &bytes, at: start + index * stride) }
    case .structure(let record), .union(let record):
      for field in record.fields ?? [] where field.bits == nil { field.type.markBools(in: &bytes, at: start + field.offset) }
    default: break
    }
  }
}
