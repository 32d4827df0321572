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
