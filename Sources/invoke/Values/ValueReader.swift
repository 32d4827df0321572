import DynamicInvocation
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
    case .complex(let part): try readAll(value, 2, of: TypeEncoding(scalar: part), in: type, into: memory)
    case .vector(let element, let count, _, _): try readAll(value, count, of: TypeEncoding(scalar: element), in: type, into: memory)
    case .array(let count, let element):
      if element.isCharacter, case .string(let text) = value { return try readText(text, count: count, value, type, into: memory) }
      // What is left out is zero, as in C.
      try readElements(try elements(of: value, upTo: count, type), of: element, into: memory)
    case .structure(let record): try readStructure(value, record, of: type, into: memory)
    case .union(let record): try readUnion(value, record, of: type, into: memory)
    case .cString, .atom, .pointer:
      if let buffer = try buffer(for: value, type) { return store(buffer.address, in: memory) }
      guard case .pointer(let target) = type.kind else { return store(try textAddress(value, type), in: memory) }
      store(try pointer(value, to: target, type), in: memory)
    case .selector: store(try selectorAddress(value, type), in: memory)
    case .object, .block, .classObject: store(try address(value, type), in: memory)
    case .void, .unknown, .bitField: throw failure(.unsupportedType, "no value has this type", type)
    }
  }

  private func read(
    _ value: JSONValue, as scalar: TypeEncoding.Scalar, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    switch scalar {
    case .bool:
      guard case .bool(let isTrue) = value else { throw mismatch(value, "true or false", type) }
      memory.storeBytes(of: isTrue ? 1 : 0, as: UInt8.self)
    case .int8: memory.storeBytes(of: try integer(value, Int8.self, type), as: Int8.self)
    case .uint8: memory.storeBytes(of: try integer(value, UInt8.self, type), as: UInt8.self)
    case .int16: memory.storeBytes(of: try integer(value, Int16.self, type), as: Int16.self)
    case .uint16: memory.storeBytes(of: try integer(value, UInt16.self, type), as: UInt16.self)
    case .int32: memory.storeBytes(of: try integer(value, Int32.self, type), as: Int32.self)
    case .uint32: memory.storeBytes(of: try integer(value, UInt32.self, type), as: UInt32.self)
    case .int64: memory.storeBytes(of: try integer(value, Int64.self, type), as: Int64.self)
    case .uint64: memory.storeBytes(of: try integer(value, UInt64.self, type), as: UInt64.self)
    case .int128: memory.storeBytes(of: try integer(value, Int128.self, type, orText: true), as: Int128.self)
    case .uint128: memory.storeBytes(of: try integer(value, UInt128.self, type, orText: true), as: UInt128.self)
    case .float16:
      #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
        throw failure(.unsupportedType, "this platform has no such number", type)
      #else
        memory.storeBytes(of: try floating(value, Float16.self, type), as: Float16.self)
      #endif
    case .float: memory.storeBytes(of: try floating(value, Float.self, type), as: Float.self)
    case .double: memory.storeBytes(of: try floating(value, Double.self, type), as: Double.self)
    case .longDouble: memory.storeBytes(of: try longDouble(value, type), as: LongDouble.self)
    }
  }

  // MARK: Arrays

  /// Reads an array of exactly as many elements as a type has.
  private mutating func readAll(
    _ value: JSONValue, _ count: Int, of element: TypeEncoding, in type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let elements = try elements(of: value, upTo: count, type)
    guard elements.count == count else { throw wrongCount(elements.count, of: count, type) }
    try readElements(elements, of: element, into: memory)
  }

  private func elements(of value: JSONValue, upTo count: Int, _ type: TypeEncoding) throws(InvocationError) -> [JSONValue] {
    guard case .array(let elements) = value else { throw mismatch(value, "an array of \(count.counted("value"))", type) }
    guard elements.count <= count else { throw wrongCount(elements.count, of: count, type) }
    return elements
  }

  private func wrongCount(_ given: Int, of count: Int, _ type: TypeEncoding) -> InvocationError {
    failure(.countMismatch, "\(given.counted("value")) given, the type has \(count)", type)
  }

  /// Reads elements into consecutive memory.
  private mutating func readElements(
    _ elements: [JSONValue], of element: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let stride = element.stride ?? 0
    for (index, value) in elements.enumerated() {
      try part("[\(index)]") { (reader) throws(InvocationError) in
        try reader.read(value, as: element, into: memory + index * stride)
      }
    }
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

  // MARK: Structs and unions

  /// Reads a struct from an array of its first members, or from an object with the names of some; the others stay zero,
  /// as in C.
  private mutating func readStructure(
    _ value: JSONValue, _ record: TypeEncoding.Record, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let fields = record.values
    if case .object(let members) = value {
      for (field, member) in try named(members, fields, type) {
        try read(member, as: field, at: ".\(field.name ?? "")", into: memory)
      }
      return
    }
    for (index, (field, member)) in zip(fields, try elements(of: value, upTo: fields.count, type)).enumerated() {
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
    if let unknown = members.first(where: { !names.contains($0.name) }) { throw noMember(unknown.name, names, type) }
    return zip(fields, names).compactMap { field, name in values[name].map { (field, $0) } }
  }

  private func noMember(_ name: String, _ names: [String], _ type: TypeEncoding) -> InvocationError {
    failure(
      .indexOutOfRange, "there is no member \(JSONValue.string(name).summary), the members are \(names.joined(separator: ", "))", type)
  }

  /// Reads a union from `{"member": index, "value": ...}`, or from an object with the name of one member; `{}` is zero.
  private mutating func readUnion(
    _ value: JSONValue, _ record: TypeEncoding.Record, of type: TypeEncoding, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    let fields = record.fields ?? []
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

  /// Writes a member of a struct or union at its offset.
  private mutating func read(
    _ value: JSONValue, as field: TypeEncoding.Field, at place: String, into memory: UnsafeMutableRawPointer
  ) throws(InvocationError) {
    try part(place) { (reader) throws(InvocationError) in
      guard case .bitField(let bitField) = field.type.kind else {
        return try reader.read(value, as: field.type, into: memory + field.offset)
      }
      guard let bits = field.bits, !bits.isEmpty else { return }
      let pattern = try reader.pattern(of: value, bitField, field.type)
      for bit in bits {
        // Bits are counted from the least significant bit of the first byte, as on all little-endian platforms.
        let mask: UInt8 = 1 << UInt8(bit & 7)
        let byte = memory.load(fromByteOffset: bit >> 3, as: UInt8.self)
        let isSet = pattern >> UInt128(bit - bits.lowerBound) & 1 != 0
        memory.storeBytes(of: isSet ? byte | mask : byte & ~mask, toByteOffset: bit >> 3, as: UInt8.self)
      }
    }
  }

  /// Returns the bits of the integer to store in a bit-field.
  private func pattern(
    of value: JSONValue, _ bitField: TypeEncoding.BitField, _ type: TypeEncoding
  ) throws(InvocationError) -> UInt128 {
    let unused = 128 - bitField.width
    func fitting<Integer: FixedWidthInteger>(_ range: ClosedRange<Integer>) throws(InvocationError) -> UInt128 {
      let number = try integer(value, Integer.self, type, orText: bitField.width > 64)
      guard range.contains(number) else {
        let text = "\(value.summary) does not fit \(bitField.width) bits, \(range.lowerBound) to \(range.upperBound)"
        throw failure(.outOfRange, text, type)
      }
      return UInt128(truncatingIfNeeded: number)
    }
    return bitField.container.isSigned
      ? try fitting(Int128.min >> Int128(unused)...Int128.max >> Int128(unused)) : try fitting(0...UInt128.max >> UInt128(unused))
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
    do { return try body() } catch { throw failure(error.code, error.reason, type) }
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
    var element: TypeEncoding
    var count: Int
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
      // Only for a whole argument: a member of a buffer is read back as a C string after the call, which the address
      // may not be.
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
    let (count, limit) = (max(elements.count, least), Caller.mostValues)
    let (values, isMore) = count.multipliedReportingOverflow(by: element.valueCount(limit: limit))
    guard count <= limit, !isMore, values <= limit else { throw failure(.limitExceeded, "a buffer of more than \(limit) values", type) }
    // A zero follows characters, so that a callee that reads a C string finds its end.
    let (size, overflow) = count.multipliedReportingOverflow(by: element.stride ?? 0)
    guard !overflow, size < Int.max else { throw failure(.limitExceeded, "the buffer is too large", type) }
    let memory = try placed(type) { () throws(InvocationError) in
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
