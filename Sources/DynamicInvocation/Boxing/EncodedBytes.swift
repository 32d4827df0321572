/// Any C value as its bytes and its type: NSValue for Swift, without its limits.
///
/// A struct, a union, an array, a vector, a complex number or a scalar.
public struct EncodedBytes: Sendable {
  /// The type.
  public let encoding: TypeEncoding

  /// The bytes, as many as the type has, padding included.
  public let bytes: [UInt8]

  /// Creates a value from its bytes.
  ///
  /// - Throws: ``InvocationError`` `unsupportedType` for a type without a size, and `countMismatch` when the bytes are not as many as it has.
  public init(_ encoding: TypeEncoding, bytes: [UInt8]) throws(InvocationError) {
    guard let size = encoding.size else {
      throw InvocationError(.unsupportedType, "the type has no size", encoding: encoding.description)
    }
    guard bytes.count == size else {
      throw InvocationError(.countMismatch, "\(bytes.count) bytes for a type of \(size)", encoding: encoding.description)
    }
    self.encoding = encoding
    self.bytes = bytes
  }

  /// Creates a value from one of Swift.
  ///
  /// - Parameters:
  ///   - value: The value, of a type without references: a struct, or a tuple.
  ///   - encoding: The type to give it.
  /// - Throws: ``InvocationError`` `typeMismatch` when size or alignment of the types differ.
  public init<Value: BitwiseCopyable>(_ value: Value, as encoding: TypeEncoding) throws(InvocationError) {
    guard encoding.size == MemoryLayout<Value>.stride, encoding.alignment == MemoryLayout<Value>.alignment else {
      throw InvocationError(
        .typeMismatch,
        "\(Value.self) has \(MemoryLayout<Value>.stride) bytes aligned to \(MemoryLayout<Value>.alignment), "
          + "the encoding \(encoding.size ?? 0) aligned to \(encoding.alignment ?? 0)",
        encoding: encoding.description)
    }
    var bytes = unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    bytes += repeatElement(0, count: MemoryLayout<Value>.stride - bytes.count)
    self.encoding = encoding
    self.bytes = bytes
  }

  /// Creates a value from one that declares its encoding.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch` when Swift lays the type out otherwise than it declares.
  public init<Value: EncodedValue & BitwiseCopyable>(_ value: Value) throws(InvocationError) {
    try self.init(value, as: Value.typeEncoding)
  }

  /// Copies a value from memory; the type has a size.
  init(copying memory: UnsafeRawPointer, as encoding: TypeEncoding) {
    self.encoding = encoding
    bytes = unsafe Array(UnsafeRawBufferPointer(start: memory, count: encoding.size ?? 0))
  }

  /// Returns the value as a Swift type without references.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch` when the type's size differs, or when it declares an encoding of another layout.
  public func value<Value: BitwiseCopyable>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    let declared = (type as? any EncodedValue.Type)?.valueKind
    guard bytes.count == MemoryLayout<Value>.stride, declared == nil || declared == encoding.valueKind else {
      throw InvocationError(.typeMismatch, "\(type) is not a value of this layout", encoding: encoding.description)
    }
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
  }
}

extension EncodedBytes: Hashable {
  /// Returns whether two values have equal types and the same bytes.
  public static func == (left: EncodedBytes, right: EncodedBytes) -> Bool {
    left.bytes == right.bytes && left.encoding == right.encoding
  }

  /// Feeds the bytes into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
