#if !_runtime(_ObjC)
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
    /// Retains the object at an address, which some `unowned` reference must refer to.
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
