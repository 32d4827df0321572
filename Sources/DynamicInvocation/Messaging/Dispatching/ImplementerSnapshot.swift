/// The implementers of a list at one time, in order; never changed.
@safe
final class ImplementerSnapshot<Implementer>: @unchecked Sendable {
  // Sendable by hand: the values are bits, read only while their object is retained.

  /// The references, in the order in which the implementers are called.
  let references: [ImplementerReference]

  /// The bits of each implementer as a value of its type, without a count of references.
  private let values: UnsafeMutablePointer<Implementer>

  /// The number that the next implementer gets.
  let nextNumber: Int

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
}
