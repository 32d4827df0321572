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
