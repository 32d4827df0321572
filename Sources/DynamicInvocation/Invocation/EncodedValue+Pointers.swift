/// A pointer type: one machine word, whose optional is that word with null for nil.
public protocol EncodedPointer: NullableValue, BitwiseCopyable {
  /// The address.
  var addressBits: UInt { get }

  /// Creates a pointer from an address that is not null.
  init(addressBits: UInt)
}

extension EncodedPointer {
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
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(addressBits), to: frame)
    return false
  }

  /// Reads the address; nil for null.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Self? {
    let address = UInt(unsafe slot.word(of: frame))
    return address == 0 ? nil : Self(addressBits: address)
  }
}

extension ValueKind {
  /// Whether the kind is any pointer that is no object: Swift's own pointers, whose use is marked unsafe, are taken for all of these.
  @inlinable
  package var isAddress: Bool {
    switch self {
    case .pointer, .cString, .block, .classObject, .selector: true
    default: false
    }
  }
}

extension UnsafeRawPointer: @unsafe EncodedPointer {
  /// Returns whether the kind is any pointer that is no object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.pointer(TypeEncoding(.void)))
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafeRawPointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension UnsafeMutableRawPointer: @unsafe EncodedPointer {
  /// Returns whether the kind is any pointer that is no object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`.
  public static let typeEncoding: TypeEncoding = unsafe UnsafeRawPointer.typeEncoding
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafeMutableRawPointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension OpaquePointer: @unsafe EncodedPointer {
  /// Returns whether the kind is any pointer that is no object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`.
  public static let typeEncoding: TypeEncoding = unsafe UnsafeRawPointer.typeEncoding
  /// A type that only its library knows: anything but a pointer.
  @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { PointeeComparison.Opaque.self }
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = OpaquePointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension UnsafePointer: @unsafe EncodedPointer {
  /// Returns whether the kind is any pointer that is no object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`: the encoding of a pointer whose signature is made from its Swift type.
  public static var typeEncoding: TypeEncoding { unsafe UnsafeRawPointer.typeEncoding }
  /// What it points to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Pointee.self }
  /// The address.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafePointer(bitPattern: addressBits).unsafelyUnwrapped }

  /// Writes the address, or that of a copy for a C string that the frame is to keep.
  @inlinable
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    guard keeping, slot.kind == .cString else {
      unsafe slot.write(word: UInt64(addressBits), to: frame)
      return false
    }
    let copy = unsafe CStringMemory.copy(UnsafeRawPointer(self).assumingMemoryBound(to: CChar.self))
    unsafe slot.write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    return true
  }
}

extension UnsafeMutablePointer: @unsafe EncodedPointer {
  /// Returns whether the kind is any pointer that is no object.
  @inlinable public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
  /// `^v`: the encoding of a pointer whose signature is made from its Swift type.
  public static var typeEncoding: TypeEncoding { unsafe UnsafeRawPointer.typeEncoding }
  /// What it points to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Pointee.self }
  /// The address.
  ///
  /// A mutable pointer is an output buffer, so a C string behind it is never copied.
  @inlinable public var addressBits: UInt { UInt(bitPattern: self) }
  /// Creates a pointer from an address.
  @inlinable public init(addressBits: UInt) { unsafe self = UnsafeMutablePointer(bitPattern: addressBits).unsafelyUnwrapped }
}

extension String: NullableValue {
  /// `*`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.cString)
  /// The kind of a C string.
  @inlinable public static var valueKind: ValueKind { .cString }
  /// True: the frame owns the copy it points to.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { true }

  /// Copies the text as a C string and writes the address of the copy, which the frame frees.
  ///
  /// C sees the text up to its first null character, as with Swift's own passing of strings; ``BoxedValue/string(_:)`` refuses one that has any.
  @inlinable
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: copiedAsCString())), to: frame)
    return true
  }

  /// Copies the text of a C string, invalid UTF-8 repaired; nil for null.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> String? {
    unsafe UnsafePointer<CChar>(bitPattern: UInt(slot.word(of: frame))).map { unsafe String(cString: $0) }
  }
}
