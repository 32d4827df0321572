internal import CFFIShim
import Synchronization

/// An implementer in a list, which does not keep it alive.
@safe
final class ImplementerReference: @unchecked Sendable {
  // Sendable by hand: the reference is only counted, which any thread may do.

  /// The number that the implementer was given in its list, which no other gets.
  let number: Int

  /// The address of the object, whose memory stays as long as this reference does.
  let address: UnsafeRawPointer

  /// The class of the object.
  let type: AnyClass

  /// Whether the object is ``Invocable``.
  let isInvocable: Bool

  /// Whether the object is a ``ProtocolDispatcher``.
  let isDispatcher: Bool

  /// Whether the implementer is to be called: neither removed from its list, nor found to have ended.
  private let listed: Atomic<Bool> = Atomic(true)

  #if _runtime(_ObjC)
    private weak var object: AnyObject?
  #else
    // A weak reference would give the object a side table, through which all that retain it would go from then on.
    private unowned let object: AnyObject
  #endif

  init(_ object: AnyObject, number: Int) {
    self.number = number
    unsafe address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    type = Swift.type(of: object)
    isInvocable = object is any Invocable
    isDispatcher = object is ProtocolDispatcher
    self.object = object
  }

  /// Whether the implementer is to be called: neither removed from its list, nor found to have ended.
  @inline(__always)
  var isListed: Bool { listed.load(ordering: .acquiring) }

  /// Marks the implementer as one that is not to be called any more.
  func strike() { listed.store(false, ordering: .releasing) }

  /// Returns the object, retained for the caller, or nil when it has ended.
  @inline(__always)
  func retain() -> Unmanaged<AnyObject>? {
    #if _runtime(_ObjC)
      return object.map { unsafe .passRetained($0) }
    #else
      return unsafe cffi_try_retain(address) ? .fromOpaque(address) : nil
    #endif
  }

  /// Whether the implementer is listed and the object still there; by the time of the answer it may have ended.
  ///
  /// Not to be asked under a lock: the object may end here, and its end may run any code.
  var isAlive: Bool {
    guard isListed else { return false }
    guard let object = unsafe retain() else {
      strike()
      return false
    }
    unsafe object.release()
    return true
  }
}
