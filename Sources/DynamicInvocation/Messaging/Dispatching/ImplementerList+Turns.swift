extension ImplementerList {
  /// The implementers for a loop, each of which is looked up when the iteration reaches it.
  ///
  /// Unlike the closure of `forEach`, the loop may use `await`, return from its function, and throw any error.
  public var inTurn: Turns { Turns(self) }

  /// A sequence of the implementers of a list, each of which is looked up when the iteration reaches it.
  ///
  ///     for (delegate, _) in delegates.inTurn {
  ///       await delegate.downloadDidEnd()
  ///     }
  ///
  /// The rules are those of ``ImplementerList``: the sequence iterates over the list as it was at the beginning, and
  /// skips the implementers that were deallocated or removed since.
  ///
  /// - Complexity: A step takes no lock and allocates nothing, except if it finds deallocated implementers.
  @safe
  public struct Turns: Sequence, IteratorProtocol {
    private let list: ImplementerList<Implementer>
    private let snapshot: ImplementerSnapshot<Implementer>
    private var index = 0

    init(_ list: ImplementerList<Implementer>) {
      self.list = list
      snapshot = list.snapshot
    }

    /// Returns the next implementer that is alive and its number, or nil after the last one.
    public mutating func next() -> (implementer: Implementer, number: Int)? {
      while index < snapshot.references.count {
        let reference = snapshot.references[index]
        defer { index += 1 }
        guard reference.isListed else { continue }
        guard let object = unsafe reference.retain() else {
          // This removes all deallocated implementers, so it is called once.
          list.prune()
          continue
        }
        defer { unsafe object.release() }
        return unsafe (snapshot.value(at: index).pointee, reference.number)
      }
      return nil
    }
  }
}

extension ImplementerList.Turns: CustomStringConvertible {
  /// The number of remaining implementers: `3 implementers to come`.
  ///
  /// A deallocated implementer is counted until the iteration reaches it. No implementer is called.
  public var description: String { (snapshot.references.count - index).counted("implementer") + " to come" }
}
