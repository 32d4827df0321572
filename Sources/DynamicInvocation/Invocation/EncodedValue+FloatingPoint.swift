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
