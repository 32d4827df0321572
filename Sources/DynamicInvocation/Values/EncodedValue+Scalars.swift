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
  /// The kind is a constant.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { _ValueTraits(isLookedUp: false) }
}

extension TypeEncoding.Scalar {
  private static let encodings = Dictionary(uniqueKeysWithValues: allCases.map { ($0, TypeEncoding(.scalar($0))) })

  /// The type encoding of the scalar alone.
  var encoding: TypeEncoding { Self.encodings[self] ?? TypeEncoding(.scalar(self)) }
}

extension _ScalarValue where Self: FixedWidthInteger & BitwiseCopyable {
  /// The scalar of the same width and sign.
  @inlinable @inline(__always)
  public static var scalar: TypeEncoding.Scalar {
    switch bitWidth {
    case 8: isSigned ? .int8 : .uint8
    case 16: isSigned ? .int16 : .uint16
    case 32: isSigned ? .int32 : .uint32
    case 64: isSigned ? .int64 : .uint64
    default: isSigned ? .int128 : .uint128
    }
  }
}

extension EncodedValue where Self: FixedWidthInteger & BitwiseCopyable {
  /// Writes the number to the slot, sign-extended or zero-extended to a whole word, or both words of it.
  @inlinable @inline(__always)
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    if Self.bitWidth > 64 {
      unsafe frame.storeBytes(of: self, toByteOffset: Int(slot.offset), as: Self.self)
    } else {
      unsafe slot.write(word: UInt64(truncatingIfNeeded: self), to: frame)
    }
    return false
  }

  /// Reads the number from the low bits of the slot, or from both words.
  @inlinable @inline(__always)
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    bitWidth > 64
      ? unsafe frame.loadUnaligned(fromByteOffset: Int(slot.offset), as: Self.self) : unsafe Self(truncatingIfNeeded: slot.word(of: frame))
  }
}

extension Int8: _ScalarValue, ScalarInteger, _CRepresentable {}
extension UInt8: _ScalarValue, ScalarInteger, _CRepresentable {}
extension Int16: _ScalarValue, ScalarInteger, _CRepresentable {}
extension UInt16: _ScalarValue, ScalarInteger, _CRepresentable {}
extension Int32: _ScalarValue, ScalarInteger, _CRepresentable {}
extension UInt32: _ScalarValue, ScalarInteger, _CRepresentable {}
extension Int64: _ScalarValue, ScalarInteger, _CRepresentable {}
extension UInt64: _ScalarValue, ScalarInteger, _CRepresentable {}
extension Int: _ScalarValue, ScalarInteger, _CRepresentable {}
extension UInt: _ScalarValue, ScalarInteger, _CRepresentable {}
extension Int128: _ScalarValue, ScalarInteger {}
extension UInt128: _ScalarValue, ScalarInteger {}

extension Bool: _ScalarValue, _CRepresentable {
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
    if RawValue.valueTraits.isCounted || RawValue.valueTraits.objectClass != nil { return .unknown }
    return RawValue.accepts(declared) ? declared : typeEncoding.valueKind(of: Self.self)
  }

  /// What a raw value points to and owns; it may not be one of the type's values.
  @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits {
    let raw = RawValue.valueTraits
    return _ValueTraits(mayOwn: raw.mayOwn, mayBeRefused: true, pointeeType: raw.pointeeType)
  }

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

extension _ScalarValue where Self: BinaryFloatingPoint & BitwiseCopyable {
  /// The scalar of the same size.
  @inlinable @inline(__always)
  public static var scalar: TypeEncoding.Scalar {
    switch MemoryLayout<Self>.size {
    case 2: .float16
    case 4: .float
    case 8: .double
    default: .longDouble
    }
  }

  /// Writes a whole word with the number in its low bytes, or the ten bytes of the number to two words.
  ///
  /// One store, so that a later load of the word does not wait for two.
  @inlinable @inline(__always)
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    if MemoryLayout<Self>.size <= 8 {
      unsafe slot.write(word: word, to: frame)
    } else {
      unsafe frame.storeBytes(of: 0, toByteOffset: Int(slot.offset) + 8, as: UInt64.self)
      unsafe withUnsafeBytes(of: self) { bytes in
        unsafe (frame + Int(slot.offset)).copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: 10)
      }
    }
    return false
  }

  /// Reads the low bytes of the word, or both words.
  @inlinable @inline(__always)
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    MemoryLayout<Self>.size <= 8
      ? unsafe Self(word: slot.word(of: frame)) : unsafe frame.loadUnaligned(fromByteOffset: Int(slot.offset), as: Self.self)
  }
}

// Of numbers of at most eight bytes.
extension BinaryFloatingPoint where Self: BitwiseCopyable {
  /// The bits of the number, in the low bits of a word.
  @inlinable @inline(__always)
  package var word: UInt64 {
    switch MemoryLayout<Self>.size {
    case 2: unsafe UInt64(unsafeBitCast(self, to: UInt16.self))
    case 4: unsafe UInt64(unsafeBitCast(self, to: UInt32.self))
    default: unsafe unsafeBitCast(self, to: UInt64.self)
    }
  }

  /// Creates a number from the low bits of a word.
  @inlinable @inline(__always)
  package init(word: UInt64) {
    switch MemoryLayout<Self>.size {
    case 2: self = unsafe unsafeBitCast(UInt16(truncatingIfNeeded: word), to: Self.self)
    case 4: self = unsafe unsafeBitCast(UInt32(truncatingIfNeeded: word), to: Self.self)
    default: self = unsafe unsafeBitCast(word, to: Self.self)
    }
  }
}

extension Float: _ScalarValue, _CRepresentable {}
extension Double: _ScalarValue, _CRepresentable {}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: _ScalarValue {}
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Float80: _ScalarValue {}
#endif

extension LongDouble: _ScalarValue {
  /// The scalar of the type.
  @inlinable public static var scalar: TypeEncoding.Scalar { .longDouble }
}

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

  /// The slot may hold a C string that the frame has copied.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { .reference(mayOwn: true) }

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
  /// The pointee is an opaque type, which matches anything but a pointer.
  @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { .reference(mayOwn: true, pointeeType: PointeeComparison.Opaque.self) }
}

extension UnsafePointer: @unsafe _StandardPointer {
  /// The type that the pointer points to.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { .reference(mayOwn: true, pointeeType: Pointee.self) }

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
  public static var valueTraits: _ValueTraits { .reference(mayOwn: true, pointeeType: Pointee.self) }
}

extension EncodedValue {
  /// Whether a value is stored as a copy of its text, which the slot owns: a `String`, or an enum of texts.
  @inlinable @inline(__always)
  static var copiesText: Bool { self == String.self || self == String?.self || (valueTraits.mayOwn && valueTraits.isLookedUp) }
}

extension String: _NullableValue {
  /// `*`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.cString)
  /// The kind of a C string.
  @inlinable public static var valueKind: ValueKind { .cString }
  /// The frame owns the copy that the slot points to.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { .reference(mayOwn: true) }

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
