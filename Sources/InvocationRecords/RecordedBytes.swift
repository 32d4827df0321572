import DynamicInvocation

/// Encodes and decodes the bytes of a value that contains no references, by its type.
enum RecordedBytes {
  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - bytes: At least as many bytes as the size of the type.
  ///   - type: A type that can be recorded.
  ///   - container: The container to which one element is added.
  static func encode(
    _ bytes: UnsafeRawBufferPointer, as type: TypeEncoding, to container: inout any UnkeyedEncodingContainer
  ) throws {
    switch type.kind {
    case .scalar(let scalar): try unsafe encode(bytes, scalar, to: &container)
    case .union: try container.encode(unsafe HexadecimalText.text(of: bytes.prefix(type.size ?? 0)))
    default:
      var parts: any UnkeyedEncodingContainer = container.nestedUnkeyedContainer()
      // A value of size zero has no contents, however many elements it has.
      guard type.size != 0 else { return }
      for part in Parts(type) {
        switch part {
        case .value(let type, let offset): try unsafe encode(UnsafeRawBufferPointer(rebasing: bytes[offset...]), as: type, to: &parts)
        case .bits(let field, let bits): try unsafe field.encode(bits, of: bytes, to: &parts)
        }
      }
    }
  }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - container: The container from which one element is read.
  ///   - type: A type that can be recorded.
  ///   - bytes: At least as many bytes as the size of the type, all zero.
  /// - Throws: `InvocationError` without an argument, `DecodingError`.
  static func decode(
    from container: inout any UnkeyedDecodingContainer, as type: TypeEncoding, into bytes: UnsafeMutableRawBufferPointer
  ) throws {
    switch type.kind {
    case .scalar(let scalar): try unsafe decode(from: &container, scalar, into: bytes)
    case .union: try unsafe HexadecimalText.read(container.decode(String.self), into: bytes.prefix(type.size ?? 0))
    default:
      var parts: any UnkeyedDecodingContainer = try container.nestedUnkeyedContainer()
      let expected = Parts(type.size == 0 ? TypeEncoding(.void) : type)
      for (number, part) in expected.enumerated() {
        guard !parts.isAtEnd else {
          throw InvocationError(
            .countMismatch, "\(number.counted("value")) given, the type has \(expected.count)", encoding: type.description)
        }
        switch part {
        case .value(let type, let offset):
          try unsafe decode(from: &parts, as: type, into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
        case .bits(let field, let bits): try unsafe field.decode(from: &parts, bits, into: bytes)
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

/// Encoding and decoding of numbers, without loss of precision.
extension RecordedBytes {
  static func encode(
    _ bytes: UnsafeRawBufferPointer, _ scalar: TypeEncoding.Scalar, to container: inout any UnkeyedEncodingContainer
  ) throws {
    func load<Value: BitwiseCopyable>(_: Value.Type) -> Value { unsafe bytes.loadUnaligned(as: Value.self) }
    func encode<Integer: ScalarInteger>(integer: Integer.Type) throws {
      // Decoders have no integer types of more than 64 bits, so these are strings.
      if Integer.bitWidth > 64 { try container.encode("\(load(integer))") } else { try container.encode(load(integer)) }
    }
    func encode<Number: ScalarFloatingPoint>(floatingPoint: Number.Type) throws {
      let value = load(floatingPoint)
      try container.encode(RecordedNumber(Number.Recorded(value), bits: value.word, standard: Number.nan.word))
    }
    switch scalar.numbers {
    case .bool: try container.encode(load(UInt8.self) != 0)
    case .integer(let type): try encode(integer: type)
    case .floatingPoint(let type): try encode(floatingPoint: type)
    case .longDouble: try container.encode(load(LongDouble.self).description)
    case .unavailable: throw InvocationError(.unsupportedType, "this platform has no such number")
    }
  }

  static func decode(
    from container: inout any UnkeyedDecodingContainer, _ scalar: TypeEncoding.Scalar, into bytes: UnsafeMutableRawBufferPointer
  ) throws {
    func store(_ value: some BitwiseCopyable) { unsafe bytes.storeBytes(of: value, as: type(of: value)) }
    func decode<Integer: ScalarInteger>(integer: Integer.Type) throws {
      switch Integer.bitWidth {
      case 65...: store(try text(from: &container, integer))
      case 64: store(try container.decode(integer))
      default: store(try Self.integer(from: &container, integer))
      }
    }
    func decode<Number: ScalarFloatingPoint>(floatingPoint: Number.Type) throws {
      switch try container.decode(RecordedNumber<Number.Recorded>.self) {
      case .number(let number):
        guard let value = Number(exactly: number) else { throw InvocationError(.inexact, "\(number) is not held exactly") }
        store(value)
      case .text(let text): store(try special(text, floatingPoint))
      }
    }
    switch scalar.numbers {
    case .bool: store(try container.decode(Bool.self) ? 1 as UInt8 : 0)
    case .integer(let type): try decode(integer: type)
    case .floatingPoint(let type): try decode(floatingPoint: type)
    case .longDouble: store(try text(from: &container, LongDouble.self))
    case .unavailable: throw InvocationError(.unsupportedType, "this platform has no such number")
    }
  }

  private static func integer<Value: FixedWidthInteger>(
    from container: inout any UnkeyedDecodingContainer, _: Value.Type
  ) throws -> Value {
    let number = try container.decode(Int64.self)
    guard let value = Value(exactly: number) else { throw InvocationError(.outOfRange, "\(number) does not fit") }
    return value
  }

  private static func text<Value: LosslessStringConvertible>(
    from container: inout any UnkeyedDecodingContainer, _: Value.Type
  ) throws -> Value {
    let text = try container.decode(String.self)
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

/// Encoding and decoding of bit-fields as integers.
extension TypeEncoding.BitField {
  /// The range of numbers that the bits can hold.
  private var bounds: ClosedRange<Int128> {
    let size = Int128(1) << Int128(min(width, 126))
    return container.isSigned ? -(size / 2)...(size / 2 - 1) : 0...(size - 1)
  }

  func encode(
    _ bits: Range<Int>, of bytes: UnsafeRawBufferPointer, to parts: inout any UnkeyedEncodingContainer
  ) throws {
    var number: Int128 = 0
    // Bits are counted from the least significant bit of the first byte, as on all little-endian platforms.
    for bit in bits where unsafe bytes[bit >> 3] >> UInt8(bit & 7) & 1 != 0 { number |= 1 << Int128(bit - bits.lowerBound) }
    if number > bounds.upperBound { number -= 2 * (bounds.upperBound + 1) }
    if container == .bool {
      try parts.encode(number != 0)
    } else if let small = Int64(exactly: number) {
      try parts.encode(small)
    } else if let large = UInt64(exactly: number) {
      try parts.encode(large)
    } else {
      throw InvocationError(.unsupportedType, "a bit-field of more than 64 bits")
    }
  }

  func decode(
    from parts: inout any UnkeyedDecodingContainer, _ bits: Range<Int>, into bytes: UnsafeMutableRawBufferPointer
  ) throws {
    let number: Int128
    if container == .bool {
      number = try parts.decode(Bool.self) ? 1 : 0
    } else if container.isSigned {
      number = Int128(try parts.decode(Int64.self))
    } else {
      number = Int128(try parts.decode(UInt64.self))
    }
    guard bounds.contains(number) else {
      throw InvocationError(.outOfRange, "\(number) does not fit \(width) bits, \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    let pattern = UInt128(truncatingIfNeeded: number)
    for bit in bits where pattern >> UInt128(bit - bits.lowerBound) & 1 != 0 { unsafe bytes[bit >> 3] |= 1 << UInt8(bit & 7) }
  }
}

/// An argument of an ``InvocationRecord``.
enum RecordedValue: Sendable {
  /// The bytes of a value that contains no references.
  case bytes([UInt8])
  /// A C string, or null.
  case text(String?)
  /// A selector, or null.
  case selector(MethodSelector?)

  /// Reads an argument of an invocation.
  ///
  /// - Throws: `InvocationError` with the argument.
  init(_ invocation: Invocation, _ index: Int) throws(InvocationError) {
    let type = invocation.methodSignature.types.arguments[index]
    try Self.require(type, index)
    switch type.kind {
    case .cString, .atom:
      guard let address: UnsafePointer<CChar> = unsafe try invocation.argument(at: index, as: UnsafePointer<CChar>?.self) else {
        self = .text(nil)
        return
      }
      guard let text = unsafe String(validatingCString: address) else {
        throw InvocationError(.malformedEncoding, "the text is no UTF-8", argument: .index(index), encoding: type.description)
      }
      self = .text(text)
    case .selector: self = .selector(try invocation.argument(at: index, as: MethodSelector?.self))
    default:
      var bytes: [UInt8] = Array(repeating: 0, count: Self.byteCount(type))
      var failure: InvocationError?
      unsafe bytes.withUnsafeMutableBytes { bytes in
        do throws(InvocationError) { try unsafe invocation.getArgument(into: bytes.baseAddress.unsafelyUnwrapped, at: index) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      self = .bytes(bytes)
    }
  }

  /// Sets an argument of an invocation.
  func set(_ index: Int, of invocation: Invocation) throws(InvocationError) {
    switch self {
    case .text(let text): try invocation.setArgument(text, at: index)
    case .selector(let selector): try invocation.setArgument(selector, at: index)
    case .bytes(let bytes):
      let slotFailure = unsafe bytes.withUnsafeBytes { bytes -> InvocationError? in
        do throws(InvocationError) {
          try unsafe invocation.setArgument(from: bytes.baseAddress.unsafelyUnwrapped, at: index)
          return nil
        } catch {
          return error
        }
      }
      if let slotFailure { throw slotFailure }
    }
  }

  /// Returns the number of bytes to store for a type.
  ///
  /// It is 1 for an empty struct, so that there is an address.
  static func byteCount(_ type: TypeEncoding) -> Int { max(type.size ?? 0, 1) }

  /// Throws unless an argument's type can be recorded.
  static func require(_ type: TypeEncoding, _ index: Int) throws(InvocationError) {
    let reason: String?
    switch type.kind {
    case .cString, .atom:
      reason = type.qualifiers.isDisjoint(with: [.out, .inout]) ? nil : "a buffer that the callee writes to is no value"
    case .selector: reason = nil
    // An array argument is passed as the address of its first element.
    case .array: reason = "a pointer is no value"
    default: reason = refusal(type)
    }
    if let reason { throw InvocationError(.unsupportedType, reason, argument: .index(index), encoding: type.description) }
    if RecordedBytes.valueCount(type) > RecordedBytes.mostValues {
      throw InvocationError(
        .limitExceeded, "it has more values than the \(RecordedBytes.mostValues) that are recorded", argument: .index(index),
        encoding: type.description)
    }
  }

  /// Returns the reason why a type cannot be recorded, or nil if it can.
  private static func refusal(_ type: TypeEncoding) -> String? {
    switch type.kind {
    case .scalar, .complex, .vector, .bitField: nil
    case .array(_, let element): refusal(element)
    case .structure(let record), .union(let record):
      record.fields.map { $0.lazy.compactMap { refusal($0.type) }.first } ?? "an incomplete type is no value"
    case .object: "an object is no value"
    case .block: "a block is no value"
    case .classObject: "a class is no value"
    case .pointer: "a pointer is no value"
    case .cString, .atom: "a C string within a struct has no owner"
    case .selector: "a selector within a struct is the address of its name"
    case .void, .unknown: "no value has this type"
    }
  }
}
