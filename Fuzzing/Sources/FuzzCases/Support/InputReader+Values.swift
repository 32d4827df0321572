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
