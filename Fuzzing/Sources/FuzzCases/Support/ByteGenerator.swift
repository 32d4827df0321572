/// Gives random choices from the bytes of an input, a byte each, and then always those of one seed.
///
/// A byte decides by its size: of few things to choose from each has its own bytes.
struct ByteGenerator: RandomNumberGenerator {
  private var input: InputReader
  private var state: UInt64 = 0

  init(_ bytes: UnsafeRawBufferPointer) { input = InputReader(bytes) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let noise = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    if input.isEmpty { return noise }
    // What is random below the byte keeps the choice from being tried again for ever.
    return UInt64(input.byte()) << 56 | noise >> 8
  }
}
