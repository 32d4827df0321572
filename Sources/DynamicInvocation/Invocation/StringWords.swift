/// The two words that a string is, of which equal ones are equal texts when the text lies within them.
struct StringWords: Equatable {
  private let low: UInt64
  private let high: UInt64

  /// The words of no string.
  static let none = StringWords(low: .max, high: .max)

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The words of a string.
  @inline(__always)
  init(_ text: String) {
    guard MemoryLayout<String>.size == MemoryLayout<StringWords>.size else {
      self = .none
      return
    }
    self = unsafe unsafeBitCast(text, to: StringWords.self)
  }

  /// The words of every string of a text, or of none if the text does not lie within them.
  ///
  /// Swift keeps texts of at most 15 bytes so. Should it ever do otherwise, the bytes are not found where they are looked for.
  init(holding text: UnsafeRawBufferPointer) {
    let words = StringWords(unsafe String(decoding: text, as: UTF8.self))
    let isHeld = unsafe withUnsafeBytes(of: words) { bytes in
      unsafe text.count < bytes.count && bytes.starts(with: text) && bytes[text.count..<bytes.count - 1].allSatisfy { $0 == 0 }
    }
    self = isHeld ? words : .none
  }

  /// A place from 0 to 2 to the power of `bits`, exclusive.
  @inline(__always)
  func place(bits: Int) -> Int { PointerHash.place(of: UInt(truncatingIfNeeded: low ^ high), bits: bits) }
}
