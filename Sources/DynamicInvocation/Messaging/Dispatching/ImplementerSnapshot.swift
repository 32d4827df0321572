import Synchronization

/// A reference to an implementer in a list.
///
/// It does not retain the implementer.
@safe
final class ImplementerReference: @unchecked Sendable {
  // Unchecked Sendable: all except the atomic is immutable, and any thread may retain and release the object.

  /// The number of the implementer in its list.
  ///
  /// It is not reused.
  let number: Int

  /// The class of the object.
  let type: AnyClass

  /// Whether the object is ``Invocable``.
  let isInvocable: Bool

  /// Whether the object is a ``ProtocolDispatcher``.
  let isDispatcher: Bool

  private let listed: Atomic<Bool> = Atomic(true)

  private let object: WeakObject

  init(_ object: AnyObject, number: Int) {
    self.number = number
    type = Swift.type(of: object)
    isInvocable = object is any Invocable
    isDispatcher = object is ProtocolDispatcher
    self.object = WeakObject(object)
  }

  /// Whether the implementer may be called: it was neither removed from its list nor found to be deallocated.
  @inline(__always)
  var isListed: Bool { listed.load(ordering: .acquiring) }

  /// Marks the implementer so that it is not called any more.
  func invalidate() { listed.store(false, ordering: .releasing) }

  /// The address of the object.
  @inline(__always)
  var address: UnsafeRawPointer { unsafe object.address }

  /// Returns the object, retained for the caller, or nil if it was deallocated.
  @inline(__always)
  func retain() -> Unmanaged<AnyObject>? { unsafe object.retain() }

  /// Whether the implementer is listed and not deallocated.
  ///
  /// It may be deallocated by the time this returns.
  ///
  /// Must not be called under a lock: it may release the last reference, and a deinitializer may run any code.
  var isAlive: Bool {
    guard isListed else { return false }
    guard object.isAlive else {
      invalidate()
      return false
    }
    return true
  }
}

/// A snapshot of the implementers of a list, in order.
@safe
final class ImplementerSnapshot<Implementer>: @unchecked Sendable {
  // Unchecked Sendable: all except the atomic is immutable. The values are bits that are read only while their object
  // is retained.

  /// The references, in the order in which the implementers are called.
  let references: [ImplementerReference]

  /// The bits of each implementer as a value of its type, not retained.
  private let values: UnsafeMutablePointer<Implementer>

  /// The number of the next implementer that is added.
  let nextNumber: Int

  /// Whether a dispatcher has found a deallocated implementer, so that a plan created from this snapshot is stale.
  private let metDeallocated: Atomic<Bool> = Atomic(false)

  /// Creates a snapshot.
  ///
  /// - Parameters:
  ///   - entries: The references, each with the address of the bits of its value.
  ///   - nextNumber: The number of the next implementer that is added.
  init(_ entries: [(reference: ImplementerReference, value: UnsafePointer<Implementer>)], nextNumber: Int) {
    references = unsafe entries.map { unsafe $0.reference }
    unsafe values = .allocate(capacity: max(1, entries.count))
    self.nextNumber = nextNumber
    for index in references.indices {
      unsafe UnsafeMutableRawPointer(values + index).copyMemory(from: entries[index].value, byteCount: MemoryLayout<Implementer>.size)
    }
  }

  // The values are not retained, so there is nothing to release.
  deinit { unsafe values.deallocate() }

  /// Returns the address of an implementer's bits, which are a valid value while its object is retained.
  func value(at index: Int) -> UnsafePointer<Implementer> { unsafe UnsafePointer(values + index) }

  /// The references with the bits of their values.
  var entries: [(reference: ImplementerReference, value: UnsafePointer<Implementer>)] {
    unsafe references.indices.map { unsafe (references[$0], value(at: $0)) }
  }

  /// Whether a dispatcher has found a deallocated implementer.
  @inline(__always)
  var hasMetDeallocated: Bool { metDeallocated.load(ordering: .relaxed) }

  /// Records that an implementer was deallocated.
  func noteDeallocated() { metDeallocated.store(true, ordering: .relaxed) }
}
