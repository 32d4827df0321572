/// Any C value as its bytes and its type: NSValue for Swift, without its limits.
///
///     var date = try EncodedBytes(zero: header.types["struct tm"]!.encoding)
///     try date.setMember("tm_year", to: 126)
///     let seconds: Int = try mktime(&date)
///
/// The value is a struct, a union, an array, a vector, a complex number, a scalar or a pointer. It is an argument of a
/// call by value, or with `&` for a pointer to its type, and it is the result of a call.
///
/// A pointer is an address, valid as long as the memory it was created from. So is a member of the type `char *`: it is
/// read and set as ``BoxedValue/pointer(_:)`` or null, and its text is never read or copied.
///
/// References are never created from bytes: a C string alone, and a type that contains an object, a class, a selector
/// or a block is rejected. A value that was read from a call may have such parts. They are then only addresses that keep
/// nothing alive, and the value cannot be passed as an argument.
///
/// Two values are equal if their types and all their bytes are.
public struct EncodedBytes: Sendable, Hashable {
  /// The type.
  public let encoding: TypeEncoding

  /// The bytes, as many as the type has, padding included.
  public internal(set) var bytes: [UInt8]

  /// Creates a value from its bytes.
  ///
  /// For a bool, any byte other than 0 is true, as in C.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for a type without a size, `countMismatch` when the number of
  ///   bytes is not the type's size, and `typeMismatch` for a type with references.
  public init(_ encoding: TypeEncoding, bytes: [UInt8]) throws(InvocationError) {
    guard let size = encoding.size else {
      throw InvocationError(.unsupportedType, "the type has no size", encoding: encoding.description)
    }
    guard bytes.count == size else {
      throw InvocationError(.countMismatch, "\(bytes.count) bytes for a type of \(size)", encoding: encoding.description)
    }
    try encoding.requireNoReferences()
    self.encoding = encoding
    self.bytes = encoding.normalized(bytes)
  }

  /// Creates a value from a Swift value.
  ///
  /// - Parameters:
  ///   - value: The value, of a type without references: a struct, or a tuple.
  ///   - encoding: The type of the result.
  /// - Throws: `InvocationError` `typeMismatch` when the size or the alignment of the types differ, and for an
  ///   encoding with references.
  public init<Value: BitwiseCopyable>(_ value: Value, as encoding: TypeEncoding) throws(InvocationError) {
    guard encoding.size == MemoryLayout<Value>.stride, encoding.alignment == MemoryLayout<Value>.alignment else {
      throw InvocationError(.typeMismatch, encoding.otherLayout(Value.self), encoding: encoding.description)
    }
    try encoding.requireNoReferences()
    var bytes = unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    bytes += repeatElement(0, count: MemoryLayout<Value>.stride - bytes.count)
    self.encoding = encoding
    self.bytes = encoding.normalized(bytes)
  }

  /// Creates a value from a Swift value that declares its encoding.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the Swift layout of the type differs from the declared encoding,
  ///   and for an encoding with references.
  public init<Value: EncodedValue & BitwiseCopyable>(_ value: Value) throws(InvocationError) {
    try self.init(storing: value)
  }

  /// Creates a value from a Swift value that declares its encoding and contains nothing to retain.
  package init<Value: EncodedValue>(storing value: Value) throws(InvocationError) {
    let encoding = Value.typeEncoding
    guard let size = encoding.size, Value.accepts(encoding.valueKind) else {
      let reason = encoding.refusal(of: Value.self) ?? encoding.otherLayout(Value.self)
      throw InvocationError(.typeMismatch, reason, encoding: encoding.description)
    }
    try encoding.requireNoReferences()
    let slot = FrameSlot(memoryOf: encoding)
    bytes = unsafe withUnsafeTemporaryAllocation(byteCount: max(16, slot.extent), alignment: 16) { memory in
      let start = unsafe memory.baseAddress.unsafelyUnwrapped
      _ = unsafe value.store(in: slot, of: start, keeping: false)
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: size))
    }
    self.encoding = encoding
  }

  /// Copies a value from memory.
  ///
  /// The type must have a size, and may have references.
  init(copying memory: UnsafeRawPointer, as encoding: TypeEncoding) {
    self.encoding = encoding
    bytes = unsafe Array(UnsafeRawBufferPointer(start: memory, count: encoding.size ?? 0))
  }

  /// Returns the value as a Swift type without references.
  ///
  /// The bytes must be a valid value of the type, which cannot be checked: most byte patterns are invalid for an enum
  /// or a `Bool`.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the type's size differs, or when it declares an encoding of
  ///   another layout, and for a value with references.
  @unsafe
  public func value<Value: BitwiseCopyable>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    let declared = (type as? any EncodedValue.Type)?.valueKind
    guard bytes.count == MemoryLayout<Value>.stride, declared == nil || declared == encoding.valueKind else {
      throw InvocationError(.typeMismatch, "\(type) is not a value of this layout", encoding: encoding.description)
    }
    try encoding.requireNoReferences()
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
  }

  /// Calls a function with the address of the bytes, to read or write them.
  ///
  /// - Parameter body: The function. The address is valid until it returns.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws.
  /// - Complexity: As the function; copies the bytes if another value shares them.
  public mutating func withUnsafeMutableBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try unsafe bytes.withUnsafeMutableBytes(body)
  }

  /// Returns the value as a Swift type that declares its encoding.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the type has another layout, when the bytes are not a value of
  ///   the type, such as a case of an enum, and for a value with references.
  public func value<Value: EncodedValue & BitwiseCopyable>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    try encoding.requireNoReferences()
    guard Value.accepts(encoding.valueKind) else {
      throw InvocationError(.typeMismatch, "\(type) is not a value of this layout", encoding: encoding.description)
    }
    let slot = FrameSlot(memoryOf: encoding)
    let value = unsafe withUnsafeTemporaryAllocation(byteCount: max(16, slot.extent), alignment: 16) { memory in
      let start = unsafe memory.baseAddress.unsafelyUnwrapped
      // C may have written any byte as a bool.
      unsafe encoding.normalized(bytes).withUnsafeBytes { unsafe slot.write($0, to: start) }
      return unsafe Value.load(from: slot, of: start)
    }
    guard let value else {
      throw InvocationError(.typeMismatch, "the bytes are no value of \(type)", encoding: encoding.description)
    }
    return value
  }
}

extension EncodedBytes: CustomStringConvertible {
  /// The parts in braces, at most the first 32 of each struct or array.
  ///
  /// A union is shown as its bytes, a scalar as its value.
  ///
  /// - Complexity: O(bytes of the text), at most about 4,000.
  public var description: String {
    var text = ValueText()
    text.write(self)
    return text.text
  }
}

extension TypeEncoding {
  /// Whether a value of the type is a C string, or is or contains an object, a class, a selector or a block.
  package var holdsReferences: Bool { node.holdsReferences }

  /// Throws if a value of the type is or contains a reference.
  func requireNoReferences() throws(InvocationError) {
    guard holdsReferences else { return }
    throw InvocationError(
      .typeMismatch, "a reference is never made of bytes, nor read as bytes: they own nothing", encoding: description)
  }

  /// The reason why a Swift type of another size or alignment has not the bytes of the type.
  fileprivate func otherLayout<Value>(_ type: Value.Type) -> String {
    "\(type) has \(MemoryLayout<Value>.stride) bytes aligned to \(MemoryLayout<Value>.alignment), "
      + "the encoding \(size ?? 0) aligned to \(alignment ?? 0)"
  }

  /// Returns the bytes of a value of the type with every nonzero bool replaced by 1, as C reads them.
  func normalized(_ bytes: [UInt8]) -> [UInt8] {
    guard node.holdsBools else { return bytes }
    var bytes = bytes
    Self.normalize(node, &bytes, at: 0)
    return bytes
  }

  private static func normalize(_ node: Node, _ bytes: inout [UInt8], at offset: Int) {
    guard node.holdsBools else { return }
    switch node.kind {
    case .scalar: if bytes[offset] != 0 { bytes[offset] = 1 }
    case .structure(let record):
      for field in record.fields ?? [] { normalize(field.type.node, &bytes, at: offset + field.offset) }
    case .array(let count, let element):
      guard let stride = element.stride, stride > 0 else { return }
      for index in 0..<count { normalize(element.node, &bytes, at: offset + index * stride) }
    case .void, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .union, .bitField: return
    }
  }
}

extension FrameSlot {
  /// Creates the slot of a value that is stored alone in memory, with the layout it has in a frame.
  init(memoryOf type: TypeEncoding) {
    let isArray = if case .array = type.kind { true } else { false }
    self.init(kind: type.valueKind, size: type.size ?? 0, offset: 0, second: 8, storage: isArray ? .bytes : FrameSlot.storage(of: type))
  }
}

// MARK: - Address

extension EncodedBytes {
  /// Returns the address of the bytes, for an argument that points to a value of this type.
  ///
  /// The bytes stay at the address as long as nothing else accesses the value: during a call with `&`, as the elements of
  /// an array do.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the argument points to something else, or the type has references.
  mutating func address(for parameter: TypeEncoding, _ kind: ValueKind) throws(InvocationError) -> UInt64 {
    guard kind == .pointer || kind == .cString, PointeeComparison.matches(encoding, parameter) else {
      throw InvocationError(.typeMismatch, "a value of type \(encoding.shortText) is not what is pointed to")
    }
    try encoding.requireNoReferences()
    let address = unsafe bytes.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    // An array of bytes is allocated for types of the default alignment.
    guard address % UInt(encoding.alignment ?? 1) == 0 else {
      throw InvocationError(.typeMismatch, "the bytes are not aligned to \(encoding.alignment ?? 1); allocate memory for the value")
    }
    return UInt64(address)
  }
}

extension PointeeComparison {
  /// Returns whether a pointer to an encoded type can be passed for a parameter of a pointer type.
  static func matches(_ pointee: TypeEncoding, _ parameter: TypeEncoding) -> Bool {
    switch parameter.kind {
    case .pointer(let target): isStored(pointee, as: target)
    case .array(_, let element): isStored(pointee, as: element)
    case .cString, .atom: isStored(pointee, as: TypeEncoding(.scalar(.int8))) || isStored(pointee, as: TypeEncoding(.scalar(.uint8)))
    default: false
    }
  }

  /// Returns whether memory of a target type stores a value of an encoded type, or the first element of an encoded array.
  private static func isStored(_ type: TypeEncoding, as target: TypeEncoding) -> Bool {
    switch target.kind {
    case .void, .unknown: return true
    case .structure(let record) where (record.fields ?? []).isEmpty, .union(let record) where (record.fields ?? []).isEmpty:
      // The layout of an opaque type is not known; its name is.
      return record.name != "?" && record.name == type.record?.name
    default:
      if type.valueKind == target.valueKind, target.valueKind != .unknown { return true }
      guard case .array(_, let element) = type.kind else { return false }
      return isStored(element, as: target)
    }
  }
}

extension TypeEncoding {
  /// The name and the members of a struct or union; nil for any other type.
  fileprivate var record: Record? {
    switch kind {
    case .structure(let record), .union(let record): record
    default: nil
    }
  }
}

// MARK: - Members

extension EncodedBytes {
  /// Creates a value whose bytes are all zero.
  ///
  ///     var point = try EncodedBytes(zero: "{Point=\"x\"d\"y\"d}")
  ///     try point.setMember("x", to: 1.5)
  ///
  /// - Throws: `InvocationError` as ``init(_:bytes:)`` does.
  public init(zero encoding: TypeEncoding) throws(InvocationError) {
    try self.init(encoding, bytes: Array(repeating: 0, count: encoding.size ?? 0))
  }

  /// Returns a member of a struct or union by its name, which the encoding must state; nil if there is none.
  ///
  /// The members of a struct without a name are members of the outer one, as in C. A C string is returned as its
  /// address. ``setMember(_:to:options:)`` sets a member.
  ///
  /// - Complexity: O(members).
  public subscript(member: String) -> BoxedValue? {
    guard let (field, offset) = encoding.member(named: member) else { return nil }
    if case .bitField(let bitField) = field.type.kind {
      return self.bitField(bitField, (field.bits ?? 0..<0).shifted(by: 8 * offset))
    }
    return part(field.type, at: offset + field.offset)
  }

  /// Stores a value in a member of a struct or union.
  ///
  ///     try hints.setMember("ai_socktype", to: 1)
  ///     try hints.setMember("ai_canonname", to: nil)
  ///
  /// - Parameters:
  ///   - member: The name of the member.
  ///   - value: The value, which is converted to the type of the member. For a struct, a union or an array it is another
  ///     ``EncodedBytes`` as ``BoxedValue/value(_:)``, for a pointer or a C string an address or null.
  ///   - options: The conversion options.
  /// - Throws: `InvocationError` `indexOutOfRange` with the names of the members if there is none of this name, and as
  ///   setting an argument does. A string is an error, because nothing would own its copy: keep a buffer of characters
  ///   alive, and set its address. The value is unchanged after an error.
  public mutating func setMember(_ member: String, to value: BoxedValue, options: ConversionOptions = []) throws(InvocationError) {
    guard let (field, offset) = encoding.member(named: member) else {
      throw InvocationError(
        .indexOutOfRange, "there is no member '\(member)', only \(encoding.memberNames.joined(separator: ", "))",
        encoding: encoding.description)
    }
    var failure: InvocationError?
    unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      do throws(InvocationError) {
        guard case .bitField(let bitField) = field.type.kind else {
          return unsafe try value.write(to: start + offset + field.offset, as: field.type, options: options)
        }
        unsafe try bitField.store(value, in: (field.bits ?? 0..<0).shifted(by: 8 * offset), of: start, options)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension TypeEncoding.BitField {
  /// Stores a value in bits, converted to the declared type; only its low bits when truncating.
  fileprivate func store(
    _ value: BoxedValue, in bits: Range<Int>, of bytes: UnsafeMutableRawPointer, _ options: ConversionOptions
  ) throws(InvocationError) {
    guard case .word(let word) = try value.converted(to: TypeEncoding(.scalar(container)), options) else {
      throw InvocationError(.unsupportedType, "a bit-field of more than 64 bits is not written")
    }
    var number = container.isSigned ? Int128(Int64(bitPattern: word)) : Int128(word)
    if options.contains(.truncating) {
      let unused = 128 - width
      number = container.isSigned ? (number << unused) >> unused : Int128((UInt128(word) << unused) >> unused)
    }
    unsafe try store(number, in: bits, of: bytes)
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}

extension TypeEncoding {
  /// Returns a member and the offset of the record that contains it, also of a struct without a name.
  fileprivate func member(named name: String) -> (field: Field, offset: Int)? {
    for field in record?.fields ?? [] {
      if field.name == name { return (field, 0) }
      if field.name == nil, let (inner, offset) = field.type.member(named: name) { return (inner, offset + field.offset) }
    }
    return nil
  }

  /// The names of the members, also of structs without a name.
  fileprivate var memberNames: [String] {
    (record?.fields ?? []).flatMap { field in field.name.map { [$0] } ?? field.type.memberNames }
  }
}

// MARK: - Parts

extension EncodedBytes {
  /// The number of parts: the members of a struct or union, the elements of an array or vector, 2 for a complex number,
  /// 0 for a scalar.
  public var count: Int {
    switch encoding.kind {
    case .structure(let record), .union(let record): record.fields?.count ?? 0
    case .array(let count, _): count
    case .vector(_, let count, _, _): count
    case .complex: 2
    case .void, .scalar, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: 0
    }
  }

  /// Returns a part as a boxed value; a bit-field is an integer or a bool.
  ///
  /// A part that is a reference is returned as its address: nothing keeps the object that it refers to alive.
  ///
  /// - Parameter index: The index of the part. Traps if it is negative or not less than ``count``.
  /// - Complexity: O(bytes of the part).
  public subscript(index: Int) -> BoxedValue {
    precondition(index >= 0 && index < count, "part \(index) of \(count)")
    switch encoding.kind {
    case .structure(let record), .union(let record):
      let field = (record.fields ?? [])[index]
      if case .bitField(let bitField) = field.type.kind { return self.bitField(bitField, field.bits ?? 0..<0) }
      return part(field.type, at: field.offset)
    case .array(_, let element): return part(element, at: index * (element.stride ?? 0))
    case .vector(let element, _, _, _), .complex(let element):
      return part(TypeEncoding(.scalar(element)), at: index * element.size)
    case .void, .scalar, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: return .null
    }
  }

  /// Returns the value of a type at an offset.
  func part(_ type: TypeEncoding, at offset: Int) -> BoxedValue {
    unsafe bytes.withUnsafeBytes { bytes in
      // An empty member has no bytes to read, and may have no address.
      guard let start = bytes.baseAddress, let size = type.size, size > 0 else {
        return .value(EncodedBytes(empty: type))
      }
      return unsafe Self.part(start + offset, type)
    }
  }

  private static func part(_ start: UnsafeRawPointer, _ type: TypeEncoding) -> BoxedValue {
    switch type.kind {
    case .cString, .atom, .object, .block, .classObject, .selector:
      unsafe UnsafeRawPointer(bitPattern: start.loadUnaligned(as: UInt.self)).map { unsafe .pointer($0) } ?? .null
    case .void, .scalar, .complex, .vector, .pointer, .unknown, .array, .structure, .union, .bitField:
      unsafe BoxedValue(reading: start, as: type)
    }
  }

  private init(empty encoding: TypeEncoding) {
    self.encoding = encoding
    bytes = []
  }

  /// Returns the value of a bit-field.
  func bitField(_ field: TypeEncoding.BitField, _ bits: Range<Int>) -> BoxedValue {
    // A bit-field without bits may be in a struct without bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe field.value(of: bits, in: bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped)
    }
  }

  /// The value as a box of its own case if the type is a scalar or a pointer, otherwise nil.
  var scalar: BoxedValue? {
    get throws(InvocationError) {
      switch encoding.kind {
      case .scalar, .pointer:
        return unsafe bytes.withUnsafeBytes { bytes in
          unsafe bytes.baseAddress.map { unsafe BoxedValue(reading: $0, as: encoding) }
        }
      case .cString, .atom, .object, .selector, .classObject, .block:
        throw InvocationError(
          .typeMismatch, "a reference in bytes has no owner; box it as what it is", encoding: encoding.description)
      case .void, .complex, .vector, .unknown, .array, .structure, .union, .bitField: return nil
      }
    }
  }
}
