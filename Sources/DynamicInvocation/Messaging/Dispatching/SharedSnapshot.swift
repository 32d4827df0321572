import Synchronization

/// An immutable object that many threads read without a lock, and that few replace.
///
/// A reader counts itself in the cell that holds the object, which takes one atomic step at the beginning and one at the end; to retain the
/// object would take more, since something else would have to keep it until then. Cells are used again, but live as long as this does.
@safe
final class SharedSnapshot<Snapshot: AnyObject & Sendable>: @unchecked Sendable {
  // Sendable by hand: the cell is published by an atomic and replaced under a lock.

  /// The address of the cell of the present snapshot.
  private let present: Atomic<UInt>
  /// All cells; the lock orders the changes.
  private let cells: Guarded<[SnapshotCell<Snapshot>]>

  init(_ snapshot: Snapshot) {
    let cell = SnapshotCell<Snapshot>()
    cell.open(snapshot)
    present = Atomic(Self.address(of: cell))
    cells = Guarded([cell])
  }

  deinit {
    // Readers may go on; the last of them ends the cell.
    unsafe Self.cell(at: present.load(ordering: .acquiring))._withUnsafeGuaranteedRef { $0.leave() }
  }

  /// The present snapshot.
  var current: Snapshot {
    let cell = unsafe enter()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    return unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot.takeUnretainedValue() }
  }

  /// Enters the cell of the present snapshot, which stays until it is left.
  @inline(__always)
  func enter() -> Unmanaged<SnapshotCell<Snapshot>> {
    while true {
      let cell = unsafe Self.cell(at: present.load(ordering: .acquiring))
      // A cell that was closed meanwhile has been replaced.
      if unsafe cell._withUnsafeGuaranteedRef({ $0.enter() }) { return unsafe cell }
    }
  }

  /// Puts another snapshot in place of the present one, while no other thread does.
  ///
  /// - Parameter body: Given the present snapshot, returns the new one, or nil to leave it; it must not call what may change this again.
  /// - Returns: Whether there is a new one.
  @discardableResult
  func change<Failure: Error>(_ body: (Snapshot) throws(Failure) -> Snapshot?) throws(Failure) -> Bool {
    let old = try cells.withLock { cells throws(Failure) -> SnapshotCell<Snapshot>? in
      let old = unsafe Self.cell(at: present.load(ordering: .acquiring)).takeUnretainedValue()
      guard let snapshot = try body(unsafe old.snapshot.takeUnretainedValue()) else { return nil }
      let cell: SnapshotCell<Snapshot>
      if let free = cells.first(where: \.isFree) {
        cell = free
      } else {
        cell = SnapshotCell()
        cells.append(cell)
      }
      cell.open(snapshot)
      present.store(Self.address(of: cell), ordering: .releasing)
      return old
    }
    // After the lock: what ends with a snapshot may run any code.
    old?.leave()
    return old != nil
  }

  private static func address(of cell: SnapshotCell<Snapshot>) -> UInt {
    UInt(bitPattern: unsafe Unmanaged.passUnretained(cell).toOpaque())
  }

  private static func cell(at address: UInt) -> Unmanaged<SnapshotCell<Snapshot>> {
    // There always is a cell.
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}
