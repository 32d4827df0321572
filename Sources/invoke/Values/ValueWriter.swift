import DynamicInvocation
import RecordedValues

/// Converts the bytes of C values to JSON values, as specified by a type encoding: the inverse of ``ValueReader``.
enum ValueWriter {
  /// Returns the JSON value of a C value; null for void.
  static func value(of type: TypeEncoding, at memory: UnsafeRawPointer) -> JSONValue {
    JSONSink.value { RecordedBytes.write(bytes(of: type, at: memory), as: type, to: &$0) }
  }

  /// Returns the JSON array of consecutive elements.
  static func elements(_ count: Int, of element: TypeEncoding, at memory: UnsafeRawPointer) -> JSONValue {
    let stride = element.stride ?? 0
    return .array((0..<count).map { value(of: element, at: memory + $0 * stride) })
  }

  private static func bytes(of type: TypeEncoding, at memory: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory, count: type.size ?? 0)
  }

  /// Returns the shortest decimal that reads back as the same number.
  ///
  /// JSON cannot express NaN and infinities, so they are strings.
  static func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> JSONValue {
    if value.isNaN { return .string("nan") }
    if value.isInfinite { return .string(value < 0 ? "-inf" : "inf") }
    return .number(value.description)
  }
}

/// Writes recorded values as JSON values.
struct JSONSink: RecordSink {
  typealias Failure = Never
  typealias Parts = JSONSink

  private var values: [JSONValue] = []
  /// Whether the value may be a different member of a union.
  ///
  /// A C string is then shown as an address, because its bytes may not be a pointer to a string.
  private let isInUnion: Bool

  private init(isInUnion: Bool) { self.isInUnion = isInUnion }

  /// Returns the value that a closure writes; null if it writes none.
  static func value(isInUnion: Bool = false, _ write: (inout JSONSink) -> Void) -> JSONValue {
    var sink = JSONSink(isInUnion: isInUnion)
    write(&sink)
    return sink.values.first ?? .null
  }

  static var writesEmptyParts: Bool { true }

  mutating func write(_ bool: Bool) { values.append(.bool(bool)) }
  mutating func write(flag: Bool) { values.append(.integer(flag ? 1 : 0)) }
  mutating func write(_ integer: some ScalarInteger) { values.append(.integer(integer)) }
  mutating func write(_ number: some ScalarFloatingPoint) { values.append(ValueWriter.number(number)) }
  mutating func write(_ text: String) { values.append(.string(text)) }

  mutating func beginParts() -> JSONSink { JSONSink(isInUnion: isInUnion) }
  mutating func endParts(_ parts: JSONSink) { values.append(.array(parts.values)) }

  mutating func writeOther(_ bytes: UnsafeRawBufferPointer, as type: TypeEncoding) { values.append(other(bytes, as: type)) }

  private func other(_ bytes: UnsafeRawBufferPointer, as type: TypeEncoding) -> JSONValue {
    switch type.kind {
    case .union(let record):
      let index = record.writtenMember(of: type)
      guard let field = record.fields?[safe: index] else { return .null }
      let value = Self.value(isInUnion: true) { RecordedBytes.write(field, of: bytes, to: &$0) }
      return .object([JSONValue.Member("member", .integer(index)), JSONValue.Member("value", value)])
    case .cString where !isInUnion, .atom where !isInUnion:
      guard let text = UnsafePointer<CChar>(bitPattern: bytes.loadUnaligned(as: UInt.self)) else { return .null }
      return .string(String(cString: text))
    case .cString, .atom, .selector, .object, .block, .classObject, .pointer:
      let address = bytes.loadUnaligned(as: UInt64.self)
      return address == 0 ? .null : .string("0x" + String(address, radix: 16))
    default: return .null
    }
  }
}
