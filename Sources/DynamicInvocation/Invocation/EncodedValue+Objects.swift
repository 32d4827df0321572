extension Unmanaged: @unsafe _NullableValue {
  /// `@`.
  public static var typeEncoding: TypeEncoding { ObjectReference.encoding }
  /// The kind of an object.
  @inlinable public static var valueKind: ValueKind { .object }
  /// True: the frame may retain the object.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { true }

  /// True: the argument may be null.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { true }

  /// False: an unmanaged reference is passed unchanged.
  @inlinable @_documentation(visibility: internal)
  public static var isCounted: Bool { false }

  /// Nil: an unmanaged reference is passed whatever its class is.
  @inlinable @_documentation(visibility: internal)
  public static var objectClass: AnyClass? { nil }

  /// Writes the reference, and retains the object if `keeping` is true.
  @inlinable
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: toOpaque())), to: frame)
    if keeping { _ = unsafe retain() }
    return keeping
  }

  /// Reads the reference without retaining the object; nil for null.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Unmanaged<Instance>? {
    unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))).map { unsafe Unmanaged<Instance>.fromOpaque($0) }
  }
}

extension ObjectReference {
  /// A static stored property cannot be in a generic type.
  @usableFromInline static let encoding: TypeEncoding = TypeEncoding(.object(annotation: nil))
}

/// Writes and reads references to classes in frames.
enum ClassReference {
  /// The word that refers to a class.
  static func word(_ type: AnyClass) -> UInt64 {
    UInt64(UInt(bitPattern: unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)))
  }

  /// The class that a word refers to, or nil for null.
  static func type(_ word: UInt64) -> AnyClass? {
    unsafe UnsafeRawPointer(bitPattern: UInt(word)).map { unsafe unsafeBitCast($0, to: AnyClass.self) }
  }
}
