import Synchronization

/// An immutable object that threads read without a lock and replace under one.
///
/// ## Reclamation
///
/// Readers do not retain the snapshot: between reading its address and retaining it, another thread could free it.
/// Instead each snapshot is in a cell with a count of users. The cell is published by its address, and lives as long as
/// the `SharedSnapshot` does, or longer while its count is above zero.
///
/// - A reader loads the address of the cell and increments the count, unless it is zero or less: then the cell has been
///   replaced, and the reader loads again. After that it decrements the count.
/// - The publisher counts as a user too. A writer puts the new snapshot in a free cell, publishes that, and ends this
///   use of the old one.
/// - Whoever decrements the count to zero takes the snapshot out, marks the cell as free, and releases the snapshot. So
///   a snapshot is released as soon as it is replaced and the last reader that entered before is done.
///
/// A cell may be used again between the load of its address and the increment. The reader then has a snapshot that is
/// newer than the one it looked for, and perhaps not published yet. So it compares the published address once more: if
/// it is that of the cell, the snapshot was the present one at this moment, since the cell cannot be used again while
/// the reader counts. Thus no thread sees a snapshot and then an older one.
///
/// A reader never waits; it tries again only when a writer has published another cell.
@safe
final class SharedSnapshot<Snapshot: AnyObject & Sendable>: @unchecked Sendable {
  // Sendable by hand: the published address is atomic, the list of cells is only used under the lock.

  /// The address of the cell of the present snapshot.
  private let present: Atomic<UInt>
  /// Orders the changes.
  private let lock: Locked<Void>
  /// All cells; ``lock`` guards it.
  private var cells: [Cell]

  /// Publishes the first snapshot.
  ///
  /// - Parameter lock: The lock for changes, which others may share. A thread that has it may not change this.
  init(_ snapshot: Snapshot, lock: Locked<Void> = Locked(())) {
    let cell = Cell()
    cell.open(snapshot)
    present = Atomic(Self.address(of: cell))
    self.lock = lock
    cells = [cell]
  }

  deinit {
    // Readers may go on; the last of them frees the cell.
    unsafe Self.cell(at: present.load(ordering: .acquiring))._withUnsafeGuaranteedRef { $0.leave() }
  }

  /// The present snapshot.
  var current: Snapshot {
    let cell = unsafe enter()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    return unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot.takeUnretainedValue() }
  }

  /// Calls a closure with the present snapshot, which lives until the closure returns.
  @inline(__always)
  func withCurrent<Result>(_ body: (Snapshot) -> Result) -> Result {
    let cell = unsafe enter()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    return unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot._withUnsafeGuaranteedRef { body($0) } }
  }

  /// Enters the cell of the present snapshot, which lives until the caller leaves the cell.
  @inline(__always)
  func enter() -> Unmanaged<Cell> {
    while true {
      let address = present.load(ordering: .acquiring)
      let cell = unsafe Self.cell(at: address)
      guard unsafe cell._withUnsafeGuaranteedRef({ $0.enter() }) else { continue }
      if present.load(ordering: .acquiring) == address { return unsafe cell }
      unsafe cell._withUnsafeGuaranteedRef { $0.leave() }
    }
  }

  /// Replaces the snapshot, while no other thread does.
  ///
  /// - Parameter body: Given the present snapshot, returns the new one, or nil to leave it, and what this returns. It
  ///   runs under the lock, so it must not call what may change this.
  func change<Result: Sendable, Failure: Error>(
    _ body: (Snapshot) throws(Failure) -> (new: Snapshot?, result: Result)
  ) throws(Failure) -> Result {
    let (old, result) = try lock.withLock { _ throws(Failure) -> (Cell?, Result) in
      let old = unsafe Self.cell(at: present.load(ordering: .acquiring)).takeUnretainedValue()
      let (new, result) = try body(unsafe old.snapshot.takeUnretainedValue())
      guard let new else { return (nil, result) }
      let cell: Cell
      if let free = cells.first(where: \.isFree) {
        cell = free
      } else {
        cell = Cell()
        cells.append(cell)
      }
      cell.open(new)
      present.store(Self.address(of: cell), ordering: .releasing)
      return (old, result)
    }
    // After the lock: what is released with a snapshot may run any code.
    old?.leave()
    return result
  }

  private static func address(of cell: Cell) -> UInt { UInt(bitPattern: unsafe Unmanaged.passUnretained(cell).toOpaque()) }

  private static func cell(at address: UInt) -> Unmanaged<Cell> {
    // There always is a cell.
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}

extension SharedSnapshot {
  /// Room for a snapshot, with the number of those who use it.
  @safe
  final class Cell: @unchecked Sendable {
    // Sendable by hand: `held` is written before the count says that there is a snapshot, and after it says that nobody
    // uses it.

    /// How many use the snapshot, its publisher included; 0 while the last of them takes it out; -1 when there is none.
    private let users: Atomic<Int> = Atomic(-1)
    private var held: Unmanaged<Snapshot>?

    /// Whether there is no snapshot.
    fileprivate var isFree: Bool { users.load(ordering: .acquiring) == -1 }

    /// The snapshot, for one who has entered.
    @inline(__always)
    var snapshot: Unmanaged<Snapshot> { unsafe held.unsafelyUnwrapped }

    /// Puts a snapshot in the cell, which is free, with its publisher as the one user.
    ///
    /// The cell retains itself until it is free again.
    fileprivate func open(_ snapshot: Snapshot) {
      _ = unsafe Unmanaged.passRetained(self)
      unsafe held = .passRetained(snapshot)
      users.store(1, ordering: .releasing)
    }

    /// Becomes a user of the snapshot; returns false when there is none.
    @inline(__always)
    fileprivate func enter() -> Bool {
      var count = users.load(ordering: .relaxed)
      while count > 0 {
        let (exchanged, original) = users.weakCompareExchange(
          expected: count, desired: count + 1, successOrdering: .acquiring, failureOrdering: .relaxed)
        if exchanged { return true }
        count = original
      }
      return false
    }

    /// Ends a use of the snapshot, and releases the snapshot with the last one.
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
}
