import Synchronization

/// An implementer in a list, which does not keep it alive.
@safe
final class ImplementerReference: @unchecked Sendable {
  // Sendable by hand: the reference is only counted, which any thread may do.

  /// The number that the implementer was given in its list, which no other gets.
  let number: Int

  /// The class of the object.
  let type: AnyClass

  /// Whether the object is ``Invocable``.
  let isInvocable: Bool

  /// Whether the object is a ``ProtocolDispatcher``.
  let isDispatcher: Bool

  /// Whether the implementer is to be called: neither removed from its list, nor found to have ended.
  private let listed: Atomic<Bool> = Atomic(true)

  private let object: WeakObject

  init(_ object: AnyObject, number: Int) {
    self.number = number
    type = Swift.type(of: object)
    isInvocable = object is any Invocable
    isDispatcher = object is ProtocolDispatcher
    self.object = WeakObject(object)
  }

  /// Whether the implementer is to be called: neither removed from its list, nor found to have ended.
  @inline(__always)
  var isListed: Bool { listed.load(ordering: .acquiring) }

  /// Marks the implementer as one that is not to be called any more.
  func strike() { listed.store(false, ordering: .releasing) }

  /// The address of the object.
  @inline(__always)
  var address: UnsafeRawPointer { unsafe object.address }

  /// Returns the object, retained for the caller, or nil when it has ended.
  @inline(__always)
  func retain() -> Unmanaged<AnyObject>? { unsafe object.retain() }

  /// Whether the implementer is listed and the object still there; by the time of the answer it may have ended.
  ///
  /// Not to be asked under a lock: the object may end here, and its end may run any code.
  var isAlive: Bool {
    guard isListed else { return false }
    guard object.isAlive else {
      strike()
      return false
    }
    return true
  }
}
