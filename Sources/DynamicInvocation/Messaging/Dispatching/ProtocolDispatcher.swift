import Synchronization

/// An object that passes the messages of a protocol on to several implementers, in order: a multicast delegate.
///
///     let dispatcher = try ProtocolDispatcher(tableDelegate, implementers: [self, dataSource])
///     invocation.target = dispatcher                  // each of them that responds is called
///     try invocation.invoke()
///     let height: Double = try invocation.returnValue()   // that of the last one
///
/// An implementer responds if a message to it would be handled: its class has the method in its ``MethodTable``, it is
/// ``Invocable`` and has an implementation, it is a dispatcher whose protocol has the method and one of whose implementers
/// responds, or it is ``Forwarding`` and forwards the message.
/// Messages that are not methods of the protocol are sent to the dispatcher itself, whose class has a ``MethodTable``
/// like any other. A method in that table takes precedence over those of the protocol.
///
/// ## Calls
///
/// - Implementers are called in the order in which they were added, one after the other, before the call returns. They
///   are not retained: deallocated ones are skipped.
/// - An implementer added during a call is first called by the next call. An implementer removed during a call is not
///   called any more. Calls may be nested.
/// - An object added twice is called once, unless duplicates are allowed. It may belong to any number of dispatchers.
/// - Each implementer has a number, from 0 in the order in which they were added. It does not change when others are
///   deallocated or removed. A nil uses up a number too.
/// - An implementer need not respond to any method, and its class may get methods later. An implementer that has a
///   method with types other than the protocol's is refused. One that forwards is asked at each call.
/// - A message that an implementer forwards back to its dispatcher is an error of that implementer, `forwardingCycle`.
///
/// ## Results and errors
///
/// A ``ReturnPolicy`` specifies how the results are combined. By default the result is that of the last implementer
/// that returned. All calls have the same arguments: memory that a pointer argument refers to has the contents that the
/// previous implementers stored there.
///
/// If no implementer responds to an optional method, the call does nothing and the result is zero; the outcome of
/// ``dispatch(_:)`` shows this case. If no implementer responds to a required method, the call throws
/// `unrecognizedSelector`.
///
/// If an implementer throws an error, the others are still called. ``Invocation/invoke()`` then throws the first error,
/// and the result is that of the implementers that returned, if there are any; ``dispatch(_:)`` returns all errors.
///
/// ## Lifetime and threads
///
/// Neither the implementers nor the senders retain a dispatcher: keep a reference to it as long as it is used.
///
/// A dispatcher may be changed and called from any threads at the same time. Implementers are called on the thread of
/// the call, and an implementer may still be running when another thread removes it. The dispatcher is not `Sendable`,
/// because implementers need not be.
///
/// - Complexity: A call takes the time of calling and retaining each implementer; it takes no lock. It allocates only
///   for implementers that forward, for frames of more than a kilobyte, for copies of C strings that the invocation owns, for the results that a
///   policy collects, and after implementers or method tables have changed: the first call then looks up all methods
///   again.
@safe
public final class ProtocolDispatcher {
  /// The protocol.
  public let dispatchProtocol: DispatchProtocol

  let list: ImplementerList<AnyObject>
  let plan: SharedSnapshot<DispatchPlan>
  /// The number of the current plan.
  ///
  /// It changes before a change of the implementers or of a policy returns.
  private let serial: Atomic<Int>

  /// Creates a dispatcher.
  ///
  /// - Parameters:
  ///   - dispatchProtocol: The protocol.
  ///   - implementers: The implementers in the order of their calls. A nil only uses up a number.
  ///   - returnPolicy: The policy for the results of all methods whose return type it fits. The other methods keep the
  ///     default.
  ///   - allowsDuplicates: Whether an object passed twice is called twice.
  /// - Throws: `InvocationError` `typeMismatch` for an implementer that has a method of the protocol with other
  ///   types.
  public init(
    _ dispatchProtocol: DispatchProtocol, implementers: [AnyObject?] = [], returnPolicy: ReturnPolicy<BoxedValue> = .last,
    allowsDuplicates: Bool = false
  ) throws(InvocationError) {
    list = try ImplementerList(implementers, allowsDuplicates: allowsDuplicates)
    self.dispatchProtocol = dispatchProtocol
    let first = DispatchPlan(dispatchProtocol, list.snapshot, policy: returnPolicy, policies: [:])
    plan = SharedSnapshot(first)
    serial = Atomic(first.serial)
    for case let implementer? in implementers { try requireTypes(of: implementer) }
  }
}

extension ProtocolDispatcher: EncodedObject {}

/// The plan.
extension ProtocolDispatcher {
  /// The plan.
  ///
  /// It is rebuilt first if a method table has changed or an implementer was deallocated.
  @inline(__always)
  var currentPlan: DispatchPlan {
    let plan = plan.current
    return plan.isCurrent ? plan : renewedPlan
  }

  /// Whether an entry belongs to the current plan.
  @inline(__always)
  func hasEntry(_ entry: MethodDispatchEntry) -> Bool { serial.load(ordering: .acquiring) == entry.serial && entry.isCurrent }

  private var renewedPlan: DispatchPlan {
    list.prune()
    renew()
    return plan.current
  }

  /// Enters the cell of the plan, which is rebuilt first as for ``currentPlan``.
  ///
  /// The plan stays alive until the caller leaves the cell.
  @inline(__always)
  func enterPlan() -> Unmanaged<SharedSnapshot<DispatchPlan>.Cell> {
    let cell = unsafe plan.enter()
    let isCurrent = unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot._withUnsafeGuaranteedRef { $0.isCurrent } }
    return unsafe isCurrent ? cell : enterRenewedPlan(cell)
  }

  private func enterRenewedPlan(
    _ old: Unmanaged<SharedSnapshot<DispatchPlan>.Cell>
  ) -> Unmanaged<SharedSnapshot<DispatchPlan>.Cell> {
    unsafe old._withUnsafeGuaranteedRef { $0.leave() }
    list.prune()
    renew()
    return unsafe plan.enter()
  }

  /// Returns the entry of a method, or nil if the protocol does not have the method.
  func entry(of selector: MethodSelector) -> MethodDispatchEntry? {
    let plan = currentPlan
    // The plan retains the entry, and another thread may replace the plan meanwhile.
    return withExtendedLifetime(plan) { unsafe plan.entry(of: selector)?.takeUnretainedValue() }
  }

  /// Rebuilds the plan.
  func renew(
    policy: ReturnPolicy<BoxedValue>? = nil, for selector: MethodSelector? = nil, _ own: ReturnPolicy<BoxedValue>?? = nil
  ) {
    plan.change { old in
      var policies = old.policies
      if let selector, let own { policies[selector] = own }
      let new = DispatchPlan(dispatchProtocol, list.snapshot, policy: policy ?? old.policy, policies: policies)
      serial.store(new.serial, ordering: .releasing)
      return (new, ())
    }
  }
}
