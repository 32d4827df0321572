internal import CFFIShim

extension Unmanaged: @unsafe NullableValue {
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
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: toOpaque())), to: frame)
    if keeping { _ = unsafe retain() }
    return keeping
  }

  /// Reads the reference without retaining the object; nil for null.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Unmanaged<Instance>? {
    unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))).map { unsafe Unmanaged<Instance>.fromOpaque($0) }
  }
}

/// Reads references to objects in frames, and retains the objects.
@usableFromInline
enum ObjectReference {
  /// A static stored property cannot be in a generic type.
  @usableFromInline static let encoding: TypeEncoding = TypeEncoding(.object(annotation: nil))

  /// The object that a slot refers to, or nil for null.
  @usableFromInline
  static func object(in slot: Slot, of frame: UnsafeRawPointer) -> AnyObject? {
    unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))).map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns whether a word is the address of an instance of a class or of a subclass; nothing is retained.
  ///
  /// - Parameter objectClass: The address of the class.
  @inline(never) @usableFromInline
  static func isInstance(_ word: UInt64, of objectClass: UInt64) -> Bool {
    guard let object = unsafe UnsafeRawPointer(bitPattern: UInt(word)), let type = unsafe UnsafeRawPointer(bitPattern: UInt(objectClass))
    else { return false }
    return unsafe cffi_is_instance(object, type)
  }

  /// Writes a reference to an object, and retains the object if `keeping` is true.
  ///
  /// Returns whether it was retained.
  @usableFromInline
  static func store(_ object: AnyObject?, in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    guard let object else {
      unsafe slot.write(word: 0, to: frame)
      return false
    }
    return unsafe Unmanaged.passUnretained(object).store(in: slot, of: frame, keeping: keeping)
  }

  /// Retains the object that a slot refers to.
  ///
  /// Returns whether there is one.
  static func retain(in slot: Slot, of frame: UnsafeRawPointer) -> Bool {
    guard let object = unsafe object(in: slot, of: frame) else { return false }
    _ = unsafe Unmanaged.passRetained(object)
    return true
  }
}

extension Slot {
  /// Releases what the frame owns through this slot: an object, or the copy of a C string.
  @usableFromInline
  func releaseOwned(of frame: UnsafeRawPointer) { unsafe releaseOwned(word: word(of: frame)) }

  /// Releases what a word from the slot refers to.
  @usableFromInline
  package func releaseOwned(word: UInt64) {
    guard let address = unsafe UnsafeMutableRawPointer(bitPattern: UInt(word)) else { return }
    if kind == .object {
      unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
    } else {
      unsafe CStringMemory.free(address)
    }
  }
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
