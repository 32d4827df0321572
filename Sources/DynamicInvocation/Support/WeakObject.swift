internal import CFFIShim

/// A reference that does not keep its object alive, and may be asked for it from any thread.
///
/// What ended stays in memory as long as this does, without anything that it held.
///
/// - Complexity: Asking takes one retain and allocates nothing. A `weak` variable would take a side table as well, through which all that retain
///   the object would go from then on. Under the Objective-C runtime it is one, and the memory does not stay. It cannot be copied, so that nothing counts
///   copies of it.
@safe
package struct WeakObject: ~Copyable {
  /// The address of the object.
  package let address: UnsafeRawPointer

  #if _runtime(_ObjC)
    private weak var object: AnyObject?
  #else
    private unowned let object: AnyObject
  #endif

  /// Creates a reference to an object.
  package init(_ object: AnyObject) {
    unsafe address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    self.object = object
  }

  #if !_runtime(_ObjC)
    /// Retains the object at an address, to which somebody has an `unowned` reference; says whether it has not ended.
    package static func tryRetain(_ address: UnsafeRawPointer) -> Bool { unsafe cffi_try_retain(address) }
  #endif

  /// Returns the object, retained for the caller, or nil when it has ended.
  @inline(__always)
  package func retain() -> Unmanaged<AnyObject>? {
    #if _runtime(_ObjC)
      return object.map { unsafe .passRetained($0) }
    #else
      return unsafe cffi_try_retain(address) ? .fromOpaque(address) : nil
    #endif
  }

  /// Whether the object is still there; by the time of the answer it may have ended.
  ///
  /// Not to be asked under a lock: the object may end here, and its end may run any code.
  package var isAlive: Bool {
    guard let object = unsafe retain() else { return false }
    unsafe object.release()
    return true
  }
}
