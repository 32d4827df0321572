@_spi(Tools) import DynamicInvocation

/// Encodes and decodes the bytes of a value that contains no references, by its type.
enum RecordedBytes {
  /// Writes a value.
  ///
  /// - Parameters:
  ///   - bytes: At least as many bytes as the size of the type.
  ///   - type: A type that can be recorded.
  ///   - sink: The array whose next element the value is.
  static func write(_ bytes: UnsafeRawBufferPointer, as type: TypeEncoding, to sink: inout any UnkeyedEncodingContainer) throws {
    switch type.kind {
    case .scalar(let scalar): try unsafe write(bytes, scalar, to: &sink)
    case .union: try sink.encode(unsafe HexadecimalText.text(of: bytes.prefix(type.size ?? 0)))
    default:
      var parts: any UnkeyedEncodingContainer = sink.nestedUnkeyedContainer()
      // A value of size zero has no contents, however many elements it has.
      guard type.size != 0 else { return }
      for part in type.parts {
        if case .bitField(let field) = part.type.kind, let bits = part.bits {
          try unsafe write(field.value(of: bits, in: bytes.baseAddress.unsafelyUnwrapped), bits.count, to: &parts)
        } else {
          try unsafe write(UnsafeRawBufferPointer(rebasing: bytes[part.offset...]), as: part.type, to: &parts)
        }
      }
    }
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - source: The array whose next element the value is.
  ///   - type: A type that can be recorded.
  ///   - bytes: At least as many bytes as the size of the type, all zero.
  /// - Throws: `InvocationError` without an argument, `DecodingError`.
  static func read(from source: inout any UnkeyedDecodingContainer, as type: TypeEncoding, into bytes: UnsafeMutableRawBufferPointer) throws
  {
    switch type.kind {
    case .scalar(let scalar): try unsafe read(from: &source, scalar, into: bytes)
    case .union: try unsafe HexadecimalText.read(source.decode(String.self), into: bytes.prefix(type.size ?? 0))
    default:
      var parts: any UnkeyedDecodingContainer = try source.nestedUnkeyedContainer()
      let expected = type.size == 0 ? TypeEncoding(.void).parts : type.parts
      for (number, part) in expected.enumerated() {
        guard !parts.isAtEnd else {
          throw InvocationError(
            .countMismatch, "\(number.counted("value")) given, the type has \(expected.count)", encoding: type.description)
        }
        if case .bitField(let field) = part.type.kind, let bits = part.bits {
          try unsafe read(from: &parts, field, bits, into: bytes.baseAddress.unsafelyUnwrapped)
        } else {
          try unsafe read(from: &parts, as: part.type, into: UnsafeMutableRawBufferPointer(rebasing: bytes[part.offset...]))
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
}

// MARK: - Numbers

/// Writing and reading of numbers, without loss of precision.
extension RecordedBytes {
  private static func write(
    _ bytes: UnsafeRawBufferPointer, _ scalar: TypeEncoding.Scalar, to sink: inout any UnkeyedEncodingContainer
  ) throws {
    func load<Value: BitwiseCopyable>(_: Value.Type) -> Value { unsafe bytes.loadUnaligned(as: Value.self) }
    func write<Integer: ScalarInteger>(integer: Integer.Type) throws {
      // Decoders have no integer types of more than 64 bits, so these are strings.
      if Integer.bitWidth > 64 { try sink.encode("\(load(integer))") } else { try sink.encode(load(integer)) }
    }
    func write<Number: ScalarFloatingPoint>(floatingPoint: Number.Type) throws {
      try sink.encode(RecordedNumber(value: load(floatingPoint)))
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
    from source: inout any UnkeyedDecodingContainer, _ scalar: TypeEncoding.Scalar, into bytes: UnsafeMutableRawBufferPointer
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
      store(try source.decode(RecordedNumber<Number>.self).value)
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
    from source: inout any UnkeyedDecodingContainer, _: Value.Type
  ) throws -> Value {
    let number = try source.decode(Int64.self)
    guard let value = Value(exactly: number) else { throw InvocationError(.outOfRange, "\(number) does not fit") }
    return value
  }

  private static func text<Value: LosslessStringConvertible>(
    from source: inout any UnkeyedDecodingContainer, _: Value.Type
  ) throws -> Value {
    let text = try source.decode(String.self)
    guard let value = Value(text) else { throw InvocationError(.outOfRange, "'\(text.prefix(60))' is no number of the type") }
    return value
  }
}

/// A floating-point number, encoded as a number, or as text if it is infinite or NaN.
private struct RecordedNumber<Number: ScalarFloatingPoint>: Codable {
  let value: Number

  init(value: Number) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      let number = try container.decode(Number.Recorded.self)
      guard number.isFinite else { throw InvocationError(.outOfRange, "the number does not fit") }
      guard let value = Number(exactly: number) else { throw InvocationError(.inexact, "\(number) is not held exactly") }
      self.value = value
      return
    }
    let mark = "nan:"
    if let value = ["nan": Number.nan, "inf": Number.infinity, "-inf": -Number.infinity][text] {
      self.value = value
    } else if text.hasPrefix(mark), let word = UInt64(text.dropFirst(mark.count), radix: 16), case let number = Number(word: word),
      number.isNaN, number.word == word
    {
      value = number
    } else {
      throw InvocationError(.typeMismatch, "'\(text.prefix(60))' is not a number, 'nan', 'inf' or '-inf'")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value.isFinite {
      try container.encode(Number.Recorded(value))
    } else if value.isNaN {
      // The bits of a NaN are preserved.
      try container.encode(value.word == Number.nan.word ? "nan" : "nan:" + String(value.word, radix: 16))
    } else {
      try container.encode(value < 0 ? "-inf" : "inf")
    }
  }
}

// MARK: - Bit-fields

extension RecordedBytes {
  /// Writes the number of a bit-field; the width of the field, not the value, decides whether the number is a string.
  private static func write(_ number: BoxedValue, _ width: Int, to sink: inout any UnkeyedEncodingContainer) throws {
    switch number {
    case .bool(let isTrue): try sink.encode(isTrue)
    case .int(let number): try sink.encode(number)
    case .uint(let number): try sink.encode(number)
    case .int128(let number): if width > 64 { try sink.encode("\(number)") } else { try sink.encode(Int64(number)) }
    case .uint128(let number): if width > 64 { try sink.encode("\(number)") } else { try sink.encode(UInt64(number)) }
    default: preconditionFailure("a bit-field is an integer or a bool")
    }
  }

  private static func read(
    from source: inout any UnkeyedDecodingContainer, _ field: TypeEncoding.BitField, _ bits: Range<Int>, into bytes: UnsafeMutableRawPointer
  ) throws {
    switch (field.container == .bool, field.container.isSigned, bits.count > 64) {
    case (true, _, _): try unsafe field.store(source.decode(Bool.self) ? 1 : 0, in: bits, of: bytes)
    case (_, false, false): try unsafe field.store(source.decode(UInt64.self), in: bits, of: bytes)
    case (_, false, true): try unsafe field.store(text(from: &source, UInt128.self), in: bits, of: bytes)
    case (_, true, false): try unsafe field.store(source.decode(Int64.self), in: bits, of: bytes)
    case (_, true, true): try unsafe field.store(text(from: &source, Int128.self), in: bits, of: bytes)
    }
  }
}
