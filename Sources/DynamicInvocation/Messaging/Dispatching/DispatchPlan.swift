import Synchronization

/// The implementers to call for each method of a protocol: a snapshot based on the list and the method tables at one
/// time.
@safe
final class DispatchPlan: @unchecked Sendable {
  // Unchecked Sendable: it is immutable after `init`. The table is not synchronized, but threads can share it because
  // it is never changed.

  /// The number of the plan, which no other plan of the process has.
  let serial: Int = DispatchPlan.serials.wrappingAdd(1, ordering: .relaxed).newValue
  /// The epoch of the method tables when the entries were created.
  let epoch: Int
  /// The implementers that the entries were created from.
  private let snapshot: ImplementerSnapshot<AnyObject>
  /// The dispatcher, for the plan that replaces this one.
  let dispatcher: DispatcherIdentity
  /// The policies of single methods.
  let policies: [MethodSelector: ReturnPolicy<BoxedValue>]
  /// The policy of the other methods.
  let policy: ReturnPolicy<BoxedValue>
  /// The entry of each method by its selector, retained manually: each call would retain and release a strong
  /// reference.
  private let entries: PointerTable<Unmanaged<MethodDispatchEntry>>

  private static let serials: Atomic<Int> = Atomic(0)

  init(
    _ description: DispatchProtocol, of dispatcher: DispatcherIdentity, _ snapshot: ImplementerSnapshot<AnyObject>,
    policy: ReturnPolicy<BoxedValue>,
    policies: [MethodSelector: ReturnPolicy<BoxedValue>]
  ) {
    // The epoch is read before the tables: a later change makes the plan stale.
    epoch = MethodTable.epoch
    self.snapshot = snapshot
    self.dispatcher = dispatcher
    self.policy = policy
    self.policies = policies
    var entries: PointerTable<Unmanaged<MethodDispatchEntry>> = unsafe PointerTable()
    for method in description.methods {
      let fitting = policy.fits(method.methodSignature) ? policy : .last
      let entry = MethodDispatchEntry(
        method, of: dispatcher, policies[method.selector] ?? fitting, snapshot, serial: serial, epoch: epoch)
      unsafe entries[UInt(bitPattern: method.selector.pointer)] = .passRetained(entry)
    }
    unsafe self.entries = entries
  }

  deinit { unsafe entries.forEach { unsafe $1.release() } }

  /// Whether the plan is still valid: no method table has changed since, and no call has found a deallocated
  /// implementer.
  @inline(__always)
  var isCurrent: Bool { epoch == MethodTable.epoch && !snapshot.hasMetDeallocated }

  /// Returns the entry of a method, or nil if the protocol does not have the method.
  ///
  /// The entry lives as long as the plan.
  @inline(__always)
  func entry(of selector: MethodSelector) -> Unmanaged<MethodDispatchEntry>? {
    unsafe entries[UInt(bitPattern: selector.pointer)]
  }
}
