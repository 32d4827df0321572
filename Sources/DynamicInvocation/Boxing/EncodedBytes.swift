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
public struct EncodedBytes: Sendable {
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
      throw InvocationError(
        .typeMismatch,
        "\(Value.self) has \(MemoryLayout<Value>.stride) bytes aligned to \(MemoryLayout<Value>.alignment), "
          + "the encoding \(encoding.size ?? 0) aligned to \(encoding.alignment ?? 0)",
        encoding: encoding.description)
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
      let reason =
        encoding.refusal(of: Value.self)
        ?? "\(Value.self) has \(MemoryLayout<Value>.stride) bytes aligned to \(MemoryLayout<Value>.alignment), "
        + "its encoding \(encoding.size ?? 0) aligned to \(encoding.alignment ?? 0)"
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
  /// - Complexity: That of the function; copies the bytes if another value shares them.
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

extension EncodedBytes: Hashable {
  /// Returns whether two values have equal types and the same bytes.
  public static func == (left: EncodedBytes, right: EncodedBytes) -> Bool {
    left.bytes == right.bytes && left.encoding == right.encoding
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
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
