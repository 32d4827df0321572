import Synchronization

/// The calls of one kind, counted on both sides.
final class CallCounter: Sendable {
  private let turns: Atomic<Int> = Atomic(0)
  private let made: Atomic<Int> = Atomic(0)
  private let arrived: Atomic<Int> = Atomic(0)

  /// Notes a turn.
  func turn() { turns.add(1, ordering: .relaxed) }

  /// Notes calls by who made them.
  func make(_ count: Int = 1) { made.add(count, ordering: .relaxed) }

  /// Notes calls by who received them.
  func receive(_ count: Int = 1) { arrived.add(count, ordering: .relaxed) }

  /// The counts so far.
  var counts: (turns: Int, made: Int, arrived: Int) {
    (turns.load(ordering: .relaxed), made.load(ordering: .relaxed), arrived.load(ordering: .relaxed))
  }
}
