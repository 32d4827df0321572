/// An encoded value whose C type has a null, which its optional expresses: a pointer or an object, one machine word.
public protocol NullableValue: ThunkValue where CRepresentation == UInt {}

extension NullableValue {
  /// True: the argument may be null, or an object of another class.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { true }

  /// Returns whether the word is not null.
  @inlinable @inline(__always)
  @_documentation(visibility: internal)
  public static func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool { word != 0 }
}

extension Optional: CallArgument where Wrapped: NullableValue {}

extension Optional: EncodedValue where Wrapped: NullableValue {
  /// The encoding of the wrapped type.
  public static var typeEncoding: TypeEncoding { Wrapped.typeEncoding }
  /// The kind of the wrapped type.
  @inlinable public static var valueKind: ValueKind { Wrapped.valueKind }
  /// What values of the wrapped type point to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Wrapped.pointeeType }
  /// Whether the wrapped type may own memory.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { Wrapped.mayOwn }

  /// Whether the wrapped type is a counted reference.
  @inlinable @_documentation(visibility: internal)
  public static var isCounted: Bool { Wrapped.isCounted }

  /// Whether the argument may be an object of another class.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { Wrapped.isCounted }

  /// The class of the wrapped type.
  @inlinable @_documentation(visibility: internal)
  public static var objectClass: AnyClass? { Wrapped.objectClass }

  /// Returns whether the word is null, or at first sight a value of the wrapped type.
  @inlinable @inline(__always)
  @_documentation(visibility: internal)
  public static func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool { word == 0 || Wrapped.isValue(word, of: objectClass) }
}
