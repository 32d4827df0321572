public import DynamicInvocation

/// The bytes of a value of a type, with a mask of the significant bits.
///
/// Padding, and the bytes of a union outside of the member that is set, contain random bits and are not in the mask.
public struct ValueSample: Sendable {
  /// The bytes of the value.
  public private(set) var bytes: [UInt8]

  /// The mask: a set bit for each bit that a callee must receive unchanged.
  public private(set) var mask: [UInt8]

  private let longDouble: LongDoubleFormat

  /// Creates a random value that every conforming compiler passes unchanged: numbers are finite, a Boolean is 0 or 1.
  public init(of type: TypeEncoding, longDouble: LongDoubleFormat = .host, using generator: inout SeededGenerator) {
    self.longDouble = longDouble
    var size = type.size ?? 0
    var decayed = type
    if case .array(_, let element) = type.kind {
      // As an argument it is a pointer.
      size = 8
      decayed = element
    }
    bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    mask = Array(repeating: 0, count: size)
    if case .array = type.kind { cover(0..<64) } else { fill(decayed, at: 0, using: &generator) }
  }

  /// Returns the index of the first byte in which another value of the type differs, or nil if the values are equal.
  public func firstDifference(from other: [UInt8]) -> Int? {
    bytes.indices.first { (bytes[$0] ^ other[$0]) & mask[$0] != 0 }
  }

  private mutating func cover(_ bits: Range<Int>) {
    for bit in bits { mask[bit / 8] |= 1 << UInt8(bit % 8) }
  }

  private mutating func fill(_ type: TypeEncoding, at offset: Int, using generator: inout SeededGenerator) {
    switch type.kind {
    case .scalar(let scalar): fill(scalar, at: offset, using: &generator)
    case .complex(let part):
      fill(part, at: offset, using: &generator)
      fill(part, at: offset + part.size, using: &generator)
    case .vector(let element, let count, _, _):
      for index in 0..<count { fill(element, at: offset + index * element.size, using: &generator) }
    case .array(let count, let element):
      for index in 0..<count { fill(element, at: offset + index * (element.stride ?? 0), using: &generator) }
    case .structure(let record):
      for field in record.fields ?? [] { fill(field, at: offset, using: &generator) }
    case .union(let record):
      if let fields = record.fields, !fields.isEmpty { fill(generator.pick(fields), at: offset, using: &generator) }
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: cover(8 * offset..<8 * offset + 64)
    case .void, .unknown, .bitField: break
    }
  }

  private mutating func fill(_ field: TypeEncoding.Field, at offset: Int, using generator: inout SeededGenerator) {
    if let bits = field.bits {
      // The bits are random already, and any pattern is a value of a bit-field.
      cover(8 * offset + bits.lowerBound..<8 * offset + bits.upperBound)
    } else {
      fill(field.type, at: offset + field.offset, using: &generator)
    }
  }

  private mutating func fill(_ scalar: TypeEncoding.Scalar, at offset: Int, using generator: inout SeededGenerator) {
    let last = offset + scalar.size - 1
    cover(8 * offset..<8 * offset + (scalar == .longDouble ? longDouble.bits : 8 * scalar.size))
    switch scalar {
    case .bool: bytes[offset] &= 1
    // An exponent with all bits set is an infinity or a NaN: clear one of its bits.
    case .float16: bytes[last] &= ~0x40
    case .float, .double: bytes[last] &= ~0x40
    case .longDouble where longDouble == .extended:
      // An exponent in range, and the explicit integer bit of a normal number.
      bytes[offset + 9] = bytes[offset + 9] & ~0x40
      bytes[offset + 8] |= 1
      bytes[offset + 7] |= 0x80
    case .longDouble: bytes[last] &= ~0x40
    default: break
    }
  }
}

/// Random values of a call's arguments and result, in memory that C can read.
public struct SampleMemory {
  /// The arguments.
  public let arguments: [ValueSample]
  /// The result.
  public let resultSample: ValueSample
  /// The address of each argument's bytes.
  public let values: UnsafePointer<UnsafePointer<UInt8>?>
  /// The address of each argument's mask.
  public let masks: UnsafePointer<UnsafePointer<UInt8>?>
  /// The result, aligned for any type.
  public let result: UnsafeRawPointer

  private let block: UnsafeMutableRawPointer

  /// Creates random values.
  ///
  /// The caller must call ``deallocate()``.
  public init(arguments types: [TypeEncoding], result: TypeEncoding, using generator: inout SeededGenerator) {
    arguments = types.map { ValueSample(of: $0, using: &generator) }
    resultSample = ValueSample(of: result, using: &generator)
    // The result is first, so that it is aligned. The two tables follow, then the bytes that they point to, at
    // arbitrary addresses.
    let tables = resultSample.bytes.count.roundedUpToWord
    let bytes = tables + 16 * types.count
    let total = bytes + arguments.reduce(0) { $0 + 2 * $1.bytes.count + 1 }
    block = UnsafeMutableRawPointer.allocate(byteCount: max(1, total), alignment: 64)
    Self.copy(resultSample.bytes, to: block)
    self.result = UnsafeRawPointer(block)
    let table = (block + tables).bindMemory(to: UnsafePointer<UInt8>?.self, capacity: 2 * types.count)
    var next = block + bytes
    for (index, sample) in arguments.enumerated() {
      // An odd address: the memory that an argument is set from need not be aligned.
      if UInt(bitPattern: next) % 2 == 0 { next += 1 }
      (table + index).initialize(to: UnsafePointer(Self.copy(sample.bytes, to: next)))
      next += sample.bytes.count
      (table + types.count + index).initialize(to: UnsafePointer(Self.copy(sample.mask, to: next)))
      next += sample.mask.count
    }
    values = UnsafePointer(table)
    masks = UnsafePointer(table + types.count)
  }

  @discardableResult
  private static func copy(_ bytes: [UInt8], to place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
    bytes.withUnsafeBytes { if let base = $0.baseAddress { place.copyMemory(from: base, byteCount: $0.count) } }
    return place.assumingMemoryBound(to: UInt8.self)
  }

  /// Frees the memory.
  public func deallocate() { block.deallocate() }
}

extension Int {
  fileprivate var roundedUpToWord: Int { (self + 7) / 8 * 8 }
}

/// The format of a processor's `long double`.
public enum LongDoubleFormat: Sendable {
  /// 80 bits in 16 bytes, of x86-64.
  case extended
  /// 128 bits, of AArch64 Linux.
  case quad
  /// A `double`, of Apple's 64-bit Arm platforms.
  case double

  /// The format of this host.
  public static var host: LongDoubleFormat {
    #if arch(x86_64)
      .extended
    #else
      TypeEncoding.Scalar.longDouble.size == 16 ? .quad : .double
    #endif
  }

  /// The number of bits that contain the value.
  public var bits: Int {
    switch self {
    case .extended: 80
    case .quad: 128
    case .double: 64
    }
  }
}
