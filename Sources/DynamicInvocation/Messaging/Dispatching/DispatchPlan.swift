/// Who is called for each method of a protocol, as the implementers and their classes' tables were at one time.
@safe
final class DispatchPlan: @unchecked Sendable {
  // Sendable by hand: never changed.

  /// The age of the method tables when the rows were made.
  let epoch: Int
  /// Set by a row that has met an implementer that has ended.
  private let staleness = DispatchStaleness()
  /// The policies that methods have of their own.
  let policies: [Selector: ReturnPolicy<BoxedValue>]
  /// The policy of the other methods.
  let policy: ReturnPolicy<BoxedValue>
  /// The rows in the order of the protocol's methods, retained by hand: from an array they would be counted up and down in each call.
  private let rows: UnsafeMutablePointer<Unmanaged<DispatchRow>>
  private let count: Int

  init(
    _ description: DispatchProtocol, _ snapshot: ImplementerSnapshot<AnyObject>, policy: ReturnPolicy<BoxedValue>,
    policies: [Selector: ReturnPolicy<BoxedValue>]
  ) {
    // Read before the tables: a change after it makes what is found here stale.
    epoch = MethodTable.epoch
    self.policy = policy
    self.policies = policies
    count = description.methods.count
    unsafe rows = .allocate(capacity: max(1, count))
    for (index, method) in description.methods.enumerated() {
      let fitting = policy.fits(method.methodSignature) ? policy : .last
      let row = DispatchRow(method, of: description.name, policies[method.selector] ?? fitting, snapshot, staleness)
      unsafe (rows + index).initialize(to: .passRetained(row))
    }
  }

  deinit {
    for index in 0..<count { unsafe rows[index].release() }
    unsafe rows.deallocate()
  }

  /// Whether no method table has changed since, and all implementers were alive when they were called.
  @inline(__always)
  var isCurrent: Bool { epoch == MethodTable.epoch && !staleness.isSet }

  /// The row of a method, which lives as long as the plan.
  @inline(__always)
  func row(at index: Int) -> Unmanaged<DispatchRow> { unsafe rows[index] }
}
