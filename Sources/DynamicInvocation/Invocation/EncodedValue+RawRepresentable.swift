/// Enums and option sets are passed as their raw values.
extension EncodedValue where Self: RawRepresentable & BitwiseCopyable, RawValue: EncodedValue {
  /// The encoding of the raw values.
  public static var typeEncoding: TypeEncoding { RawValue.typeEncoding }

  /// The kind of the raw values; that of the bytes for a struct that declares another encoding.
  public static var valueKind: ValueKind {
    let declared = typeEncoding.valueKind
    return RawValue.accepts(declared) ? declared : typeEncoding.valueKind(of: Self.self)
  }

  /// True: a raw value may be none of the type.
  @inlinable @_documentation(visibility: internal)
  public static var mayBeRefused: Bool { true }

  /// Writes the raw value.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    if RawValue.accepts(slot.kind) { return unsafe rawValue.store(in: slot, of: frame, keeping: keeping) }
    unsafe slot.write(value: self, to: frame)
    return false
  }

  /// Reads a raw value; nil for one that no value of the type has.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Self? {
    if RawValue.accepts(slot.kind) { return unsafe RawValue.load(from: slot, of: frame).flatMap { Self(rawValue: $0) } }
    return unsafe slot.withValue(in: frame) { unsafe $0.loadUnaligned(as: Self.self) }
  }
}
