/// Hashes addresses to places of a table whose number is a power of two.
enum PointerHash {
  /// The golden ratio in 64 bits: the upper bits of a product with it depend on all bits of the other factor.
  static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns a place from 0 to 2 to the power of `bits`, exclusive.
  @inline(__always)
  static func place(of address: UInt, bits: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(address) &* factor) &>> UInt64(truncatingIfNeeded: 64 &- bits))
  }
}
