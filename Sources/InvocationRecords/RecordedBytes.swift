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
