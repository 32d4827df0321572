/// The implementers to call for each method of a protocol, as the list and the method tables were at one time.
@safe
final class DispatchPlan: @unchecked Sendable {
  // Sendable by hand: never changed once made. The table is not synchronized; threads share it since it is not changed.

  /// The epoch of the method tables when the entries were made.
  let epoch: Int
  /// The implementers that the entries were made of.
  private let snapshot: ImplementerSnapshot<AnyObject>
  /// The policies that methods have of their own.
  let policies: [Selector: ReturnPolicy<BoxedValue>]
  /// The policy of the other methods.
  let policy: ReturnPolicy<BoxedValue>
  /// The entry of each method by its selector, retained by hand: each call would retain and release a strong reference.
  private let entries: PointerTable<Unmanaged<MethodDispatchEntry>>

  init(
    _ description: DispatchProtocol, _ snapshot: ImplementerSnapshot<AnyObject>, policy: ReturnPolicy<BoxedValue>,
    policies: [Selector: ReturnPolicy<BoxedValue>]
  ) {
    // Read before the tables: a change after that makes the plan stale.
    epoch = MethodTable.epoch
    self.snapshot = snapshot
    self.policy = policy
    self.policies = policies
    var entries: PointerTable<Unmanaged<MethodDispatchEntry>> = unsafe PointerTable()
    for method in description.methods {
      let fitting = policy.fits(method.methodSignature) ? policy : .last
      let entry = MethodDispatchEntry(method, of: description.name, policies[method.selector] ?? fitting, snapshot)
      unsafe entries[UInt(bitPattern: method.selector.pointer)] = .passRetained(entry)
    }
    unsafe self.entries = entries
  }

  deinit { unsafe entries.forEach { unsafe $1.release() } }

  /// Whether no method table has changed since, and no deallocated implementer was met.
  @inline(__always)
  var isCurrent: Bool { epoch == MethodTable.epoch && !snapshot.hasMetDeallocated }

  /// The entry of a method, which lives as long as the plan; nil for no method of the protocol.
  @inline(__always)
  func entry(of selector: Selector) -> Unmanaged<MethodDispatchEntry>? {
    unsafe entries[UInt(bitPattern: selector.pointer)]
  }
}
