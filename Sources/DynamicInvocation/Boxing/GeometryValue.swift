/// A struct of geometry, imported from C.
///
/// The compiler of Swift 6.3 cannot read back, from another module, a conformance whose default members depend on an imported struct being
/// bitwise copyable, which is implicit; so geometry has default members of its own.
public protocol GeometryValue: EncodedValue {}

extension GeometryValue {
  /// Copies the bytes to the slot; nothing is owned.
  @inlinable @inline(__always)
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(value: self, to: frame)
    return false
  }

  /// Copies the bytes from the slot.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Self? {
    // A slot is aligned to eight bytes, as these structs of 64-bit numbers are.
    unsafe slot.withValue(in: frame) { unsafe $0.load(as: Self.self) }
  }
}
