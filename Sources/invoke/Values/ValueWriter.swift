import DynamicInvocation

/// Converts the bytes of C values to JSON values, as specified by a type encoding: the inverse of ``ValueReader``.
enum ValueWriter {
  /// Returns the JSON value of a C value; null for void.
  ///
  /// - Parameter inUnion: Whether the value may be a different member of a union. A C string is then shown as an
  ///   address, because its bytes may not be a pointer to a string.
  static func value(of type: TypeEncoding, at memory: UnsafeRawPointer, inUnion: Bool = false) -> JSONValue {
    switch type.kind {
    case .scalar(let scalar): return value(of: scalar, at: memory)
    case .complex(let part): return elements(2, of: TypeEncoding(scalar: part), at: memory)
    case .vector(let element, let count, _, _): return elements(count, of: TypeEncoding(scalar: element), at: memory)
    case .array(let count, let element): return elements(count, of: element, at: memory, inUnion: inUnion)
    case .structure(let record): return .array(record.values.map { value(of: $0, in: memory, inUnion: inUnion) })
    case .union(let record):
      let index = record.writtenMember(of: type)
      guard let field = record.fields?[safe: index] else { return .null }
      return .object([JSONValue.Member("member", .integer(index)), JSONValue.Member("value", value(of: field, in: memory, inUnion: true))])
    case .cString where !inUnion, .atom where !inUnion:
      guard let text = UnsafePointer<CChar>(bitPattern: memory.loadUnaligned(as: UInt.self)) else { return .null }
      return .string(String(cString: text))
    case .cString, .atom, .selector, .object, .block, .classObject, .pointer:
      let address = memory.loadUnaligned(as: UInt64.self)
      return address == 0 ? .null : .string("0x" + String(address, radix: 16))
    case .void, .unknown, .bitField: return .null
    }
  }

  /// Returns the JSON array of consecutive elements.
  static func elements(_ count: Int, of element: TypeEncoding, at memory: UnsafeRawPointer, inUnion: Bool = false) -> JSONValue {
    let stride = element.stride ?? 0
    return .array((0..<count).map { value(of: element, at: memory + $0 * stride, inUnion: inUnion) })
  }

  private static func value(of field: TypeEncoding.Field, in memory: UnsafeRawPointer, inUnion: Bool) -> JSONValue {
    guard case .bitField(let bitField) = field.type.kind else {
      return value(of: field.type, at: memory + field.offset, inUnion: inUnion)
    }
    guard let bits = field.bits, !bits.isEmpty else { return .integer(0) }
    var pattern: UInt128 = 0
    for bit in bits where memory.load(fromByteOffset: bit >> 3, as: UInt8.self) >> UInt8(bit & 7) & 1 != 0 {
      pattern |= 1 << UInt128(bit - bits.lowerBound)
    }
    let unused = 128 - bits.count
    // As for a whole integer, its type decides whether it is a string, not its value.
    switch (bitField.container.isSigned, bits.count > 64) {
    case (false, false): return .integer(pattern)
    case (false, true): return .string("\(pattern)")
    case (true, false): return .integer(Int128(truncatingIfNeeded: pattern << unused) >> unused)
    case (true, true): return .string("\(Int128(truncatingIfNeeded: pattern << unused) >> unused)")
    }
  }

  // MARK: Numbers

  private static func value(of scalar: TypeEncoding.Scalar, at memory: UnsafeRawPointer) -> JSONValue {
    switch scalar {
    case .bool: return .bool(memory.load(as: UInt8.self) != 0)
    case .int8: return .integer(memory.load(as: Int8.self))
    case .uint8: return .integer(memory.load(as: UInt8.self))
    case .int16: return .integer(memory.loadUnaligned(as: Int16.self))
    case .uint16: return .integer(memory.loadUnaligned(as: UInt16.self))
    case .int32: return .integer(memory.loadUnaligned(as: Int32.self))
    case .uint32: return .integer(memory.loadUnaligned(as: UInt32.self))
    case .int64: return .integer(memory.loadUnaligned(as: Int64.self))
    case .uint64: return .integer(memory.loadUnaligned(as: UInt64.self))
    case .int128: return .string("\(memory.loadUnaligned(as: Int128.self))")
    case .uint128: return .string("\(memory.loadUnaligned(as: UInt128.self))")
    case .float16:
      #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
        return .null
      #else
        return number(memory.loadUnaligned(as: Float16.self))
      #endif
    case .float: return number(memory.loadUnaligned(as: Float.self))
    case .double: return number(memory.loadUnaligned(as: Double.self))
    case .longDouble: return .string(memory.loadUnaligned(as: LongDouble.self).description)
    }
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
