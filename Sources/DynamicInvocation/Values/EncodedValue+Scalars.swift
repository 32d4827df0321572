/// A number type or a truth value whose C type has a code of its own: `i` for `Int32`, `d` for `Double`, `D` for
/// ``LongDouble``; for `Float16` a blank, as clang encodes `_Float16`.
public protocol _ScalarValue: EncodedValue {
  /// The scalar of the type.
  @_documentation(visibility: internal)
  static var scalar: TypeEncoding.Scalar { get }
}

extension _ScalarValue {
  /// The code of the scalar.
  public static var typeEncoding: TypeEncoding { scalar.encoding }
  /// The kind of the scalar.
  @inlinable @inline(__always)
  public static var valueKind: ValueKind { ValueKind(scalar) }
}

extension TypeEncoding.Scalar {
  private static let encodings = Dictionary(uniqueKeysWithValues: allCases.map { ($0, TypeEncoding(.scalar($0))) })

  /// The type encoding of the scalar alone.
  var encoding: TypeEncoding { Self.encodings[self] ?? TypeEncoding(.scalar(self)) }
}

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

extension Int8: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .int8 }
}

extension UInt8: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .uint8 }
}

extension Int16: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .int16 }
}

extension UInt16: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .uint16 }
}

extension Int32: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .int32 }
}

extension UInt32: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .uint32 }
}

extension Int64: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .int64 }
}

extension UInt64: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .uint64 }
}

extension Int: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .int64 }
}

extension UInt: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .uint64 }
}

extension Int128: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .int128 }

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

extension UInt128: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .uint128 }

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

extension Bool: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .bool }

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

extension Float: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .float }

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

extension Double: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .double }

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

extension LongDouble: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .longDouble }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: _ScalarValue {
    /// The scalar of the type.
    @inlinable public static var scalar: TypeEncoding.Scalar { .float16 }

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
  extension Float80: _ScalarValue {
    /// The scalar of the type.
    @inlinable public static var scalar: TypeEncoding.Scalar { .longDouble }

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

  /// Returns whether the kind is a pointer.
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

/// A pointer type of the standard library.
///
/// Its use is marked unsafe, so it is passed for any address: a C string, a class, a selector, a block.
public protocol _StandardPointer: _EncodedPointer {
  /// Creates a pointer from an address; nil for null.
  init?(bitPattern: UInt)
}

extension _StandardPointer {
  /// The address.
  @inlinable @inline(__always)
  public var addressBits: UInt { unsafe unsafeBitCast(self, to: UInt.self) }

  /// Creates a pointer from an address.
  @inlinable @inline(__always)
  public init(addressBits: UInt) { self = unsafe Self(bitPattern: addressBits).unsafelyUnwrapped }

  /// `^v`: the encoding of a pointer in a signature created from Swift types.
  public static var typeEncoding: TypeEncoding { .pointerToVoid }

  /// Returns whether the kind is any pointer other than an object.
  @inlinable
  public static func accepts(_ kind: ValueKind) -> Bool { kind.isAddress }
}

extension TypeEncoding {
  /// `^v`.
  fileprivate static let pointerToVoid = TypeEncoding(.pointer(TypeEncoding(.void)))
}

extension ValueKind {
  /// Whether the kind is any pointer other than an object.
  @inlinable
  package var isAddress: Bool {
    switch self {
    case .pointer, .cString, .block, .classObject, .selector: true
    default: false
    }
  }
}

extension UnsafeRawPointer: @unsafe _StandardPointer {}

extension UnsafeMutableRawPointer: @unsafe _StandardPointer {}

extension OpaquePointer: @unsafe _StandardPointer {
  /// An opaque type: it matches anything but a pointer.
  @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { PointeeComparison.Opaque.self }
}

extension UnsafePointer: @unsafe _StandardPointer {
  /// The type that the pointer points to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Pointee.self }

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

/// A mutable pointer is an output buffer, so a C string that it points to is never copied.
extension UnsafeMutablePointer: @unsafe _StandardPointer {
  /// The type that the pointer points to.
  @inlinable @_documentation(visibility: internal)
  public static var pointeeType: Any.Type? { Pointee.self }
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
