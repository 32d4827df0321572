/// Writes the arguments of one call into a frame on the stack, in order, each checked against its slot.
@usableFromInline
@safe
struct FrameWriter {
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let frame: UnsafeMutableRawPointer
  @usableFromInline var index = 0
  /// The index of the first argument of a wrong type, or -1.
  @usableFromInline var wrong = -1
  /// The Swift type of that argument.
  @usableFromInline var wrongType: Any.Type = Never.self
  /// A bit for each argument that the frame owns: at most 64 are written this way.
  @usableFromInline var owned: UInt64 = 0

  @inlinable @inline(__always)
  init(_ slots: UnsafePointer<Slot>, _ frame: UnsafeMutableRawPointer) {
    unsafe self.slots = slots
    unsafe self.frame = frame
  }

  /// Writes the next argument; after one of a wrong type writes nothing more.
  @inlinable @inline(__always)
  mutating func write<Value: EncodedValue>(_ value: Value) {
    let slot = unsafe slots[index]
    if Value.accepts(slot.kind) {
      if wrong < 0, unsafe value.store(in: slot, of: frame, keeping: false) { owned |= 1 << UInt64(truncatingIfNeeded: index) }
    } else if wrong < 0 {
      wrong = index
      wrongType = Value.self
    }
    index &+= 1
  }

  /// Releases what the frame owns.
  @inlinable @inline(__always)
  func release() {
    if owned != 0 { releaseOwned() }
  }

  @usableFromInline
  func releaseOwned() {
    var rest = owned
    while rest != 0 {
      unsafe slots[rest.trailingZeroBitCount].releaseOwned(of: frame)
      rest &= rest - 1
    }
  }
}
