/// An object that passes the messages of a protocol on to several others, in order: one delegate that is many.
///
///     let dispatcher = try ProtocolDispatcher(tableDelegate, implementers: [self, dataSource])
///     invocation.target = dispatcher                  // each of them that responds is called
///     try invocation.invoke()
///     let height: Double = try invocation.returnValue()   // that of the last one
///
/// An implementer responds when its class has the method in its ``MethodTable``, when it is ``Invocable`` and has an
/// implementation, or when it is a dispatcher to whose protocol the method belongs and one of whose implementers
/// responds. Messages of no method of the protocol are for the dispatcher itself, whose class has a ``MethodTable`` as
/// any other; a method that it has there goes before those of the protocol.
///
/// ## Who is called
///
/// - Implementers are called in the order given, one after the other, before the call returns. They are not kept alive:
///   deallocated ones are skipped.
/// - One that is added while a call runs waits for the next call; one that is removed while a call runs is not called
///   any more. Calls may be nested.
/// - An object given twice is called once, unless duplicates are asked for. It may belong to any number of dispatchers.
/// - Each implementer has a number, from 0 in the order given, which it keeps when others are deallocated or removed. A
///   nil takes a number too.
/// - An implementer need not respond to any method; it may get some later. One with a method of other types than the
///   protocol's is refused.
///
/// ## What comes of it
///
/// A ``ReturnPolicy`` says what becomes of the results, by default that of the last one who returned. All calls have
/// the same arguments: behind a pointer each implementer finds what the former ones left there.
///
/// An optional method that nobody responds to does nothing, and the result is zero; ``dispatch(_:)`` tells. When nobody
/// responds to a required method, the call throws `unrecognizedSelector`.
///
/// An implementer that throws an error does not keep the others from being called. ``Invocation/invoke()`` then throws
/// the error that came first, and the result is that of the implementers who returned, if there are any;
/// ``dispatch(_:)`` returns all errors.
///
/// ## Life and threads
///
/// Nobody keeps a dispatcher alive but who uses it: hold it as long as its messages matter.
///
/// A dispatcher may be changed and called from any threads at the same time. Implementers are called on the thread of
/// the call, and one that is removed on another thread may be just being called. As they need not be `Sendable`,
/// neither is the dispatcher.
///
/// - Complexity: A call costs that of each implementer and of retaining it; it takes no lock. Nothing is allocated,
///   save for frames of more than a kilobyte, copies of C strings that the invocation owns, what a policy collects, and
///   after implementers or method tables have changed: then the first call looks up all methods anew.
@safe
public final class ProtocolDispatcher {
  /// The protocol.
  public let dispatchProtocol: DispatchProtocol

  let list: ImplementerList<AnyObject>
  let plan: SharedSnapshot<DispatchPlan>

  /// Creates a dispatcher.
  ///
  /// - Parameters:
  ///   - dispatchProtocol: The protocol.
  ///   - implementers: The implementers in the order of their calls; nil is no implementer, and takes a number.
  ///   - returnPolicy: What becomes of their results, for all methods whose return type it fits. The others keep the
  ///     default.
  ///   - allowsDuplicates: Whether an object given twice is called twice.
  /// - Throws: ``InvocationError`` `typeMismatch` for an implementer that has a method of the protocol with other
  ///   types.
  public init(
    _ dispatchProtocol: DispatchProtocol, implementers: [AnyObject?] = [], returnPolicy: ReturnPolicy<BoxedValue> = .last,
    allowsDuplicates: Bool = false
  ) throws(InvocationError) {
    list = try ImplementerList(implementers, allowsDuplicates: allowsDuplicates)
    self.dispatchProtocol = dispatchProtocol
    plan = SharedSnapshot(DispatchPlan(dispatchProtocol, list.snapshot, policy: returnPolicy, policies: [:]))
    for case let implementer? in implementers { try requireTypes(of: implementer) }
  }
}

extension ProtocolDispatcher: EncodedObject {}

/// The plan.
extension ProtocolDispatcher {
  /// The plan, rebuilt first when a method table has changed or an implementer was deallocated.
  @inline(__always)
  var currentPlan: DispatchPlan {
    let plan = plan.current
    return plan.isCurrent ? plan : renewedPlan
  }

  private var renewedPlan: DispatchPlan {
    list.prune()
    renew()
    return plan.current
  }

  /// Enters the cell of the plan, rebuilt first as ``currentPlan`` is; the plan lives until the caller leaves the cell.
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

  /// The entry of a method, nil for no method of the protocol.
  func entry(of selector: Selector) -> MethodDispatchEntry? {
    let plan = currentPlan
    // The plan retains the entry, and another thread may just be replacing it.
    return withExtendedLifetime(plan) { unsafe plan.entry(of: selector)?.takeUnretainedValue() }
  }

  /// Rebuilds the plan.
  func renew(
    policy: ReturnPolicy<BoxedValue>? = nil, for selector: Selector? = nil, _ own: ReturnPolicy<BoxedValue>?? = nil
  ) {
    plan.change { old in
      var policies = old.policies
      if let selector, let own { policies[selector] = own }
      return (DispatchPlan(dispatchProtocol, list.snapshot, policy: policy ?? old.policy, policies: policies), ())
    }
  }
}
