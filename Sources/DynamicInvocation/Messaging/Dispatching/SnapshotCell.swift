import Synchronization

/// The place of one snapshot after the other, which counts those who use it.
@safe
final class SnapshotCell<Snapshot: AnyObject & Sendable>: @unchecked Sendable {
  // Sendable by hand: the snapshot is written before the count says that there is one, and taken out after it says that nobody uses it.

  /// How many use the snapshot, who published it among them; 0 while the last one takes it out; -1 when there is none.
  private let users: Atomic<Int> = Atomic(-1)
  private var held: Unmanaged<Snapshot>?

  /// Whether there is no snapshot.
  var isFree: Bool { users.load(ordering: .acquiring) == -1 }

  /// The snapshot, for one who has entered.
  @inline(__always)
  var snapshot: Unmanaged<Snapshot> { unsafe held.unsafelyUnwrapped }

  /// Takes a snapshot in, with the caller as its one user; the cell is free.
  ///
  /// It then lives until it is free again, whoever else holds it.
  func open(_ snapshot: Snapshot) {
    _ = unsafe Unmanaged.passRetained(self)
    unsafe held = .passRetained(snapshot)
    users.store(1, ordering: .releasing)
  }

  /// Becomes a user of the snapshot; returns false when there is none.
  @inline(__always)
  func enter() -> Bool {
    var count = users.load(ordering: .relaxed)
    while count > 0 {
      let (exchanged, original) = users.weakCompareExchange(
        expected: count, desired: count + 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged { return true }
      count = original
    }
    return false
  }

  /// Ends a use of the snapshot, and with the last one the snapshot.
  @inline(__always)
  func leave() {
    if users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { close() }
  }

  private func close() {
    let snapshot = unsafe held
    unsafe held = nil
    users.store(-1, ordering: .releasing)
    // Last, as it may run any code, and this may end.
    unsafe Unmanaged.passUnretained(self).release()
    unsafe snapshot?.release()
  }
}
