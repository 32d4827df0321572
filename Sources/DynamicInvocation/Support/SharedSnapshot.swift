import Synchronization

/// An immutable object that threads read without a lock and replace under one.
///
/// ## Reclamation
///
/// Readers do not retain the snapshot: between reading its address and retaining it, another thread could free it.
/// Instead, each snapshot is stored in a cell with a count of users. The address of the cell is published. The cell is
/// alive as long as the `SharedSnapshot` is, or longer while its count is above zero.
///
/// - A reader loads the address of the cell and increments the count, unless the count is zero or less: then the cell
///   has been replaced, and the reader loads the address again. After reading, it decrements the count.
/// - The publisher also counts as a user. A writer stores the new snapshot in a free cell, publishes that cell, and
///   decrements the count of the old one.
/// - The thread that decrements the count to zero takes the snapshot out, marks the cell as free, and releases the
///   snapshot. So a snapshot is released as soon as it is replaced and the last reader that entered before is done.
///
/// A cell may be reused between the load of its address and the increment. The reader then has a snapshot that is newer
/// than the one it looked for, and that may not be published yet. Therefore the reader compares the published address
/// once more. If it is the address of the cell, the snapshot was the current one at this moment, because the cell
/// cannot be reused while the reader is counted. So no thread sees a snapshot and afterwards an older one.
///
/// A reader never waits; it retries only when a writer has published another cell.
@safe
package final class SharedSnapshot<Snapshot: AnyObject & Sendable>: @unchecked Sendable {
  // Unchecked: the published address is atomic, and the list of cells is only used under the lock.

  /// The address of the cell of the current snapshot.
  private let present: Atomic<UInt>
  /// Serializes the changes.
  private let lock: Lock
  /// All cells, protected by ``lock``.
  private var cells: [Cell]

  /// Publishes the first snapshot.
  ///
  /// - Parameter lock: The lock for changes, which several snapshots may share. A thread that holds it must not change
  ///   the snapshot.
  package init(_ snapshot: Snapshot, lock: Lock = Lock(LockToken())) {
    let cell = Cell()
    cell.open(snapshot)
    present = Atomic(Self.address(of: cell))
    self.lock = lock
    cells = [cell]
  }

  deinit {
    // Readers may still be running; the last of them frees the cell.
    unsafe Self.cell(at: present.load(ordering: .acquiring))._withUnsafeGuaranteedRef { $0.leave() }
  }

  /// The current snapshot.
  package var current: Snapshot {
    let cell = unsafe enter()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    return unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot.takeUnretainedValue() }
  }

  /// Calls a closure with the current snapshot, which is alive until the closure returns.
  @inline(__always)
  func withCurrent<Result>(_ body: (Snapshot) -> Result) -> Result {
    let cell = unsafe enter()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    return unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot._withUnsafeGuaranteedRef { body($0) } }
  }

  /// Enters the cell of the current snapshot, which is alive until the caller leaves the cell.
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

  /// Replaces the snapshot.
  ///
  /// Changes are serialized by the lock.
  ///
  /// - Parameter body: Receives the current snapshot. Returns the new one, or nil to keep the current one, and the
  ///   result of this function. It runs under the lock, so it must not call code that may change this snapshot.
  package func change<Result: Sendable, Failure: Error>(
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
    // After the lock is released: releasing a snapshot may run any code.
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
  /// Storage for a snapshot, with the number of its users.
  @safe
  final class Cell: @unchecked Sendable {
    // Unchecked: `held` is written before the count states that there is a snapshot, and again after the count has
    // reached zero.

    /// The number of users of the snapshot, including its publisher; 0 while the last user takes it out; -1 if the cell
    /// is free.
    private let users: Atomic<Int> = Atomic(-1)
    private var held: Unmanaged<Snapshot>?

    /// Whether the cell contains no snapshot.
    fileprivate var isFree: Bool { users.load(ordering: .acquiring) == -1 }

    /// The snapshot, for a user that has entered.
    @inline(__always)
    var snapshot: Unmanaged<Snapshot> { unsafe held.unsafelyUnwrapped }

    /// Stores a snapshot in the cell, which must be free, with its publisher as the only user.
    ///
    /// The cell retains itself until it is free again.
    fileprivate func open(_ snapshot: Snapshot) {
      _ = unsafe Unmanaged.passRetained(self)
      unsafe held = .passRetained(snapshot)
      users.store(1, ordering: .releasing)
    }

    /// Becomes a user of the snapshot; returns false if there is no snapshot.
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

    /// Ends a use of the snapshot.
    ///
    /// The last user releases it.
    @inline(__always)
    func leave() {
      if users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { close() }
    }

    private func close() {
      let snapshot = unsafe held
      unsafe held = nil
      users.store(-1, ordering: .releasing)
      // Last, since releasing may run any code and may deallocate the cell.
      unsafe Unmanaged.passUnretained(self).release()
      unsafe snapshot?.release()
    }
  }
}
