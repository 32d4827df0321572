/// Takes the values of a test from the bytes of an input, one after the other.
///
/// Past the end every byte is zero, so that any input is a complete test and a shorter input is a simpler test.
struct InputReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  /// Whether no bytes are left.
  var isEmpty: Bool { rest.isEmpty }

  /// The number of bytes left.
  var count: Int { rest.count }

  /// Takes a byte.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Takes an integer, its lowest byte first.
  mutating func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
    var bits: UInt128 = 0
    for index in 0..<Number.bitWidth / 8 { bits |= UInt128(byte()) << UInt128(8 * index) }
    return Number(truncatingIfNeeded: bits)
  }

  /// Takes a number from zero up to, but not including, a bound of at most 65,536.
  ///
  /// It takes only one byte if that is sufficient.
  mutating func number(below bound: Int) -> Int {
    bound <= 256 ? Int(byte()) % bound : Int(integer(UInt16.self)) % bound
  }

  /// Takes a Boolean value.
  mutating func flag() -> Bool { byte() & 1 != 0 }

  /// Takes an element of a collection that is not empty.
  mutating func element<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: number(below: elements.count))]
  }

  /// Takes up to `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Takes the remaining bytes.
  mutating func remainder() -> [UInt8] { bytes(rest.count) }
}
