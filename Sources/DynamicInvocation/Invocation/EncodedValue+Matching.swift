public import Synchronization

extension EncodedValue {
  /// Returns whether an argument, or the result if the index is the number of arguments, is of the type.
  ///
  /// - Parameters:
  ///   - slots: The slots of a plan.
  ///   - index: The index, which must be in range.
  ///   - pointsRight: Whether the pointee type matches, for a type that has one.
  @inlinable @inline(__always)
  static func matches(_ slots: UnsafePointer<FrameSlot>, at index: Int, _ pointsRight: @autoclosure () -> Bool) -> Bool {
    if isLookedUp, pointeeType == nil {
      // Most calls pass the type that the calls before have passed.
      let address = unsafe UInt(bitPattern: unsafeBitCast(Self.self as Any.Type, to: UnsafeRawPointer.self))
      return unsafe slots.knownType(at: index).pointee.load(ordering: .relaxed) == address || isFound(in: slots, at: index, address)
    }
    return accepts(unsafe slots[index].kind) && (pointeeType == nil || pointsRight())
  }

  /// Looks the type up, and notes it for the calls to come if it is the first that matches.
  @inlinable @inline(never)
  static func isFound(in slots: UnsafePointer<FrameSlot>, at index: Int, _ address: UInt) -> Bool {
    guard accepts(unsafe slots[index].kind) else { return false }
    // Only the first type: two types that take turns would write all the time.
    _ = unsafe slots.knownType(at: index).pointee.compareExchange(expected: 0, desired: address, ordering: .relaxed)
    return true
  }
}
