public import DynamicInvocation

/// Where an argument of an event goes in a handler's frame, and which box gets there without a detour.
@usableFromInline
@safe
struct Parameter {
  /// How the payload of the parameter's own box is copied.
  enum Copying: UInt8 {
    /// An integer of less than a word: checked to fit.
    case narrowSigned, narrowUnsigned
    case bool
    case word, twoWords, fourWords
  }

  @usableFromInline let slot: Slot
  /// The number of the box's case, or none.
  let box: UInt8
  let copying: Copying
  /// The number of the case of null if it may be null, or none.
  let null: UInt8

  init(_ slot: Slot) {
    self.slot = slot
    let layout = BoxLayout.shared
    // Layouts of equal members, such as a point's and a size's, are of one kind.
    let isContiguous = slot.storage == .bytes
    (box, copying) =
      switch slot.kind {
      case ValueKind(.int64): (layout.int, .word)
      case ValueKind(.int8), ValueKind(.int16), ValueKind(.int32): (layout.int, .narrowSigned)
      case ValueKind(.uint64): (layout.uint, .word)
      case ValueKind(.uint8), ValueKind(.uint16), ValueKind(.uint32): (layout.uint, .narrowUnsigned)
      case ValueKind(.double): (layout.double, .word)
      case ValueKind(.bool): (layout.bool, .bool)
      case .object: (layout.object, .word)
      case Rect.valueKind where isContiguous: (layout.rect, .fourWords)
      case Point.valueKind where isContiguous: (layout.point, .twoWords)
      case IndexRange.valueKind where isContiguous: (layout.range, .twoWords)
      default: (BoxLayout.noCase, .word)
      }
    null =
      switch slot.kind {
      case .object, .pointer, .cString, .block, .classObject, .selector: layout.null
      default: BoxLayout.noCase
      }
  }
}

extension UnsafePointer<Parameter> {
  /// Writes a box to a frame if it is of the parameter's own case, and fits; says whether it did.
  ///
  /// An object is not retained: the event keeps it.
  @inline(__always)
  func write(_ box: UnsafePointer<BoxedValue>, to frame: UnsafeMutableRawPointer) -> Bool {
    let payload = unsafe UnsafeRawPointer(box)
    let place = unsafe frame + Int(pointee.slot.offset)
    let number = unsafe payload.load(fromByteOffset: BoxLayout.offset, as: UInt8.self)
    guard number != BoxLayout.noCase else { return false }
    if unsafe number == pointee.box {
      switch unsafe pointee.copying {
      case .word:
        unsafe place.storeBytes(of: payload.load(as: UInt64.self), as: UInt64.self)
      case .fourWords:
        unsafe place.copyMemory(from: payload, byteCount: 32)
      case .twoWords:
        unsafe place.copyMemory(from: payload, byteCount: 16)
      case .narrowSigned:
        let number = unsafe payload.load(as: Int64.self)
        let unused = unsafe 64 - 8 * Int64(pointee.slot.size)
        guard (number &<< unused) &>> unused == number else { return false }
        unsafe place.storeBytes(of: number, as: Int64.self)
      case .narrowUnsigned:
        let number = unsafe payload.load(as: UInt64.self)
        guard unsafe number &>> (8 * UInt64(pointee.slot.size)) == 0 else { return false }
        unsafe place.storeBytes(of: number, as: UInt64.self)
      case .bool:
        unsafe place.storeBytes(of: UInt64(payload.load(as: UInt8.self) & 1), as: UInt64.self)
      }
      return true
    }
    guard unsafe number == pointee.null else { return false }
    unsafe place.storeBytes(of: 0, as: UInt64.self)
    return true
  }
}
