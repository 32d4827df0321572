import Synchronization

/// A reference to an implementer in a list, which does not keep it alive.
@safe
final class ImplementerReference: @unchecked Sendable {
  // Sendable by hand: all but the atomic is immutable, and any thread may retain and release the object.

  /// The number of the implementer in its list, which is not given again.
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

  /// Whether the implementer is to be called: neither removed from its list nor found to be deallocated.
  @inline(__always)
  var isListed: Bool { listed.load(ordering: .acquiring) }

  /// Marks the implementer as one that must not be called any more.
  func invalidate() { listed.store(false, ordering: .releasing) }

  /// The address of the object.
  @inline(__always)
  var address: UnsafeRawPointer { unsafe object.address }

  /// Returns the object, retained for the caller, or nil when it was deallocated.
  @inline(__always)
  func retain() -> Unmanaged<AnyObject>? { unsafe object.retain() }

  /// Whether the implementer is listed and not deallocated; it may be by the time this returns.
  ///
  /// Not to be called under a lock: this may release the last reference, and a deinitializer may run any code.
  var isAlive: Bool {
    guard isListed else { return false }
    guard object.isAlive else {
      invalidate()
      return false
    }
    return true
  }
}

/// The implementers of a list at one time, in order.
@safe
final class ImplementerSnapshot<Implementer>: @unchecked Sendable {
  // Sendable by hand: all but the atomic is immutable; the values are bits, read only while their object is retained.

  /// The references, in the order in which the implementers are called.
  let references: [ImplementerReference]

  /// The bits of each implementer as a value of its type, not retained.
  private let values: UnsafeMutablePointer<Implementer>

  /// The number that the next implementer gets.
  let nextNumber: Int

  /// Whether a dispatcher has met a deallocated implementer, so that a plan made from this snapshot is stale.
  private let metDeallocated: Atomic<Bool> = Atomic(false)

  /// Creates a snapshot.
  ///
  /// - Parameters:
  ///   - entries: The references, each with the address of the bits of its value.
  ///   - nextNumber: The number that the next implementer gets.
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

  /// The bits of an implementer, which are a value while its object is retained.
  func value(at index: Int) -> UnsafePointer<Implementer> { unsafe UnsafePointer(values + index) }

  /// The references with the bits of their values.
  var entries: [(reference: ImplementerReference, value: UnsafePointer<Implementer>)] {
    unsafe references.indices.map { unsafe (references[$0], value(at: $0)) }
  }

  /// Whether a dispatcher has met a deallocated implementer.
  @inline(__always)
  var hasMetDeallocated: Bool { metDeallocated.load(ordering: .relaxed) }

  /// Notes that an implementer was deallocated.
  func noteDeallocated() { metDeallocated.store(true, ordering: .relaxed) }
}
