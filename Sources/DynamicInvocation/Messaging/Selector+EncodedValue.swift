extension Selector: NullableValue {
  /// `:`.
  public static let typeEncoding: TypeEncoding = TypeEncoding(.selector)
  /// The kind of a selector.
  @inlinable public static var valueKind: ValueKind { .selector }

  /// Writes the address of the interned name.
  @inlinable
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(word: UInt64(UInt(bitPattern: pointer)), to: frame)
    return false
  }

  /// Reads the address of an interned name; nil for null.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Selector? {
    unsafe UnsafePointer<CChar>(bitPattern: UInt(slot.word(of: frame))).map { unsafe Selector(interned: $0) }
  }
}
