import Synchronization

/// Counts the nodes taken out of any tree, so that a pass down knows when to look whether a node is still where it was.
enum TreeChanges {
  private static let counter: Atomic<UInt> = Atomic(0)

  static var count: UInt { counter.load(ordering: .relaxed) }

  static func note() { counter.wrappingAdd(1, ordering: .relaxed) }
}
