/// The implementers of a list, each found when it is its turn.
///
///     for (delegate, _) in delegates.inTurn {
///       await delegate.downloadDidEnd()
///     }
///
/// The rules are those of ``ImplementerList``: it goes through the list as it was at its beginning, and skips those
/// that were deallocated or removed since.
///
/// - Complexity: A step takes no lock and allocates nothing, save when it meets deallocated implementers.
@safe
public struct ImplementerSequence<Implementer>: Sequence, IteratorProtocol {
  private let list: ImplementerList<Implementer>
  private let snapshot: ImplementerSnapshot<Implementer>
  private var index = 0

  init(_ list: ImplementerList<Implementer>) {
    self.list = list
    snapshot = list.snapshot
  }

  /// Returns the next implementer that is alive, with its number, or nil after the last one.
  public mutating func next() -> (implementer: Implementer, number: Int)? {
    while index < snapshot.references.count {
      let reference = snapshot.references[index]
      defer { index += 1 }
      guard reference.isListed else { continue }
      guard let object = unsafe reference.retain() else {
        // This removes all that were deallocated, so it is called once.
        list.prune()
        continue
      }
      defer { unsafe object.release() }
      return unsafe (snapshot.value(at: index).pointee, reference.number)
    }
    return nil
  }
}

extension ImplementerSequence: CustomStringConvertible {
  /// How many implementers are still to come: `3 implementers to come`.
  ///
  /// A deallocated one counts until its turn. None is asked for anything.
  public var description: String { (snapshot.references.count - index).counted("implementer") + " to come" }
}

extension ImplementerList {
  /// The implementers for a loop, each found when it is its turn.
  ///
  /// Unlike `forEach` the loop may wait, return and throw anything.
  public var inTurn: ImplementerSequence<Implementer> { ImplementerSequence(self) }
}
