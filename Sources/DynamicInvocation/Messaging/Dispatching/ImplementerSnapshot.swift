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
  func invalidate() { listed.store(false, ordering: .releasing) }

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

  /// The bits of each implementer as a value of its type, without a count of references.
  private let values: UnsafeMutablePointer<Implementer>

  /// The number that the next implementer gets.
  let nextNumber: Int

  /// Whether a dispatcher has met an implementer that has ended, so that what it made of this snapshot is out of date.
  private let metEnded: Atomic<Bool> = Atomic(false)

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

  // The bits count no references, so that there is nothing to release.
  deinit { unsafe values.deallocate() }

  /// The bits of an implementer, which are a value as long as its object is retained.
  func value(at index: Int) -> UnsafePointer<Implementer> { unsafe UnsafePointer(values + index) }

  /// The references with the bits of their values.
  var entries: [(reference: ImplementerReference, value: UnsafePointer<Implementer>)] {
    unsafe references.indices.map { unsafe (references[$0], value(at: $0)) }
  }

  /// Whether a dispatcher has met an implementer that has ended.
  @inline(__always)
  var hasMetEnded: Bool { metEnded.load(ordering: .relaxed) }

  /// Notes that an implementer has ended.
  func noteEnded() { metEnded.store(true, ordering: .relaxed) }
}
