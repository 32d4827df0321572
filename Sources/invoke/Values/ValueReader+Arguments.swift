import DynamicInvocation

extension ValueReader {
  /// An argument ready for the call.
  struct Argument {
    /// The address of its value.
    var value: UnsafeMutableRawPointer
    /// The buffer that it points to, if the argument was given as an array.
    var buffer: Buffer?
  }

  /// Memory that a callee may write to, returned in the answer.
  struct Buffer {
    var address: UnsafeMutableRawPointer
    var element: TypeEncoding
    var count: Int
  }

  /// Reads an argument.
  ///
  /// An array given for a pointer becomes a buffer of the pointee type that lives for the duration of the call.
  mutating func argument(_ value: JSONValue, as type: TypeEncoding) throws(InvocationError) -> Argument {
    let buffer = try buffer(for: value, type)
    var isArray = false
    if case .array = type.kind { isArray = true }
    let isAddress = isArray || buffer != nil
    let memory = try placed(type) { [arena] () throws(InvocationError) in
      try arena.allocate(byteCount: isAddress ? 8 : max(type.size ?? 0, 16), alignment: max(isAddress ? 1 : type.alignment ?? 1, 16))
    }
    if let buffer {
      store(address: UInt64(UInt(bitPattern: buffer.address)), in: memory)
    } else if isArray {
      store(address: try address(value, type), in: memory)
    } else if type.isText, let address = value.statedAddress {
      // Only for a whole argument: a member of a buffer is read back as a C string after the call, which the address
      // may not be.
      store(address: try self.address(address, type), in: memory)
    } else {
      try read(value, as: type, into: memory)
    }
    return Argument(value: memory, buffer: buffer)
  }

  /// Returns the buffer that a value states for a pointer, for an array as a parameter, or for a text; nil if the value is
  /// an address or a text.
  mutating func buffer(for value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> Buffer? {
    switch (type.kind, value) {
    case (.cString, .array(let elements)): return try buffer(elements, of: "C", type)
    case (.array(let count, let element), .array(let elements)): return try buffer(elements, of: element, least: count, type)
    case (.array(let count, let element), .string(let text)) where element.isCharacter && !Self.beginsLikeAddress(text):
      try refuseNull(in: text, value, type)
      let isSigned = if case .scalar(.int8) = element.kind { true } else { false }
      let characters = text.utf8.map { isSigned ? JSONValue.integer(Int8(bitPattern: $0)) : .integer($0) } + [.integer(0)]
      // A text may be longer than the parameter `char name[8]`, which is a pointer.
      return try buffer(characters, of: element, least: max(count, characters.count), type)
    case (.pointer(let target), .array(let elements)):
      switch target.kind {
      case .unknown: return nil
      case .void:
        throw failure(
          .typeMismatch,
          "an array for an untyped pointer states the type of its elements as the request states types: "
            + "{\"int\": [1, 2]} with a declaration, {\"i\": [1, 2]} with an encoding", type)
      default: return try buffer(elements, of: target, type)
      }
    case (.pointer(let target), .object(let members)):
      switch target.kind {
      case .structure, .union: return try buffer([value], of: target, type)
      case .void:
        guard let member = members.first, members.count == 1, case .array(let elements) = member.value else { return nil }
        return try buffer(elements, of: self.type(member.name), type)
      default: return nil
      }
    default: return nil
    }
  }

  /// Returns a buffer with elements, and zeros up to the number that a type states.
  private mutating func buffer(
    _ elements: [JSONValue], of element: TypeEncoding, least: Int = 0, _ type: TypeEncoding
  ) throws(InvocationError) -> Buffer {
    guard element.size != nil else {
      throw failure(.unsupportedType, "a buffer of an incomplete type has no size; pass null or an address", type)
    }
    guard least == 0 || elements.count <= least else { throw wrongCount(elements.count, of: least, type) }
    let (count, limit) = (max(elements.count, least), Caller.mostValues)
    let (values, isMore) = count.multipliedReportingOverflow(by: element.valueCount(limit: limit))
    guard count <= limit, !isMore, values <= limit else { throw failure(.limitExceeded, "a buffer of more than \(limit) values", type) }
    // A zero follows characters, so that a callee that reads a C string finds its end.
    let (size, overflow) = count.multipliedReportingOverflow(by: element.stride ?? 0)
    guard !overflow, size < Int.max else { throw failure(.limitExceeded, "the buffer is too large", type) }
    let memory = try placed(type) { [arena] () throws(InvocationError) in
      try arena.allocate(byteCount: element.isCharacter ? size + 1 : size, alignment: max(element.alignment ?? 1, 16))
    }
    if case .cString = type.kind {
      try readCharacters(elements, type, into: memory)
    } else {
      try readElements(elements, of: element, into: memory)
    }
    // After the values: one that fits no layout is told first.
    try requireLayout(element)
    return Buffer(address: memory, element: element, count: count)
  }

  /// Reads characters.
  ///
  /// A `char` may be signed or unsigned, so both ranges are accepted.
  private mutating func readCharacters(
    _ elements: [JSONValue], _ type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    for (index, value) in elements.enumerated() {
      path.append("[\(index)]")
      let number = try integer(value, Int.self, type)
      guard (-128...255).contains(number) else { throw failure(.outOfRange, "\(value.summary) does not fit a char", type) }
      memory.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: index, as: UInt8.self)
      path.removeLast()
    }
  }
}
