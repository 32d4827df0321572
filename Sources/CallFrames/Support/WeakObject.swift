#if _runtime(_ObjC)
  internal import CFFIInline
#else
  public import CFFIInline
#endif

/// A reference that does not keep its object alive, and that can be resolved on any thread.
///
/// The memory of a deallocated object is not freed while the reference exists, but the object's own references are
/// released.
///
/// - Complexity: Resolving the reference takes one retain and allocates nothing. A `weak` variable would also need a
///   side table, after which every retain of the object goes through that table. With the Objective-C runtime the
///   reference is a `weak` variable, and the memory is freed. The type cannot be copied, so there are no copies that
///   would need reference counting.
@safe
@usableFromInline
package struct WeakObject: ~Copyable {
  /// The address of the object.
  @usableFromInline package let address: UnsafeRawPointer

  #if _runtime(_ObjC)
    @usableFromInline weak var object: AnyObject?
  #else
    @usableFromInline unowned let object: AnyObject
  #endif

  /// Creates a reference to an object.
  package init(_ object: AnyObject) {
    unsafe address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    self.object = object
  }

  #if !_runtime(_ObjC)
    /// Retains the object at an address; an `unowned` reference to the object must exist.
    ///
    /// Returns false if it was deallocated.
    @inlinable
    package static func tryRetain(_ address: UnsafeRawPointer) -> Bool { unsafe cffi_try_retain(address) }
  #endif

  /// Returns the object, retained for the caller, or nil if it was deallocated.
  @inlinable @inline(__always)
  package func retain() -> Unmanaged<AnyObject>? {
    #if _runtime(_ObjC)
      return unsafe object.map { unsafe .passRetained($0) }
    #else
      return unsafe cffi_try_retain(address) ? .fromOpaque(address) : nil
    #endif
  }

  /// Whether the object is alive; it may be deallocated before the caller reads the result.
  ///
  /// Do not call this with a lock held: the object may be deallocated here, and its deinitializer may run any code.
  package var isAlive: Bool {
    guard let object = unsafe retain() else { return false }
    unsafe object.release()
    return true
  }
}

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
