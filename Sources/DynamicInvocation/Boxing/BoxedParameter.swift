/// An argument of a frame, with the case of the boxes that are written to it without a conversion.
///
/// It is the fast path of a call with boxed arguments: most boxes contain a value of the parameter's own type.
@usableFromInline
@safe
package struct BoxedParameter {
  /// The case of a box whose payload is stored directly, and how it is stored.
  @usableFromInline
  enum Match: UInt8 {
    case int, narrowInt, uint, narrowUInt, double, bool, object, point, range, rect
    /// No case: every box is converted.
    case none
  }

  /// The slot of the argument.
  @usableFromInline
  package let slot: FrameSlot
  @usableFromInline let match: Match
  /// Whether null is a value of the argument.
  @usableFromInline let hasNull: Bool

  /// Creates a parameter from a slot; the slot's kind determines the match.
  package init(_ slot: FrameSlot) {
    self.slot = slot
    hasNull = slot.kind.hasNull
    // Layouts with the same members, such as those of a point and a size, have the same kind.
    let isContiguous = slot.storage == .bytes
    match =
      switch slot.kind {
      case ValueKind(.int64): .int
      case ValueKind(.int8), ValueKind(.int16), ValueKind(.int32): .narrowInt
      case ValueKind(.uint64): .uint
      case ValueKind(.uint8), ValueKind(.uint16), ValueKind(.uint32): .narrowUInt
      case ValueKind(.double): .double
      case ValueKind(.bool): .bool
      case .object: .object
      case Geometry.Rect.valueKind where isContiguous: .rect
      case Geometry.Point.valueKind where isContiguous: .point
      case Geometry.IndexRange.valueKind where isContiguous: .range
      default: .none
      }
  }

  /// Writes a box to a frame if its value has the argument's type.
  ///
  /// Returns whether it did.
  ///
  /// An object is not retained: the caller must keep the box alive.
  @inlinable @inline(__always)
  package func write(_ box: UnsafePointer<BoxedValue>, to frame: UnsafeMutableRawPointer) -> Bool {
    let place = unsafe frame + Int(slot.offset)
    switch match {
    case .int:
      guard case .int(let number) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: number, as: Int.self)
    case .narrowInt:
      guard case .int(let number) = unsafe box.pointee else { return false }
      let unused = 64 - 8 * Int(slot.size)
      guard (number &<< unused) &>> unused == number else { return false }
      unsafe place.storeBytes(of: number, as: Int.self)
    case .uint:
      guard case .uint(let number) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: number, as: UInt.self)
    case .narrowUInt:
      guard case .uint(let number) = unsafe box.pointee, number &>> (8 * UInt(slot.size)) == 0 else { return false }
      unsafe place.storeBytes(of: number, as: UInt.self)
    case .double:
      guard case .double(let number) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: number, as: Double.self)
    case .bool:
      guard case .bool(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value ? 1 : 0, as: UInt64.self)
    case .object:
      guard case .object(let object) = unsafe box.pointee else { return unsafe writeNull(box, to: place) }
      unsafe place.storeBytes(of: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), as: UInt.self)
    case .point:
      guard case .point(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value, as: Geometry.Point.self)
    case .range:
      guard case .range(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value, as: Geometry.IndexRange.self)
    case .rect:
      guard case .rect(let value) = unsafe box.pointee else { return false }
      unsafe place.storeBytes(of: value, as: Geometry.Rect.self)
    case .none: return unsafe writeNull(box, to: place)
    }
    return true
  }

  /// Writes null if the box is null and the argument has a null.
  ///
  /// Returns whether it did.
  @inlinable @inline(__always)
  func writeNull(_ box: UnsafePointer<BoxedValue>, to place: UnsafeMutableRawPointer) -> Bool {
    guard hasNull, case .null = unsafe box.pointee else { return false }
    unsafe place.storeBytes(of: 0, as: UInt64.self)
    return true
  }
}
