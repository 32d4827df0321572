/// A Swift type that boxed values are converted to and from, exactly: each ``EncodedValue``, and an optional of one.
///
/// An optional represents null as nil, whatever type it wraps. Therefore optional numbers and structs are supported
/// too, although C has no null for them. Conform to ``EncodedValue``, never to this protocol alone.
public protocol _BoxConvertible: SendableMetatype {
  /// The type itself, or the wrapped type of an optional.
  static var encodedType: any EncodedValue.Type { get }

  /// Whether the type has a null in C.
  static var isNullable: Bool { get }

  /// Returns whether a slot of a kind can be written from, and read as, this type.
  static func accepts(_ kind: ValueKind) -> Bool

  /// Writes the value to a slot of a kind that the type accepts; see ``EncodedValue/store(in:of:keeping:)``.
  func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool

  /// Reads a value from a slot of a kind that the type accepts; see ``EncodedValue/load(from:of:)``.
  static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self?

  /// Returns the value of a box, converted as ``BoxedValue/value(as:options:)`` does.
  static func unboxed(_ box: BoxedValue, options: ConversionOptions) throws(InvocationError) -> Self

  /// Returns the value as a box.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the type's encoding does not match Swift's layout, and the
  ///   errors of an encoding that cannot be an argument.
  func boxed() throws(InvocationError) -> BoxedValue
}

extension EncodedValue {
  /// The type itself.
  @inlinable public static var encodedType: any EncodedValue.Type { Self.self }
  /// False: the type has no null.
  @inlinable public static var isNullable: Bool { false }

  /// Converts a box as for an argument of the type.
  ///
  /// - Throws: `InvocationError` as `Invocation.setArgument(boxed:at:options:)` does.
  public static func unboxed(_ box: BoxedValue, options: ConversionOptions) throws(InvocationError) -> Self {
    let place = try ArgumentPlace(of: Self.self)
    guard accepts(place.slot.kind) else { throw .foreignLayout(Self.self) }
    return try unsafe place.withFrame { frame throws(InvocationError) in
      let isOwned = try unsafe place.store(box, options, in: frame)
      defer { if isOwned { unsafe place.slot.releaseOwned(of: frame) } }
      guard let value = unsafe load(from: place.slot, of: frame) else { throw place.failure(of: box, as: Self.self) }
      return value
    }
  }

  /// Creates a box by storing the value in a frame of one argument.
  ///
  /// - Throws: `InvocationError` when the type cannot be an argument.
  public func boxed() throws(InvocationError) -> BoxedValue {
    let place = try ArgumentPlace(of: Self.self)
    guard Self.accepts(place.slot.kind) else { throw .foreignLayout(Self.self) }
    return try unsafe place.withFrame { frame throws(InvocationError) in
      let isOwned = unsafe store(in: place.slot, of: frame, keeping: false)
      defer { if isOwned { unsafe place.slot.releaseOwned(of: frame) } }
      return unsafe place.load(from: frame)
    }
  }
}

extension _NullableValue {
  /// True: the type has a null in C.
  @inlinable public static var isNullable: Bool { true }
}

extension Optional: _BoxConvertible where Wrapped: EncodedValue {
  /// The wrapped type.
  @inlinable public static var encodedType: any EncodedValue.Type { Wrapped.self }
  /// Whether the wrapped type has a null in C.
  ///
  /// Only then can an optional be stored in a slot.
  @inlinable public static var isNullable: Bool { Wrapped.isNullable }
  /// Returns whether the wrapped type has a null and accepts the kind.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { Wrapped.isNullable && Wrapped.accepts(kind) }

  /// Writes the value, or null.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    guard let self else {
      unsafe slot.write(word: 0, to: frame)
      return false
    }
    return unsafe self.store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the value; `.some(nil)` for null, and nil if a value other than null is not valid for the wrapped type.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Wrapped?? {
    if let value = unsafe Wrapped.load(from: slot, of: frame) { return .some(.some(value)) }
    return unsafe Wrapped.isNullable && slot.word(of: frame) == 0 ? .some(.none) : .none
  }

  /// Returns nil for null, otherwise the value of the wrapped type.
  ///
  /// - Throws: The errors of the wrapped type.
  public static func unboxed(_ box: BoxedValue, options: ConversionOptions) throws(InvocationError) -> Wrapped? {
    box.isNull ? nil : try Wrapped.unboxed(box, options: options)
  }

  /// Returns the value as a box, null for nil.
  ///
  /// - Throws: The errors of the wrapped type.
  public func boxed() throws(InvocationError) -> BoxedValue {
    guard let self else { return .null }
    return try self.boxed()
  }
}

extension BoxedValue {
  /// Returns the value as a Swift type, converted exactly as for an argument of that type.
  ///
  ///     try BoxedValue.int(7).value(as: Double.self)     // 7.0
  ///     try BoxedValue.null.value(as: Int?.self)         // nil
  ///
  /// - Parameters:
  ///   - type: The type; for an optional, null becomes nil.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `InvocationError` `typeMismatch`, `outOfRange`, `inexact`, and `nullNotAllowed` for null when the type
  ///   is not an optional.
  /// - Complexity: O(bytes of the value); copies a string.
  public func value<Value: _BoxConvertible>(
    as type: Value.Type = Value.self, options: ConversionOptions = []
  ) throws(InvocationError) -> Value {
    try Value.unboxed(self, options: options)
  }
}

extension [BoxedValue] {
  /// Returns the argument at an index as a Swift type, converted exactly.
  ///
  ///     let index = try arguments.value(at: 0, as: Int.self)
  ///
  /// - Parameters:
  ///   - index: The index among these boxes, from 0.
  ///   - type: The type; for an optional, null becomes nil.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `InvocationError` `indexOutOfRange`, and the errors of ``BoxedValue/value(as:options:)``, with the
  ///   index.
  /// - Complexity: O(bytes of the value); copies a string.
  public func value<Value: _BoxConvertible>(
    at index: Int, as type: Value.Type = Value.self, options: ConversionOptions = []
  ) throws(InvocationError) -> Value {
    guard indices.contains(index) else {
      throw InvocationError(.indexOutOfRange, "there are \(count) arguments", argument: .index(index))
    }
    do throws(InvocationError) {
      return try self[index].value(as: type, options: options)
    } catch {
      throw error.placed(.index(index), Value.encodedType.typeEncoding)
    }
  }
}

extension InvocationError {
  /// Returns the error for a type that declares an encoding which does not match its layout in Swift.
  package static func foreignLayout(_ type: any EncodedValue.Type, argument: Argument? = nil) -> InvocationError {
    InvocationError(
      .typeMismatch, "\(type) declares an encoding that is not Swift's layout", argument: argument,
      encoding: type.typeEncoding.description)
  }
}
