@_spi(Tools) import DynamicInvocation

/// Converts the bytes of C values to JSON values, as specified by a type encoding: the inverse of ``ValueReader``.
enum ValueWriter {
  /// Returns the JSON value of a C value; null for void.
  ///
  /// - Parameter inUnion: Whether the value may be a different member of a union. A C string is then shown as an
  ///   address, because its bytes may not be a pointer to a string.
  static func value(of type: TypeEncoding, at memory: UnsafeRawPointer, inUnion: Bool = false) -> JSONValue {
    switch type.kind {
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      // A box is a `Float`, which has more digits.
      case .scalar(.float16): return number(memory.loadUnaligned(as: Float16.self))
    #endif
    case .scalar: return JSONValue(number: BoxedValue(reading: memory, as: type), isText: type.size ?? 0 > 8)
    case .complex, .vector, .array: return .array(type.parts.map { value(of: $0, in: memory, inUnion: inUnion) })
    case .structure: return .array(type.valueMembers.map { value(of: $0, in: memory, inUnion: inUnion) })
    case .union:
      let index = type.writtenMember
      guard let field = type.valueMembers[safe: index] else { return .null }
      return ["member": .integer(index), "value": value(of: field, in: memory, inUnion: true)]
    case .cString where !inUnion, .atom where !inUnion:
      guard let text = UnsafePointer<CChar>(bitPattern: memory.loadUnaligned(as: UInt.self)) else { return .null }
      return .string(String(cString: text))
    case .cString, .atom, .selector, .object, .block, .classObject, .pointer:
      let address = memory.loadUnaligned(as: UInt64.self)
      return address == 0 ? .null : .string("0x" + String(address, radix: 16))
    case .void, .unknown, .bitField: return .null
    }
  }

  private static func value(of field: TypeEncoding.Field, in memory: UnsafeRawPointer, inUnion: Bool) -> JSONValue {
    guard case .bitField(let bitField) = field.type.kind, let bits = field.bits else {
      return value(of: field.type, at: memory + field.offset, inUnion: inUnion)
    }
    return bits.isEmpty ? .integer(0) : JSONValue(number: bitField.value(of: bits, in: memory), isText: bits.count > 64)
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

extension JSONValue {
  /// Creates the value of a boxed number.
  ///
  /// - Parameter isText: Whether an integer is a string: the width of its type decides, not its value.
  fileprivate init(number: BoxedValue, isText: Bool) {
    switch number {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .integer(value)
    case .uint(let value): self = .integer(value)
    case .int128(let value): self = isText ? .string("\(value)") : .integer(value)
    case .uint128(let value): self = isText ? .string("\(value)") : .integer(value)
    case .float(let value): self = ValueWriter.number(value)
    case .double(let value): self = ValueWriter.number(value)
    case .longDouble(let value): self = .string(value.description)
    default: self = .null
    }
  }
}
