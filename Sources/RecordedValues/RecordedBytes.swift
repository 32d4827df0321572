import DynamicInvocation

/// Encodes and decodes the bytes of a value that contains no references, by its type.
enum RecordedBytes {
  /// Writes a value.
  ///
  /// - Parameters:
  ///   - bytes: At least as many bytes as the size of the type.
  ///   - type: A type that can be recorded.
  ///   - sink: Where it is encoded.
  static func write(_ bytes: UnsafeRawBufferPointer, as type: TypeEncoding, to sink: inout CodingSink) throws {
    switch type.kind {
    case .scalar(let scalar): try unsafe write(bytes, scalar, to: &sink)
    case .union: try sink.encode(unsafe HexadecimalText.text(of: bytes.prefix(type.size ?? 0)))
    default:
      var parts = sink.parts()
      // A value of size zero has no contents, however many elements it has.
      guard type.size != 0 else { return }
      for part in Parts(type) {
        switch part {
        case .value(let type, let offset): try unsafe write(UnsafeRawBufferPointer(rebasing: bytes[offset...]), as: type, to: &parts)
        case .bits(let field, let bits): try unsafe field.write(bits, of: bytes, to: &parts)
        }
      }
    }
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - source: Where it is decoded.
  ///   - type: A type that can be recorded.
  ///   - bytes: At least as many bytes as the size of the type, all zero.
  /// - Throws: `InvocationError` without an argument, `DecodingError`.
  static func read(from source: inout CodingSource, as type: TypeEncoding, into bytes: UnsafeMutableRawBufferPointer) throws {
    switch type.kind {
    case .scalar(let scalar): try unsafe read(from: &source, scalar, into: bytes)
    case .union: try unsafe HexadecimalText.read(source.decode(String.self), into: bytes.prefix(type.size ?? 0))
    default:
      var parts = try source.parts()
      let expected = Parts(type.size == 0 ? TypeEncoding(.void) : type)
      for (number, part) in expected.enumerated() {
        guard !parts.isAtEnd else {
          throw InvocationError(
            .countMismatch, "\(number.counted("value")) given, the type has \(expected.count)", encoding: type.description)
        }
        switch part {
        case .value(let type, let offset):
          try unsafe read(from: &parts, as: type, into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
        case .bits(let field, let bits): try unsafe field.read(from: &parts, bits, into: bytes)
        }
      }
      guard parts.isAtEnd else {
        throw InvocationError(.countMismatch, "more values given than the \(expected.count) of the type", encoding: type.description)
      }
    }
  }
}

extension RecordedBytes {
  /// The maximum number of values that one argument is encoded as, including the arrays that contain them.
  static let mostValues = 1 << 22

  /// Returns the number of values that a value of a type is encoded as.
  ///
  /// If it exceeds ``mostValues``, the result is any greater number.
  ///
  /// - Complexity: O(parts of the type's text).
  static func valueCount(_ type: TypeEncoding) -> Int {
    guard type.size != 0 else { return 1 }
    switch type.kind {
    case .structure(let record):
      var sum = 1
      for field in record.fields ?? [] where sum <= mostValues { sum += valueCount(field.type) }
      return sum
    case .array(let count, let element):
      let (product, overflow) = count.multipliedReportingOverflow(by: valueCount(element))
      return overflow ? mostValues + 1 : min(product, mostValues) + 1
    case .vector(_, let count, _, _): return count + 1
    case .complex: return 3
    default: return 1
    }
  }

  /// A part of a value: a value at an offset, or bits of a struct.
  fileprivate enum Part {
    case value(TypeEncoding, Int)
    case bits(TypeEncoding.BitField, Range<Int>)
  }

  /// The parts of a struct, an array, a vector or a complex number, created one at a time: an array may have millions.
  fileprivate struct Parts: Sequence {
    let count: Int
    private let part: (Int) -> Part

    init(_ type: TypeEncoding) {
      switch type.kind {
      case .structure(let record):
        // A bit-field of width zero has no value.
        let fields = (record.fields ?? []).filter { $0.bits.map { !$0.isEmpty } ?? true }
        count = fields.count
        part = { index in
          let field = fields[index]
          if case .bitField(let bitField) = field.type.kind { return .bits(bitField, field.bits ?? 0..<0) }
          return .value(field.type, field.offset)
        }
      case .array(let elements, let element):
        count = elements
        part = { .value(element, $0 * (element.stride ?? 0)) }
      case .vector(let scalar, let elements, _, _):
        count = elements
        part = { .value(TypeEncoding(.scalar(scalar)), $0 * scalar.size) }
      case .complex(let scalar):
        count = 2
        part = { .value(TypeEncoding(.scalar(scalar)), $0 * scalar.size) }
      default:
        count = 0
        part = { _ in .value(type, 0) }
      }
    }

    func makeIterator() -> some IteratorProtocol<Part> { (0..<count).lazy.map(part).makeIterator() }
  }
}

// MARK: - Numbers

/// Writing and reading of numbers, without loss of precision.
extension RecordedBytes {
  private static func write(_ bytes: UnsafeRawBufferPointer, _ scalar: TypeEncoding.Scalar, to sink: inout CodingSink) throws {
    func load<Value: BitwiseCopyable>(_: Value.Type) -> Value { unsafe bytes.loadUnaligned(as: Value.self) }
    func write<Integer: ScalarInteger>(integer: Integer.Type) throws {
      // Decoders have no integer types of more than 64 bits, so these are strings.
      if Integer.bitWidth > 64 { try sink.encode("\(load(integer))") } else { try sink.encode(load(integer)) }
    }
    func write<Number: ScalarFloatingPoint>(floatingPoint: Number.Type) throws {
      let value = load(floatingPoint)
      try sink.encode(RecordedNumber(Number.Recorded(value), bits: value.word, standard: Number.nan.word))
    }
    switch scalar.numbers {
    case .bool: try sink.encode(load(UInt8.self) != 0)
    case .integer(let type): try write(integer: type)
    case .floatingPoint(let type): try write(floatingPoint: type)
    case .longDouble: try sink.encode(load(LongDouble.self).description)
    case .unavailable: throw InvocationError(.unsupportedType, "this platform has no such number")
    }
  }

  private static func read(
    from source: inout CodingSource, _ scalar: TypeEncoding.Scalar, into bytes: UnsafeMutableRawBufferPointer
  ) throws {
    func store(_ value: some BitwiseCopyable) { unsafe bytes.storeBytes(of: value, as: type(of: value)) }
    func read<Integer: ScalarInteger>(integer: Integer.Type) throws {
      switch Integer.bitWidth {
      case 65...: store(try text(from: &source, integer))
      case 64: store(try source.decode(integer))
      default: store(try Self.integer(from: &source, integer))
      }
    }
    func read<Number: ScalarFloatingPoint>(floatingPoint: Number.Type) throws {
      switch try source.decode(RecordedNumber<Number.Recorded>.self) {
      case .number(let number):
        guard let value = Number(exactly: number) else { throw InvocationError(.inexact, "\(number) is not held exactly") }
        store(value)
      case .text(let text): store(try special(text, floatingPoint))
      }
    }
    switch scalar.numbers {
    case .bool: store(try source.decode(Bool.self) ? 1 as UInt8 : 0)
    case .integer(let type): try read(integer: type)
    case .floatingPoint(let type): try read(floatingPoint: type)
    case .longDouble: store(try text(from: &source, LongDouble.self))
    case .unavailable: throw InvocationError(.unsupportedType, "this platform has no such number")
    }
  }

  private static func integer<Value: FixedWidthInteger>(
    from source: inout CodingSource, _: Value.Type
  ) throws -> Value {
    let number = try source.decode(Int64.self)
    guard let value = Value(exactly: number) else { throw InvocationError(.outOfRange, "\(number) does not fit") }
    return value
  }

  fileprivate static func text<Value: LosslessStringConvertible>(
    from source: inout CodingSource, _: Value.Type
  ) throws -> Value {
    let text = try source.decode(String.self)
    guard let value = Value(text) else { throw InvocationError(.outOfRange, "'\(text.prefix(60))' is no number of the type") }
    return value
  }

  /// Returns the number that a text represents: an infinity or a NaN.
  private static func special<Number: ScalarFloatingPoint>(_ text: String, _: Number.Type) throws(InvocationError) -> Number {
    switch text {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    default:
      let mark = "nan:"
      if text.hasPrefix(mark), let word = UInt64(text.dropFirst(mark.count), radix: 16), case let number = Number(word: word),
        number.isNaN, number.word == word
      {
        return number
      }
      throw InvocationError(.typeMismatch, "'\(text.prefix(60))' is not a number, 'nan', 'inf' or '-inf'")
    }
  }
}

/// A floating-point number, encoded as a number, or as text if it is infinite or NaN.
enum RecordedNumber<Value: BinaryFloatingPoint & Codable & Sendable>: Codable, Sendable {
  case number(Value)
  case text(String)

  /// - Parameters:
  ///   - value: The value.
  ///   - bits: Its bits, which are preserved for a NaN.
  ///   - standard: The bits of the default NaN.
  init(_ value: Value, bits: UInt64, standard: UInt64) {
    if value.isFinite {
      self = .number(value)
    } else if value.isNaN {
      self = .text(bits == standard ? "nan" : "nan:" + String(bits, radix: 16))
    } else {
      self = .text(value < 0 ? "-inf" : "inf")
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
      return
    }
    let value = try container.decode(Value.self)
    guard value.isFinite else { throw InvocationError(.outOfRange, "the number does not fit") }
    self = .number(value)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}

/// Writing and reading of bit-fields as integers.
extension TypeEncoding.BitField {
  fileprivate func write(_ bits: Range<Int>, of bytes: UnsafeRawBufferPointer, to sink: inout CodingSink) throws {
    var pattern: UInt128 = 0
    // Bits are counted from the least significant bit of the first byte, as on all little-endian platforms.
    for bit in bits where unsafe bytes[bit >> 3] >> UInt8(bit & 7) & 1 != 0 { pattern |= 1 << UInt128(bit - bits.lowerBound) }
    let unused = 128 - bits.count
    // As for a whole integer, its type decides whether it is a string, not its value.
    switch (container == .bool, container.isSigned, bits.count > 64) {
    case (true, _, _): try sink.encode(pattern != 0)
    case (_, false, false): try sink.encode(UInt64(truncatingIfNeeded: pattern))
    case (_, false, true): try sink.encode("\(pattern)")
    case (_, true, false): try sink.encode(Int64(truncatingIfNeeded: Int128(truncatingIfNeeded: pattern << unused) >> unused))
    case (_, true, true): try sink.encode("\(Int128(truncatingIfNeeded: pattern << unused) >> unused)")
    }
  }

  fileprivate func read(from source: inout CodingSource, _ bits: Range<Int>, into bytes: UnsafeMutableRawBufferPointer) throws {
    let pattern: UInt128
    switch (container == .bool, container.isSigned, bits.count > 64) {
    case (true, _, _): pattern = try source.decode(Bool.self) ? 1 : 0
    case (_, false, false): pattern = try fitting(source.decode(UInt64.self))
    case (_, false, true): pattern = try fitting(RecordedBytes.text(from: &source, UInt128.self))
    case (_, true, false): pattern = try fitting(source.decode(Int64.self))
    case (_, true, true): pattern = try fitting(RecordedBytes.text(from: &source, Int128.self))
    }
    for bit in bits where pattern >> UInt128(bit - bits.lowerBound) & 1 != 0 { unsafe bytes[bit >> 3] |= 1 << UInt8(bit & 7) }
  }

  /// The bits of a number, which must be in the range of the bit-field.
  private func fitting<Number: FixedWidthInteger>(_ number: Number) throws(InvocationError) -> UInt128 {
    let greatest = UInt128.max >> UInt128(128 - width + (Number.isSigned ? 1 : 0))
    let least = Number.isSigned ? -Int128(greatest) - 1 : 0
    guard number <= greatest, number >= least else {
      throw InvocationError(.outOfRange, "\(number) does not fit \(width) bits, \(least) to \(greatest)")
    }
    return UInt128(truncatingIfNeeded: number)
  }
}
