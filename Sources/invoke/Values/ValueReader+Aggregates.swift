import DynamicInvocation

extension ValueReader {
  /// Reads a JSON array with exactly `count` elements.
  mutating func readElements(
    _ value: JSONValue, count: Int, of element: TypeEncoding, in type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let elements = try members(of: value, count: count, type)
    try readElements(elements, of: element, into: memory)
  }

  /// Reads elements into consecutive memory.
  mutating func readElements(
    _ elements: [JSONValue], of element: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let stride = element.stride ?? 0
    for (index, value) in elements.enumerated() {
      path.append(index)
      try read(value, as: element, into: memory + index * stride)
      path.removeLast()
    }
  }

  mutating func readStructure(
    _ value: JSONValue, _ record: TypeEncoding.Record, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let fields = record.values
    for (index, (field, member)) in zip(fields, try members(of: value, count: fields.count, type)).enumerated() {
      path.append(index)
      try read(member, as: field, into: memory)
      path.removeLast()
    }
  }

  mutating func readUnion(
    _ value: JSONValue, _ record: TypeEncoding.Record, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    var number: JSONValue?
    var member: JSONValue?
    if case .object(let parts) = value, parts.count == 2 {
      for part in parts {
        if part.name == "member" { number = part.value }
        if part.name == "value" { member = part.value }
      }
    }
    guard let number, let member else { throw mismatch(value, "{\"member\": index, \"value\": ...}", type) }
    let fields = record.fields ?? []
    let index = try integer(number, Int.self, type)
    guard let field = fields[safe: index] else {
      throw failure(.indexOutOfRange, "there is no member \(index), the union has \(fields.count)", type)
    }
    path.append(index)
    try read(member, as: field, into: memory)
    path.removeLast()
  }

  private func members(of value: JSONValue, count: Int, _ type: TypeEncoding) throws(InvocationError) -> [JSONValue] {
    guard case .array(let elements) = value else {
      throw mismatch(value, count == 1 ? "an array of 1 value" : "an array of \(count) values", type)
    }
    guard elements.count == count else {
      throw failure(.countMismatch, "\(elements.count) values given, the type has \(count)", type)
    }
    return elements
  }

  /// Writes a member of a struct or union at its offset.
  private mutating func read(
    _ value: JSONValue, as field: TypeEncoding.Field, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    guard case .bitField(let bitField) = field.type.kind else {
      return try read(value, as: field.type, into: memory + field.offset)
    }
    guard let bits = field.bits, !bits.isEmpty else { return }
    let pattern = try pattern(of: value, bitField, field.type)
    for bit in bits {
      // Bits are counted from the least significant bit of the first byte, as on all little-endian platforms.
      let mask: UInt8 = 1 << UInt8(bit & 7)
      let byte = memory.load(fromByteOffset: bit >> 3, as: UInt8.self)
      let isSet = pattern >> UInt128(bit - bits.lowerBound) & 1 != 0
      memory.storeBytes(of: isSet ? byte | mask : byte & ~mask, toByteOffset: bit >> 3, as: UInt8.self)
    }
  }

  /// Returns the bits of the integer to store in a bit-field.
  private func pattern(
    of value: JSONValue, _ bitField: TypeEncoding.BitField, _ type: TypeEncoding
  ) throws(InvocationError) -> UInt128 {
    let unused = UInt128(128 - bitField.width)
    func failure(_ range: ClosedRange<some FixedWidthInteger>) -> InvocationError {
      self.failure(
        .outOfRange, "\(value.summary) does not fit \(bitField.width) bits, \(range.lowerBound) to \(range.upperBound)", type)
    }
    if bitField.container.isSigned {
      let number = try integer(value, Int128.self, type)
      let range = Int128.min >> Int128(unused)...Int128.max >> Int128(unused)
      guard range.contains(number) else { throw failure(range) }
      return UInt128(truncatingIfNeeded: number)
    }
    let number = try integer(value, UInt128.self, type)
    let range = 0...UInt128.max >> unused
    guard range.contains(number) else { throw failure(range) }
    return number
  }
}
