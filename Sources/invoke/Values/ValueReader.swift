import DynamicInvocation

/// Converts JSON values to the bytes of C values, as specified by a type encoding.
///
/// If a value cannot be read, the function is not called.
///
/// Numbers, aggregates, and arguments with their buffers are in separate files.
struct ValueReader {
  /// Owns strings and buffers until the call has returned.
  let arena: BufferArena

  /// Returns the address of the function with a name.
  let function: (_ name: String) throws(InvocationError) -> UnsafeRawPointer

  /// Returns the type that a text states, as the request states types.
  let type: (_ text: String) throws(InvocationError) -> TypeEncoding

  /// Throws if the layout of a type is not known.
  let requireLayout: (_ type: TypeEncoding) throws(InvocationError) -> Void

  /// The path from the argument to the value being read: `[1]` for an index, `.x` for a name.
  var path: [String] = []

  init(
    arena: BufferArena, function: @escaping (_ name: String) throws(InvocationError) -> UnsafeRawPointer,
    type: @escaping (_ text: String) throws(InvocationError) -> TypeEncoding = { (text) throws(InvocationError) in
      throw InvocationError(.unsupportedType, "no type is stated here: '\(text)'")
    },
    requireLayout: @escaping (_ type: TypeEncoding) throws(InvocationError) -> Void = { _ in }
  ) {
    self.arena = arena
    self.function = function
    self.type = type
    self.requireLayout = requireLayout
  }

  /// Writes a value to zeroed memory of its type's size.
  mutating func read(_ value: JSONValue, as type: TypeEncoding, into memory: UnsafeMutableRawPointer) throws(InvocationError) {
    switch type.kind {
    case .scalar(let scalar): try read(value, as: scalar, of: type, into: memory)
    case .complex(let part): try readElements(value, count: 2, of: TypeEncoding(scalar: part), in: type, into: memory)
    case .vector(let element, let count, _, _):
      try readElements(value, count: count, of: TypeEncoding(scalar: element), in: type, into: memory)
    case .array(let count, let element):
      if element.isCharacter, case .string(let text) = value { return try readText(text, count: count, value, type, into: memory) }
      try readElements(value, count: count, of: element, in: type, orFewer: true, into: memory)
    case .structure(let record): try readStructure(value, record, of: type, into: memory)
    case .union(let record): try readUnion(value, record, of: type, into: memory)
    case .cString, .atom, .pointer:
      if let buffer = try buffer(for: value, type) { return store(address: UInt64(UInt(bitPattern: buffer.address)), in: memory) }
      guard case .pointer(let target) = type.kind else { return try store(address: textAddress(value, type), in: memory) }
      try store(address: pointer(value, to: target, type), in: memory)
    case .selector: try store(address: selectorAddress(value, type), in: memory)
    case .object, .block, .classObject: try store(address: address(value, type), in: memory)
    case .void, .unknown, .bitField: throw failure(.unsupportedType, "no value has this type", type)
    }
  }

  // MARK: Addresses

  func store(address: UInt64, in memory: UnsafeMutableRawPointer) {
    memory.storeBytes(of: address, as: UInt64.self)
  }

  /// Reads null or the digits of an address.
  func address(_ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> UInt64 {
    switch value {
    case .null: return 0
    case .string(let text):
      guard Self.beginsLikeAddress(text), let number = HexadecimalNumber(text), number.isIntegerLiteral else { break }
      guard !number.isNegative, case .integer(let magnitude) = number.whole, let address = UInt64(exactly: magnitude) else {
        throw failure(.outOfRange, "\(value.summary) is no address of 64 bits", type)
      }
      return address
    default: break
    }
    let wanted = "null or an address \"0x...\""
    throw mismatch(value, takesBuffer(type) ? "an array, \(wanted)" : wanted, type)
  }

  /// Reads a pointer.
  ///
  /// A string that begins like an address is an address or an error: a mistyped address must not be passed as a C
  /// string or a function name.
  private func pointer(_ value: JSONValue, to target: TypeEncoding, _ type: TypeEncoding) throws(InvocationError) -> UInt64 {
    guard case .string(let text) = value, !Self.beginsLikeAddress(text) else { return try address(value, type) }
    switch target.kind {
    case .void, .scalar(.int8), .scalar(.uint8): return try textAddress(value, type)
    case .unknown: return UInt64(UInt(bitPattern: try placed(type) { () throws(InvocationError) in try function(text) }))
    default: return try address(value, type)
    }
  }

  static func beginsLikeAddress(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    return digits.hasPrefix("0x") || digits.hasPrefix("0X")
  }

  private func takesBuffer(_ type: TypeEncoding) -> Bool {
    switch type.kind {
    case .array: true
    case .pointer(let target): target.size != nil
    default: false
    }
  }

  private func textAddress(_ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> UInt64 {
    switch value {
    case .null: return 0
    case .string(let text):
      try refuseNull(in: text, value, type)
      return UInt64(UInt(bitPattern: try placed(type) { () throws(InvocationError) in try arena.copy(text) }))
    default: throw mismatch(value, "a string or null", type)
    }
  }

  private func selectorAddress(_ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> UInt64 {
    switch value {
    case .null: return 0
    case .string(let name):
      if Self.beginsLikeAddress(name) { return try address(value, type) }
      try refuseNull(in: name, value, type)
      return UInt64(UInt(bitPattern: MethodSelector(name).pointer))
    default: throw mismatch(value, "the name of a selector or null", type)
    }
  }

  func refuseNull(in text: String, _ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) {
    guard text.utf8.contains(0) else { return }
    throw failure(.typeMismatch, "\(value.summary) contains a null character, which would end the C string", type)
  }

  // MARK: Errors

  /// Creates an error that states the path to the value in the argument.
  func failure(_ code: InvocationError.Code, _ reason: String, _ type: TypeEncoding) -> InvocationError {
    let place = path.isEmpty ? "" : "at " + path.joined() + ": "
    return InvocationError(code, place + reason, encoding: type.description)
  }

  func mismatch(_ value: JSONValue, _ wanted: String, _ type: TypeEncoding) -> InvocationError {
    var code = InvocationError.Code.typeMismatch
    if case .null = value { code = .nullNotAllowed }
    return failure(code, "\(value.summary) is not \(wanted)", type)
  }

  /// Runs a closure and adds the path to the value to its error.
  func placed<Result>(
    _ type: TypeEncoding, _ body: () throws(InvocationError) -> Result
  ) throws(InvocationError) -> Result {
    do {
      return try body()
    } catch {
      throw failure(error.code, error.reason, type)
    }
  }
}
