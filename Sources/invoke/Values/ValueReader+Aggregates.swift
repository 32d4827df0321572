import DynamicInvocation

extension ValueReader {
  /// Reads a JSON array with `count` elements; if there may be fewer, the rest stays zero, as in C.
  mutating func readElements(
    _ value: JSONValue, count: Int, of element: TypeEncoding, in type: TypeEncoding, orFewer: Bool = false,
    into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let elements = try members(of: value, count: count, orFewer: orFewer, type)
    try readElements(elements, of: element, into: memory)
  }

  /// Reads a text for an array of characters; the rest stays zero.
  ///
  /// As in C, there need not be room for a zero.
  func readText(
    _ text: String, count: Int, _ value: JSONValue, _ type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    try refuseNull(in: text, value, type)
    let bytes = Array(text.utf8)
    guard bytes.count <= count else {
      throw failure(.outOfRange, "\(value.summary) has \(bytes.count.counted("byte")), the array \(count)", type)
    }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
  }

  /// Reads elements into consecutive memory.
  mutating func readElements(
    _ elements: [JSONValue], of element: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let stride = element.stride ?? 0
    for (index, value) in elements.enumerated() {
      path.append("[\(index)]")
      try read(value, as: element, into: memory + index * stride)
      path.removeLast()
    }
  }

  /// Reads a struct from an array of its first members, or from an object with the names of some; the others stay zero,
  /// as in C.
  mutating func readStructure(
    _ value: JSONValue, _ record: TypeEncoding.Record, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let fields = record.values
    if case .object(let members) = value {
      for (field, member) in try named(members, fields, type) {
        try read(member, as: field, at: ".\(field.name ?? "")", into: memory)
      }
      return
    }
    for (index, (field, member)) in zip(fields, try members(of: value, count: fields.count, orFewer: true, type)).enumerated() {
      try read(member, as: field, at: "[\(index)]", into: memory)
    }
  }

  /// Returns the members of a struct that an object names, with their values.
  private func named(
    _ members: [JSONValue.Member], _ fields: [TypeEncoding.Field], _ type: TypeEncoding
  ) throws(InvocationError) -> [(TypeEncoding.Field, JSONValue)] {
    if members.isEmpty { return [] }
    // A bit-field without a name is no member in C.
    let fields = fields.contains { $0.name != nil } ? fields.filter { $0.name != nil || $0.bits == nil } : fields
    let names = fields.compactMap(\.name)
    guard !names.isEmpty, names.count == fields.count, Set(names).count == names.count else {
      let unnamed = names.isEmpty ? "the names of the members are not known" : "not every member has a name of its own"
      throw failure(.typeMismatch, "\(unnamed), pass an array of \(fields.count.counted("value"))", type)
    }
    let values = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    if let unknown = members.first(where: { !names.contains($0.name) }) {
      throw noMember(unknown.name, names, type)
    }
    return zip(fields, names).compactMap { field, name in values[name].map { (field, $0) } }
  }

  private func noMember(_ name: String, _ names: [String], _ type: TypeEncoding) -> InvocationError {
    failure(
      .indexOutOfRange, "there is no member \(JSONValue.string(name).summary), the members are \(names.joined(separator: ", "))", type)
  }

  /// Reads a union from `{"member": index, "value": ...}`, or from an object with the name of one member; `{}` is zero.
  mutating func readUnion(
    _ value: JSONValue, _ record: TypeEncoding.Record, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let fields = record.fields ?? []
    let names = fields.compactMap(\.name)
    if case .object(let parts) = value, parts.isEmpty { return }
    if case .object(let parts) = value, let part = parts.first, parts.count == 1, !names.isEmpty {
      guard let field = fields.first(where: { $0.name == part.name }) else { throw noMember(part.name, names, type) }
      return try read(part.value, as: field, at: ".\(part.name)", into: memory)
    }
    var number: JSONValue?
    var member: JSONValue?
    if case .object(let parts) = value, parts.count == 2 {
      for part in parts {
        if part.name == "member" { number = part.value }
        if part.name == "value" { member = part.value }
      }
    }
    guard let number, let member else {
      throw mismatch(value, "{\"member\": index, \"value\": ...}" + (names.isEmpty ? "" : " or {\"\(names[0])\": ...}"), type)
    }
    let index = try integer(number, Int.self, type)
    guard let field = fields[safe: index] else {
      throw failure(.indexOutOfRange, "there is no member \(index), the union has \(fields.count)", type)
    }
    try read(member, as: field, at: "[\(index)]", into: memory)
  }

  private func members(
    of value: JSONValue, count: Int, orFewer: Bool = false, _ type: TypeEncoding
  ) throws(InvocationError) -> [JSONValue] {
    guard case .array(let elements) = value else {
      throw mismatch(value, "an array of \(count.counted("value"))", type)
    }
    guard orFewer ? elements.count <= count : elements.count == count else { throw wrongCount(elements.count, of: count, type) }
    return elements
  }

  func wrongCount(_ given: Int, of count: Int, _ type: TypeEncoding) -> InvocationError {
    failure(.countMismatch, "\(given.counted("value")) given, the type has \(count)", type)
  }

  /// Writes a member of a struct or union at its offset.
  private mutating func read(
    _ value: JSONValue, as field: TypeEncoding.Field, at place: String, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    path.append(place)
    defer { path.removeLast() }
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
    let orText = bitField.width > 64
    if bitField.container.isSigned {
      let number = try integer(value, Int128.self, type, orText: orText)
      let range = Int128.min >> Int128(unused)...Int128.max >> Int128(unused)
      guard range.contains(number) else { throw failure(range) }
      return UInt128(truncatingIfNeeded: number)
    }
    let number = try integer(value, UInt128.self, type, orText: orText)
    let range = 0...UInt128.max >> unused
    guard range.contains(number) else { throw failure(range) }
    return number
  }
}
