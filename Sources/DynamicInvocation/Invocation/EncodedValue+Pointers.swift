/// A pointer type: one machine word.
///
/// In its optional, nil is the null pointer.
public protocol _EncodedPointer: _NullableValue, BitwiseCopyable {
  /// The address.
  var addressBits: UInt { get }

  /// Creates a pointer from an address that is not null.
  init(addressBits: UInt)
}

extension _EncodedPointer {
  /// The kind of a pointer.
  @inlinable public static var valueKind: ValueKind { .pointer }

  /// Returns whether the kind is that of a pointer.
  @inlinable
  public static func accepts(_ kind: ValueKind) -> Bool { kind == .pointer }

  /// True: the slot may hold a C string that the frame has copied.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { true }

  /// Writes the address.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(addressBits), to: frame)
    return false
  }

  /// Reads the address; nil for null.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    let address = UInt(unsafe slot.word(of: frame))
    return address == 0 ? nil : Self(addressBits: address)
  }
}

extension ValueKind {
  /// Whether the kind is any pointer other than an object.
  ///
  /// Swift's own pointers, whose use is marked unsafe, accept all of these.
  @inlinable
  package var isAddress: Bool {
    switch self {
    case .pointer, .cString, .block, .classObject, .selector: true
    default: false
    }
  }
}

extension UnsafeRawPointer: @unsafe _EncodedPointer {
  /// Returns whether the kind is any pointer other than an object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.pointer(TypeEncoding(.void)))
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafeRawPointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension UnsafeMutableRawPointer: @unsafe _EncodedPointer {
  /// Returns whether the kind is any pointer other than an object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`.
  public static let typeEncoding: TypeEncoding = unsafe UnsafeRawPointer.typeEncoding
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafeMutableRawPointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension OpaquePointer: @unsafe _EncodedPointer {
  /// Returns whether the kind is any pointer other than an object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`.
  public static let typeEncoding: TypeEncoding = unsafe UnsafeRawPointer.typeEncoding
  /// An opaque type: it matches anything but a pointer.
  @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { PointeeComparison.Opaque.self }
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = OpaquePointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension UnsafePointer: @unsafe _EncodedPointer {
  /// Returns whether the kind is any pointer other than an object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`: the encoding of a pointer in a signature created from Swift types.
  public static var typeEncoding: TypeEncoding { unsafe UnsafeRawPointer.typeEncoding }
  /// The type that the pointer points to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Pointee.self }
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafePointer(bitPattern: addressBits).unsafelyUnwrapped }

  /// Writes the address.
  ///
  /// For a C string, writes the address of a copy if `keeping` is true.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    guard keeping, slot.kind == .cString else {
      unsafe slot.write(word: UInt64(addressBits), to: frame)
      return false
    }
    let copy = unsafe CMemory.copy(UnsafeRawPointer(self).assumingMemoryBound(to: CChar.self))
    unsafe slot.write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    return true
  }
}

extension UnsafeMutablePointer: @unsafe _EncodedPointer {
  /// Returns whether the kind is any pointer other than an object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`: the encoding of a pointer in a signature created from Swift types.
  public static var typeEncoding: TypeEncoding { unsafe UnsafeRawPointer.typeEncoding }
  /// The type that the pointer points to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Pointee.self }
  /// The address.
  ///
  /// A mutable pointer is an output buffer, so a C string that it points to is never copied.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafeMutablePointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension EncodedValue {
  /// Whether a value is stored as a copy of its text, which the slot owns: a `String`, or an enum of texts.
  @inlinable @inline(__always)
  static var copiesText: Bool { self == String.self || self == String?.self || (mayOwn && isLookedUp) }
}

extension String: _NullableValue {
  /// `*`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.cString)
  /// The kind of a C string.
  @inlinable public static var valueKind: ValueKind { .cString }
  /// True: the frame owns the copy that the slot points to.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { true }

  /// Copies the text as a C string and writes the address of the copy, which the frame frees.
  ///
  /// C sees the text up to its first null character, as when Swift passes a string to C. ``BoxedValue/string(_:)``
  /// rejects a text that contains one.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: copiedAsCString())), to: frame)
    return true
  }

  /// Creates a string from a C string, and repairs invalid UTF-8; nil for null.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> String? {
    unsafe UnsafePointer<CChar>(bitPattern: UInt(slot.word(of: frame))).map { unsafe String(cString: $0) }
  }
}
