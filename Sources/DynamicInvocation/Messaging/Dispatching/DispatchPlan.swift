/// Who is called for each method of a protocol, as the implementers and their classes' tables were at one time.
@safe
final class DispatchPlan: @unchecked Sendable {
  // Sendable by hand: never changed. The table is not Sendable, since tables are not synchronized.

  /// The age of the method tables when the rows were made.
  let epoch: Int
  /// The implementers that the rows were made of.
  private let snapshot: ImplementerSnapshot<AnyObject>
  /// The policies that methods have of their own.
  let policies: [Selector: ReturnPolicy<BoxedValue>]
  /// The policy of the other methods.
  let policy: ReturnPolicy<BoxedValue>
  /// The row of each method by its selector, retained by hand: each call would retain and release a strong reference.
  private let rows: PointerTable<Unmanaged<DispatchRow>>

  init(
    _ description: DispatchProtocol, _ snapshot: ImplementerSnapshot<AnyObject>, policy: ReturnPolicy<BoxedValue>,
    policies: [Selector: ReturnPolicy<BoxedValue>]
  ) {
    // Read before the tables: a change after it makes what is found here stale.
    epoch = MethodTable.epoch
    self.snapshot = snapshot
    self.policy = policy
    self.policies = policies
    var rows: PointerTable<Unmanaged<DispatchRow>> = unsafe PointerTable()
    for method in description.methods {
      let fitting = policy.fits(method.methodSignature) ? policy : .last
      let row = DispatchRow(method, of: description.name, policies[method.selector] ?? fitting, snapshot)
      unsafe rows[UInt(bitPattern: method.selector.pointer)] = .passRetained(row)
    }
    unsafe self.rows = rows
  }

  deinit { unsafe rows.forEach { unsafe $1.release() } }

  /// Whether no method table has changed since, and all implementers were alive when they were called.
  @inline(__always)
  var isCurrent: Bool { epoch == MethodTable.epoch && !snapshot.hasMetEnded }

  /// The row of a method, which lives as long as the plan; nil for no method of the protocol.
  @inline(__always)
  func row(of selector: Selector) -> Unmanaged<DispatchRow>? { unsafe rows[UInt(bitPattern: selector.pointer)] }
}
