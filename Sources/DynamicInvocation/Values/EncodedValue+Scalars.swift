extension EncodedValue where Self: FixedWidthInteger & BitwiseCopyable {
  /// Writes the number to the slot, sign-extended or zero-extended to a whole word.
  @inlinable @inline(__always)
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(truncatingIfNeeded: self), to: frame)
    return false
  }

  /// Reads the number from the low bits of the slot.
  @inlinable @inline(__always)
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    unsafe Self(truncatingIfNeeded: slot.word(of: frame))
  }
}

extension Int8: EncodedValue {
  /// `c`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.int8))
  /// The kind of `c`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.int8) }
}

extension UInt8: EncodedValue {
  /// `C`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.uint8))
  /// The kind of `C`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.uint8) }
}

extension Int16: EncodedValue {
  /// `s`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.int16))
  /// The kind of `s`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.int16) }
}

extension UInt16: EncodedValue {
  /// `S`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.uint16))
  /// The kind of `S`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.uint16) }
}

extension Int32: EncodedValue {
  /// `i`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.int32))
  /// The kind of `i`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.int32) }
}

extension UInt32: EncodedValue {
  /// `I`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.uint32))
  /// The kind of `I`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.uint32) }
}

extension Int64: EncodedValue {
  /// `q`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.int64))
  /// The kind of `q`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.int64) }
}

extension UInt64: EncodedValue {
  /// `Q`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.uint64))
  /// The kind of `Q`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.uint64) }
}

extension Int: EncodedValue {
  /// `q`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.int64))
  /// The kind of `q`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.int64) }
}

extension UInt: EncodedValue {
  /// `Q`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.uint64))
  /// The kind of `Q`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.uint64) }
}

extension Int128: EncodedValue {
  /// `t`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.int128))
  /// The kind of `t`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.int128) }

  /// Writes both words of the number.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe frame.storeBytes(of: self, toByteOffset: Int(slot.offset), as: Int128.self)
    return false
  }

  /// Reads both words of the number.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Int128? {
    unsafe frame.loadUnaligned(fromByteOffset: Int(slot.offset), as: Int128.self)
  }
}

extension UInt128: EncodedValue {
  /// `T`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.uint128))
  /// The kind of `T`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.uint128) }

  /// Writes both words of the number.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe frame.storeBytes(of: self, toByteOffset: Int(slot.offset), as: UInt128.self)
    return false
  }

  /// Reads both words of the number.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> UInt128? {
    unsafe frame.loadUnaligned(fromByteOffset: Int(slot.offset), as: UInt128.self)
  }
}

extension Bool: EncodedValue {
  /// `B`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.bool))
  /// The kind of `B`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.bool) }

  /// Returns whether the kind is a bool or a character type.
  ///
  /// Objective-C's `BOOL` is encoded as `B`, `c` or `C`, depending on the platform.
  @inlinable
  public static func accepts(_ kind: ValueKind) -> Bool {
    kind == ValueKind(.bool) || kind == ValueKind(.int8) || kind == ValueKind(.uint8)
  }

  /// Writes 1 or 0 to the slot.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: self ? 1 : 0, to: frame)
    return false
  }

  /// Reads the value; any byte other than 0 is true.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Bool? {
    unsafe slot.word(of: frame) & 0xFF != 0
  }
}

/// Enums and option sets are passed as their raw values.
///
/// A raw value may be a number, a pointer or a text. A reference to an object may not: nothing would keep the object alive.
extension EncodedValue where Self: RawRepresentable & BitwiseCopyable, RawValue: EncodedValue {
  /// The encoding of the raw values.
  public static var typeEncoding: TypeEncoding { RawValue.typeEncoding }

  /// The kind of the raw values, or the kind of the struct's bytes if the type declares another encoding.
  public static var valueKind: ValueKind {
    let declared = typeEncoding.valueKind
    if RawValue.isCounted || RawValue.objectClass != nil { return .unknown }
    return RawValue.accepts(declared) ? declared : typeEncoding.valueKind(of: Self.self)
  }

  /// The type that a raw value points to.
  @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { RawValue.pointeeType }

  /// Whether a slot that a raw value is written to may own memory.
  @_documentation(visibility: internal)
  public static var mayOwn: Bool { RawValue.mayOwn }

  /// True: a raw value may not be one of the type's values.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { true }

  /// Writes the raw value.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    if RawValue.accepts(slot.kind) { return unsafe rawValue.store(in: slot, of: frame, keeping: keeping) }
    unsafe slot.write(value: self, to: frame)
    return false
  }

  /// Reads a raw value; nil if the type has no value with it.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    if RawValue.accepts(slot.kind) { return unsafe RawValue.load(from: slot, of: frame).flatMap { Self(rawValue: $0) } }
    return unsafe slot.withValue(in: frame) { unsafe $0.loadUnaligned(as: Self.self) }
  }
}

// MARK: - Floating point

extension Float: EncodedValue {
  /// `f`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.float))
  /// The kind of `f`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.float) }

  /// Writes a whole word with the number in its low half.
  ///
  /// One store, so that a later load of the word does not wait for two.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(bitPattern), to: frame)
    return false
  }

  /// Reads the low half of the word.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Float? {
    Float(bitPattern: UInt32(truncatingIfNeeded: unsafe slot.word(of: frame)))
  }
}

extension Double: EncodedValue {
  /// `d`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.double))
  /// The kind of `d`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.double) }

  /// Writes the word.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: bitPattern, to: frame)
    return false
  }

  /// Reads the word.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Double? {
    Double(bitPattern: unsafe slot.word(of: frame))
  }
}

extension LongDouble: EncodedValue {
  /// `D`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.longDouble))
  /// The kind of `D`.
  @inlinable public static var valueKind: ValueKind { ValueKind(.longDouble) }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: EncodedValue {
    /// A blank, as clang encodes `_Float16`.
    public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.float16))
    /// The kind of `_Float16`.
    @inlinable public static var valueKind: ValueKind { ValueKind(.float16) }

    /// Writes a whole word with the number in its low quarter.
    @inlinable
    public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
      unsafe slot.write(word: UInt64(bitPattern), to: frame)
      return false
    }

    /// Reads the low quarter of the word.
    @inlinable
    public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Float16? {
      Float16(bitPattern: UInt16(truncatingIfNeeded: unsafe slot.word(of: frame)))
    }
  }
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Float80: EncodedValue {
    /// `D`, the platform's `long double`.
    public static let typeEncoding: TypeEncoding = TypeEncoding(.scalar(.longDouble))
    /// The kind of `D`.
    @inlinable public static var valueKind: ValueKind { ValueKind(.longDouble) }

    /// Copies the ten bytes of the number into two words.
    @inlinable
    public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
      unsafe frame.storeBytes(of: 0, toByteOffset: Int(slot.offset) + 8, as: UInt64.self)
      unsafe withUnsafeBytes(of: self) { bytes in
        unsafe (frame + Int(slot.offset)).copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: 10)
      }
      return false
    }
  }
#endif

// MARK: - Pointers

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
