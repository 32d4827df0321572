internal import CFFIInline

/// Writes and reads references to objects in frames.
@usableFromInline
package enum ObjectReference {
  /// The object that a slot refers to, or nil for null.
  @usableFromInline
  package static func object(in slot: FrameSlot, of frame: UnsafeRawPointer) -> AnyObject? {
    unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))).map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns whether a word is the address of an instance of a class or of a subclass; nothing is retained.
  ///
  /// - Parameter objectClass: The address of the class.
  @inline(never) @usableFromInline
  package static func isInstance(_ word: UInt64, of objectClass: UInt64) -> Bool {
    guard let object = unsafe UnsafeRawPointer(bitPattern: UInt(word)), let type = unsafe UnsafeRawPointer(bitPattern: UInt(objectClass))
    else { return false }
    return unsafe cffi_is_instance(object, type)
  }

  /// Writes a reference to an object, and retains the object if `keeping` is true.
  ///
  /// Returns whether it was retained.
  @usableFromInline
  package static func store(_ object: AnyObject?, in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    guard let object else {
      unsafe slot.write(word: 0, to: frame)
      return false
    }
    let reference = unsafe Unmanaged.passUnretained(object)
    unsafe slot.write(word: UInt64(UInt(bitPattern: reference.toOpaque())), to: frame)
    if keeping { _ = unsafe reference.retain() }
    return keeping
  }
}
