/// Generates random choices from the bytes of an input, one byte each, and afterwards from a fixed seed.
///
/// A byte selects by its magnitude: among few alternatives, each has its own range of bytes.
struct ByteGenerator: RandomNumberGenerator {
  private var input: InputReader
  private var state: UInt64 = 0

  init(_ bytes: UnsafeRawBufferPointer) { input = InputReader(bytes) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let noise = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    if input.isEmpty { return noise }
    // The random bits below the byte prevent an endless repetition of a rejected choice.
    return UInt64(input.byte()) << 56 | noise >> 8
  }
}
