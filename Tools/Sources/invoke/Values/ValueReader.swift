@_spi(Tools) import DynamicInvocation
import Foundation

/// Converts JSON values to the bytes of C values, as specified by a type encoding.
///
/// If a value cannot be read, the function is not called.
struct ValueReader: JSONReader {
  /// Owns strings and buffers until the call has returned.
  let arena: BufferArena

  /// Returns the address of the function with a name.
  let function: (_ name: String) throws(InvocationError) -> UnsafeRawPointer

  /// Returns the type that a text states, as the request states types.
  let type: (_ text: String) throws(InvocationError) -> TypeEncoding

  /// Throws if the layout of a type is not known.
  let requireLayout: (_ type: TypeEncoding) throws(InvocationError) -> Void

  var path = ""

  /// Writes a value to zeroed memory of its type's size.
  mutating func read(_ value: JSONValue, as type: TypeEncoding, into memory: UnsafeMutableRawPointer) throws(InvocationError) {
    switch type.kind {
    case .scalar(let scalar):
      try placed(type) { () throws(InvocationError) in try number(value, scalar, type).write(to: memory, as: type) }
    case .array(let count, let element):
      if element.isCharacter, case .string(let text) = value { return try readText(text, count: count, value, type, into: memory) }
      try readParts(value, of: type, into: memory)
    case .structure:
      guard case .object(let members) = value else { return try readParts(value, of: type, into: memory) }
      for (field, member) in try named(members, type) { try read(member, as: field, at: ".\(field.name ?? "")", into: memory) }
    case .complex, .vector: try readParts(value, of: type, needsAll: true, into: memory)
    case .union: try readUnion(value, of: type, into: memory)
    case .cString, .atom, .pointer:
      if let buffer = try buffer(for: value, type) { return store(buffer.address, in: memory) }
      guard case .pointer(let target) = type.kind else { return store(try textAddress(value, type), in: memory) }
      store(try pointer(value, to: target, type), in: memory)
    case .selector: store(try selectorAddress(value, type), in: memory)
    case .object, .block, .classObject: store(try address(value, type), in: memory)
    case .void, .unknown, .bitField: throw failure(.unsupportedType, "no value has this type", type)
    }
  }

  private func number(_ value: JSONValue, _ scalar: TypeEncoding.Scalar, _ type: TypeEncoding) throws(InvocationError) -> BoxedValue {
    switch scalar {
    case .bool:
      guard case .bool(let isTrue) = value else { throw mismatch(value, "true or false", type) }
      return .bool(isTrue)
    case .int8, .int16, .int32, .int64: return .int(try integer(value, Int.self, type))
    case .uint8, .uint16, .uint32, .uint64: return .uint(try integer(value, UInt.self, type))
    case .int128: return .int128(try integer(value, Int128.self, type, orText: true))
    case .uint128: return .uint128(try integer(value, UInt128.self, type, orText: true))
    case .float16:
      #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
        throw failure(.unsupportedType, "this platform has no such number", type)
      #else
        return .float(Float(try floating(value, Float16.self, type)))
      #endif
    case .float: return .float(try floating(value, Float.self, type))
    case .double: return .double(try floating(value, Double.self, type))
    case .longDouble: return .longDouble(try longDouble(value, type))
    }
  }

  // MARK: Arrays and structs

  /// Reads an array of the first parts of a value; the others stay zero, as in C.
  private mutating func readParts(
    _ value: JSONValue, of type: TypeEncoding, needsAll: Bool = false, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    // An array may have millions of parts; each is made when it is asked for.
    let members = if case .structure = type.kind { type.valueMembers } else { [TypeEncoding.Field]?.none }
    let parts = type.parts
    let count = members?.count ?? parts.count
    guard case .array(let values) = value else { throw mismatch(value, "an array of \(count.counted("value"))", type) }
    guard values.count <= count, !needsAll || values.count == count else { throw wrongCount(values.count, of: count, type) }
    for (index, value) in values.enumerated() { try read(value, as: members?[index] ?? parts[index], at: "[\(index)]", into: memory) }
  }

  private func wrongCount(_ given: Int, of count: Int, _ type: TypeEncoding) -> InvocationError {
    failure(.countMismatch, "\(given.counted("value")) given, the type has \(count)", type)
  }

  /// Reads a text for an array of characters; the rest stays zero.
  ///
  /// As in C, there need not be room for a zero.
  private func readText(
    _ text: String, count: Int, _ value: JSONValue, _ type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    try refuseNull(in: text, value, type)
    let bytes = Array(text.utf8)
    guard bytes.count <= count else {
      throw failure(.outOfRange, "\(value.summary) has \(bytes.count.counted("byte")), the array \(count)", type)
    }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
  }

  /// Returns the members of a struct that an object names, with their values.
  private func named(
    _ members: [JSONValue.Member], _ type: TypeEncoding
  ) throws(InvocationError) -> [(TypeEncoding.Field, JSONValue)] {
    if members.isEmpty { return [] }
    let fields = type.valueMembers
    let names = fields.compactMap(\.name)
    guard !names.isEmpty, names.count == fields.count, Set(names).count == names.count else {
      let unnamed = names.isEmpty ? "the names of the members are not known" : "not every member has a name of its own"
      throw failure(.typeMismatch, "\(unnamed), pass an array of \(fields.count.counted("value"))", type)
    }
    let values = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    if let unknown = members.first(where: { !names.contains($0.name) }) { throw noMember(unknown.name, names, type) }
    return zip(fields, names).compactMap { field, name in values[name].map { (field, $0) } }
  }

  private func noMember(_ name: String, _ names: [String], _ type: TypeEncoding) -> InvocationError {
    failure(
      .indexOutOfRange, "there is no member \(JSONValue.string(name).summary), the members are \(names.joined(separator: ", "))", type)
  }

  /// Reads a union from `{"member": index, "value": ...}`, or from an object with the name of one member; `{}` is zero.
  private mutating func readUnion(
    _ value: JSONValue, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let fields = type.valueMembers
    let names = fields.compactMap(\.name)
    let parts = if case .object(let parts) = value { parts } else { [JSONValue.Member]?.none }
    if let parts, parts.isEmpty { return }
    if let parts, parts.count == 1, !names.isEmpty {
      guard let field = fields.first(where: { $0.name == parts[0].name }) else { throw noMember(parts[0].name, names, type) }
      return try read(parts[0].value, as: field, at: ".\(parts[0].name)", into: memory)
    }
    guard let parts, parts.count == 2, let number = parts.first(where: { $0.name == "member" })?.value,
      let member = parts.first(where: { $0.name == "value" })?.value
    else {
      throw mismatch(value, "{\"member\": index, \"value\": ...}" + (names.isEmpty ? "" : " or {\"\(names[0])\": ...}"), type)
    }
    let index = try integer(number, Int.self, type)
    guard let field = fields[safe: index] else {
      throw failure(.indexOutOfRange, "there is no member \(index), the union has \(fields.count)", type)
    }
    try read(member, as: field, at: "[\(index)]", into: memory)
  }

  /// Writes a part of a value at its offset.
  private mutating func read(
    _ value: JSONValue, as field: TypeEncoding.Field, at place: String, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    try part(place) { (reader) throws(InvocationError) in
      guard case .bitField(let bitField) = field.type.kind else {
        return try reader.read(value, as: field.type, into: memory + field.offset)
      }
      guard let bits = field.bits, !bits.isEmpty else { return }
      if bitField.container == .bool {
        guard case .bool(let isTrue) = value else { throw reader.mismatch(value, "true or false", field.type) }
        return try reader.placed(field.type) { () throws(InvocationError) in
          try bitField.store(UInt128(isTrue ? 1 : 0), in: bits, of: memory)
        }
      }
      let isText = bitField.width > 64
      try reader.placed(field.type) { () throws(InvocationError) in
        if bitField.container.isSigned {
          try bitField.store(reader.integer(value, Int128.self, field.type, orText: isText), in: bits, of: memory)
        } else {
          try bitField.store(reader.integer(value, UInt128.self, field.type, orText: isText), in: bits, of: memory)
        }
      }
    }
  }

  // MARK: Addresses

  private func store(_ address: UnsafeRawPointer?, in memory: UnsafeMutableRawPointer) {
    memory.storeBytes(of: UInt64(UInt(bitPattern: address)), as: UInt64.self)
  }

  /// Reads null or the digits of an address.
  private func address(_ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> UnsafeRawPointer? {
    switch value {
    case .null: return nil
    case .string(let text):
      guard Self.beginsLikeAddress(text), let number = WrittenNumber(hexadecimal: text), number.isIntegerLiteral else { break }
      guard !number.isNegative, let address = number.integer(UInt64.self) else {
        throw failure(.outOfRange, "\(value.summary) is no address of 64 bits", type)
      }
      return UnsafeRawPointer(bitPattern: UInt(address))
    default: break
    }
    let takesBuffer =
      switch type.kind {
      case .array: true
      case .pointer(let target): target.size != nil
      default: false
      }
    throw mismatch(value, (takesBuffer ? "an array, " : "") + "null or an address \"0x...\"", type)
  }

  /// Reads a pointer.
  ///
  /// A string that begins like an address is an address or an error: a mistyped address must not be passed as a C
  /// string or a function name.
  private func pointer(_ value: JSONValue, to target: TypeEncoding, _ type: TypeEncoding) throws(InvocationError) -> UnsafeRawPointer? {
    guard case .string(let text) = value, !Self.beginsLikeAddress(text) else { return try address(value, type) }
    switch target.kind {
    case .void, .scalar(.int8), .scalar(.uint8): return try textAddress(value, type)
    case .unknown: return try placed(type) { () throws(InvocationError) in try function(text) }
    default: return try address(value, type)
    }
  }

  private static func beginsLikeAddress(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    return digits.hasPrefix("0x") || digits.hasPrefix("0X")
  }

  private func textAddress(_ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> UnsafeRawPointer? {
    switch value {
    case .null: return nil
    case .string(let text):
      try refuseNull(in: text, value, type)
      return UnsafeRawPointer(try placed(type) { () throws(InvocationError) in try arena.copy(text) })
    default: throw mismatch(value, "a string or null", type)
    }
  }

  private func selectorAddress(_ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> UnsafeRawPointer? {
    switch value {
    case .null: return nil
    case .string(let name):
      if Self.beginsLikeAddress(name) { return try address(value, type) }
      try refuseNull(in: name, value, type)
      return UnsafeRawPointer(MethodSelector(name).pointer)
    default: throw mismatch(value, "the name of a selector or null", type)
    }
  }

  private func refuseNull(in text: String, _ value: JSONValue, _ type: TypeEncoding) throws(InvocationError) {
    guard text.utf8.contains(0) else { return }
    throw failure(.typeMismatch, "\(value.summary) contains a null character, which would end the C string", type)
  }

  /// Runs a closure and adds the path to the value to its error.
  private func placed<Result>(
    _ type: TypeEncoding, _ body: () throws(InvocationError) -> Result
  ) throws(InvocationError) -> Result {
    do { return try body() } catch { throw error.encoding == nil ? failure(error.code, error.reason, type) : error }
  }
}

// MARK: - Arguments

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
    /// An array.
    var type: TypeEncoding
  }

  /// Reads an argument.
  ///
  /// An array given for a pointer becomes a buffer of the pointee type that lives for the duration of the call.
  mutating func argument(_ value: JSONValue, as type: TypeEncoding) throws(InvocationError) -> Argument {
    let buffer = try buffer(for: value, type)
    let isArray = if case .array = type.kind { true } else { false }
    let isAddress = isArray || buffer != nil
    let memory = try placed(type) { () throws(InvocationError) in
      try arena.allocate(byteCount: isAddress ? 8 : max(type.size ?? 0, 16), alignment: max(isAddress ? 1 : type.alignment ?? 1, 16))
    }
    if let buffer {
      store(buffer.address, in: memory)
    } else if isArray {
      store(try address(value, type), in: memory)
    } else if type.isText, let address = value.statedAddress {
      // Only for a whole argument: a member of a buffer is read back as a C string after the call, and there may be none at
      // the address.
      store(try self.address(address, type), in: memory)
    } else {
      try read(value, as: type, into: memory)
    }
    return Argument(value: memory, buffer: buffer)
  }

  /// Returns the buffer that a value states for a pointer, for an array as a parameter, or for a text; nil if the value is
  /// an address or a text.
  private mutating func buffer(for value: JSONValue, _ type: TypeEncoding) throws(InvocationError) -> Buffer? {
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
    let array = try placed(type) { () throws(InvocationError) in try TypeEncoding(count: max(elements.count, least), of: element) }
    let limit = Caller.mostValues
    guard array.valueCount(limit: limit + 1) <= limit + 1 else {
      throw failure(.limitExceeded, "a buffer of more than \(limit) values", type)
    }
    // A zero follows characters, so that a callee that reads a C string finds its end.
    let size = array.size ?? 0
    let memory = try placed(type) { () throws(InvocationError) in
      try arena.allocate(byteCount: element.isCharacter ? size + 1 : size, alignment: max(element.alignment ?? 1, 16))
    }
    if case .cString = type.kind {
      try readCharacters(elements, type, into: memory)
    } else {
      try readParts(.array(elements), of: array, into: memory)
    }
    // After the values: the error of a value that fits no layout comes first.
    try requireLayout(element)
    return Buffer(address: memory, type: array)
  }

  /// Reads characters.
  ///
  /// A `char` may be signed or unsigned, so both ranges are accepted.
  private mutating func readCharacters(
    _ elements: [JSONValue], _ type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    for (index, value) in elements.enumerated() {
      let byte = try part("[\(index)]") { (reader) throws(InvocationError) in
        let number = try reader.integer(value, Int.self, type)
        guard (-128...255).contains(number) else { throw reader.failure(.outOfRange, "\(value.summary) does not fit a char", type) }
        return UInt8(truncatingIfNeeded: number)
      }
      memory.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}

// MARK: - Memory

/// Owns the memory of one call: argument values, buffers and strings.
///
/// All of it is freed when the answer is made.
final class BufferArena {
  /// The maximum number of bytes of one call.
  ///
  /// A few characters of JSON may request more: a union of a byte and an array of two billion bytes.
  private static let largest = 1 << 29

  private var blocks: [UnsafeMutableRawPointer] = []
  private var total = 0

  deinit { freeAll() }

  /// Frees the memory before the object is.
  func freeAll() {
    for block in blocks { free(block) }
    blocks.removeAll(keepingCapacity: true)
    total = 0
  }

  /// Returns zeroed memory at a unique address, even for zero bytes.
  func allocate(byteCount: Int, alignment: Int = 16) throws(InvocationError) -> UnsafeMutableRawPointer {
    let size = max(byteCount, 1)
    guard byteCount >= 0, size <= Self.largest - total else { throw Self.tooLarge }
    let memory: UnsafeMutableRawPointer?
    if alignment <= 16 {
      // The system zeroes large allocations lazily.
      memory = calloc(size, 1)
    } else {
      var aligned: UnsafeMutableRawPointer?
      guard posix_memalign(&aligned, alignment, size) == 0 else { throw Self.tooLarge }
      aligned?.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      memory = aligned
    }
    guard let memory else { throw Self.tooLarge }
    total += size
    blocks.append(memory)
    return memory
  }

  /// Copies a text and terminates it with a zero byte.
  func copy(_ text: String) throws(InvocationError) -> UnsafeMutableRawPointer {
    let bytes = Array(text.utf8)
    let memory = try allocate(byteCount: bytes.count + 1)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return memory
  }

  private static var tooLarge: InvocationError {
    InvocationError(.limitExceeded, "the arguments need more than \(largest) bytes")
  }
}
