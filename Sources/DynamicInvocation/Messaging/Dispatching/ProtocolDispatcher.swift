import Synchronization

/// An object that passes the messages of a protocol on to several implementers, in order: a multicast delegate.
///
///     let dispatcher = try ProtocolDispatcher(tableDelegate, implementers: [self, dataSource])
///     invocation.target = dispatcher                  // each of them that responds is called
///     try invocation.invoke()
///     let height: Double = try invocation.returnValue()   // the last one's result
///
/// An implementer responds if a message to it would be handled: its class has the method in its ``MethodTable``, it is
/// ``Invocable`` and has an implementation, it is a dispatcher whose protocol has the method and one of whose implementers
/// responds, or it is ``Forwarding`` and forwards the message. Messages that are not methods of the protocol are sent to the
/// dispatcher itself, whose class has a ``MethodTable`` like any other. A method in that table takes precedence over the
/// protocol's.
///
/// The implementers are called in the order in which they were added, before the call returns; those that were deallocated are
/// skipped. A ``ReturnPolicy`` combines their results; by default the last one that returned gives the result. If one of them
/// throws, the others are still called, and ``Invocation/invoke()`` then throws the first error. <doc:DispatchBehavior> states
/// these rules one by one, and those for changes during a call, for numbers, and for messages to which nobody responds.
///
/// Neither the implementers nor the senders retain a dispatcher: keep a reference to it as long as it is used. It may be changed
/// and called from any threads at the same time. Implementers are called on the thread of the call, and one may still be running
/// when another thread removes it. The dispatcher is not `Sendable`, because implementers need not be.
///
/// - Complexity: A call takes the time of calling and retaining each implementer; it takes no lock. It allocates only
///   for implementers that forward, for frames of more than a kilobyte, for copies of C strings that the invocation owns, for
///   the results that a policy collects, and after implementers or method tables have changed: the first call then looks up all
///   methods again.
@safe
public final class ProtocolDispatcher {
  /// The protocol.
  public let dispatchProtocol: DispatchProtocol

  /// The implementers; a change of the list is a change of the dispatcher.
  public let implementerList: ImplementerList<AnyObject>
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
    implementerList = try ImplementerList(implementers, allowsDuplicates: allowsDuplicates)
    self.dispatchProtocol = dispatchProtocol
    let first = DispatchPlan(
      dispatchProtocol, of: DispatcherIdentity(dispatchProtocol.name), implementerList.snapshot, policy: returnPolicy, policies: [:])
    plan = SharedSnapshot(first)
    serial = Atomic(first.serial)
    implementerList.setPlanningDispatcher(self)
    for case let implementer? in implementers { try requireTypes(of: implementer) }
  }
}

extension ProtocolDispatcher: EncodedObject, CustomStringConvertible {
  /// The protocol and the number of listed implementers: `dispatcher of Listening to 3 implementers`.
  ///
  /// A deallocated implementer is counted until the next message. No implementer is called.
  public var description: String {
    "dispatcher of \(dispatchProtocol.name.shortened(to: 120).escaped) to "
      + implementerList.snapshot.references.count.counted("implementer")
  }
}

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
    implementerList.prune()
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
    implementerList.prune()
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
      let new = DispatchPlan(
        dispatchProtocol, of: old.dispatcher, implementerList.snapshot, policy: policy ?? old.policy, policies: policies)
      serial.store(new.serial, ordering: .releasing)
      return (new, ())
    }
  }
}

// MARK: - Implementers

extension ProtocolDispatcher: ImplementerDispatcher {
  /// Throws if an implementer has a method of the protocol with other types.
  func requireTypes(of implementer: AnyObject) throws(InvocationError) {
    let type: AnyClass = type(of: implementer)
    for method in dispatchProtocol.methods {
      let own =
        MethodTable.of(type).methodSignature(for: method.selector)
        ?? (implementer as? ProtocolDispatcher)?.dispatchProtocol.method(for: method.selector)?.methodSignature
        ?? (implementer as? any Invocable)?.implementation(for: method.selector)?.methodSignature
        ?? MethodSignature(of: method.selector, to: implementer)
      guard let own, !method.methodSignature.carries(own) else { continue }
      throw method.otherTypes(type, own, dispatchProtocol.name)
    }
  }
}

// MARK: - Dispatching

/// Dispatching of messages.
extension ProtocolDispatcher {
  /// Calls the implementers with the arguments of an invocation.
  ///
  /// The invocation's target and implementation are ignored.
  ///
  /// The result of the invocation is then the one that the policy selected, or zero if there is no result.
  ///
  /// - Returns: The implementers that returned, and the errors of those that threw.
  /// - Throws: `InvocationError` `unrecognizedSelector` for a selector that is null or not one of the protocol's, and
  ///   if no implementer responds to a required method; `typeMismatch` if the protocol has other types;
  ///   `argumentNotSet`. What a closure of ``ReturnPolicy/reduce(_:)`` throws, and the error if its value cannot be
  ///   converted to the method's return type. Errors of implementers are in the outcome.
  /// - Complexity: As the calls; see the type.
  @discardableResult
  public func dispatch(_ invocation: Invocation) throws -> DispatchOutcome {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else {
      throw InvocationError(.unrecognizedSelector, "the invocation has no selector")
    }
    guard let entry = entry(of: selector) else { throw unrecognized(selector) }
    try entry.require(invocation.methodSignature)
    try invocation.core.requireArguments()
    return try dispatch(invocation, entry)
  }

  /// Sends a message with boxed arguments.
  ///
  /// - Parameters:
  ///   - selector: A method of the protocol.
  ///   - arguments: The arguments after the target and the selector.
  /// - Returns: The result, or ``BoxedValue/null`` for a method without a result; nil if no implementer responds to an
  ///   optional method.
  /// - Throws: `InvocationError` as ``dispatch(_:)`` and ``Invocation/setArguments(boxed:options:)`` do, and the
  ///   first error of an implementer.
  /// - Complexity: Allocates an invocation.
  @discardableResult
  public func send(_ selector: MethodSelector, _ arguments: [BoxedValue] = []) throws -> BoxedValue? {
    guard let method = dispatchProtocol.method(for: selector) else { throw unrecognized(selector) }
    let invocation = Invocation(method.methodSignature)
    invocation.selector = selector
    try invocation.setArguments(boxed: arguments)
    let outcome = try dispatch(invocation)
    if let failure = outcome.failures.first { throw failure.error }
    // A nil in a conditional expression would be a boxed null.
    guard outcome.responderCount > 0 else { return nil }
    return try invocation.boxedReturnValue()
  }

  /// Executes an invocation whose target is this dispatcher, if its message is a method of the protocol.
  ///
  /// All arguments must be set.
  ///
  /// - Returns: Whether the message is a method of the protocol and was executed.
  func execute(_ invocation: Invocation) throws -> Bool {
    guard invocation.methodSignature.isMethod, let selector = invocation.selector else { return false }
    // The plan retains the objects that the call uses. An implementer may release the last reference to this
    // dispatcher, so `self` is not used from here on.
    let cell = unsafe enterPlan()
    defer { unsafe cell._withUnsafeGuaranteedRef { $0.leave() } }
    let plan = unsafe cell._withUnsafeGuaranteedRef { unsafe $0.snapshot }
    guard let entry = unsafe plan._withUnsafeGuaranteedRef({ unsafe $0.entry(of: selector) }) else { return false }
    return try unsafe entry._withUnsafeGuaranteedRef { entry in
      if entry.isOverridden { return false }
      try entry.require(invocation.methodSignature)
      if entry.isPlain, !invocation.capturesErrno {
        let called = unsafe invocation.withCopiedFrame { frame in
          unsafe entry.callPlainly(frame, targetOffset: invocation.core.targetOffset, invocation.core.kernel, invocation.core.context)
        }
        // If no responder was called, the path below clears the result.
        if called > 0 {
          unsafe invocation.methodCache.keep(.passUnretained(entry), isCalling: invocation.core.state.runningCalls > 0)
          return true
        }
      }
      if let failure = try dispatch(invocation, entry).failures.first { throw failure.error }
      return true
    }
  }

  /// Dispatches a call of the same method by a dispatcher that has this one as an implementer.
  ///
  /// - Returns: The outcome, or nil if the protocol does not have the method.
  func dispatch(_ method: DispatchProtocol.Method, in frame: DispatchFrame) throws -> DispatchOutcome? {
    guard let entry = entry(of: method.selector) else { return nil }
    try entry.require(method.methodSignature)
    return try entry.call(frame)
  }

  private func dispatch(_ invocation: Invocation, _ entry: MethodDispatchEntry) throws -> DispatchOutcome {
    var outcome = try unsafe invocation.withCopiedFrame { memory in
      try unsafe entry.call(
        DispatchFrame(
          memory, invocation.plan, capturesErrno: invocation.capturesErrno, sent: Unmanaged.passUnretained(invocation).toOpaque()))
    }
    if invocation.capturesErrno { invocation.capturedErrno = outcome.capturedErrno }
    // The invocation has taken it over.
    unsafe outcome.ownedResult = nil
    guard outcome.isEmpty else {
      invocation.core.state.hasResult = outcome.responderCount > 0
      return outcome
    }
    guard !entry.method.isRequired else {
      invocation.core.state.hasResult = false
      throw entry.nobodyResponded()
    }
    return outcome
  }
}

/// Messages that reach a dispatcher through another object, or from C through ``Implementation/forwarding(_:)``.
extension ProtocolDispatcher: Forwarding {
  /// Calls the implementers, as a message to the dispatcher itself does.
  ///
  /// - Throws: The errors of a message to the dispatcher.
  public func forwardInvocation(_ invocation: Invocation) throws {
    try invocation.core.requireArguments()
    if try !execute(invocation) {
      throw invocation.selector.map(unrecognized) ?? InvocationError(.unrecognizedSelector, "the selector is null")
    }
  }
}

// MARK: - Answering

/// Queries of a dispatcher.
extension ProtocolDispatcher {
  /// Returns whether a message would be handled, by an implementer that is called for it or by the dispatcher itself.
  ///
  /// - Complexity: O(*implementers*); takes no lock.
  public func responds(to selector: MethodSelector) -> Bool {
    guard let entry = entry(of: selector) else { return MethodTable.of(ProtocolDispatcher.self).responds(to: selector) }
    return entry.isOverridden || entry.hasResponder
  }

  /// Returns the types of a method of the protocol, whether or not an implementer responds to it, or of a method that
  /// the dispatcher itself has.
  ///
  /// - Complexity: O(1); takes no lock and allocates nothing.
  public func methodSignature(for selector: MethodSelector) -> MethodSignature? {
    MethodTable.of(ProtocolDispatcher.self).methodSignature(for: selector) ?? dispatchProtocol.method(for: selector)?.methodSignature
  }

  /// Returns the error for a selector that the protocol does not have.
  func unrecognized(_ selector: MethodSelector) -> InvocationError {
    InvocationError(
      .unrecognizedSelector, "\(dispatchProtocol.name) has no method '\(selector)'",
      candidates: NearestNames.nearest(to: selector.name, among: dispatchProtocol.methods.lazy.map(\.selector.name), limit: 3))
  }
}

/// The policies.
extension ProtocolDispatcher {
  /// Returns the policy for the results of a method.
  package func returnPolicy(for selector: MethodSelector) -> ReturnPolicy<BoxedValue> {
    let plan = plan.current
    if let policy = plan.policies[selector] { return policy }
    guard let method = dispatchProtocol.method(for: selector), plan.policy.fits(method.methodSignature) else { return .last }
    return plan.policy
  }

  /// Sets the policy for the results of all methods without a policy of their own.
  ///
  /// It applies from the next call on.
  ///
  /// - Parameter policy: The policy for all methods whose return type it fits. The other methods keep
  ///   ``ReturnPolicy/last``.
  public func setReturnPolicy(_ policy: ReturnPolicy<BoxedValue>) { renew(policy: policy) }

  /// Sets the policy for the results of a method.
  ///
  /// It applies from the next call on.
  ///
  /// - Parameters:
  ///   - policy: The policy, or nil for the policy of all methods.
  ///   - selector: A method of the protocol.
  /// - Throws: `InvocationError` `unrecognizedSelector` if the protocol does not have the method, and `typeMismatch`
  ///   if the policy does not fit the return type: ``ReturnPolicy/firstNonNil`` requires a pointer or object,
  ///   ``ReturnPolicy/anyTrue`` and ``ReturnPolicy/allTrue`` a bool or char, ``ReturnPolicy/reduce(_:)`` any value.
  public func setReturnPolicy(_ policy: ReturnPolicy<BoxedValue>?, for selector: MethodSelector) throws(InvocationError) {
    guard let method = dispatchProtocol.method(for: selector) else { throw unrecognized(selector) }
    guard policy?.fits(method.methodSignature) != false else {
      throw InvocationError(
        .typeMismatch, "the policy for '\(selector)' fits no such result", argument: .result,
        encoding: method.methodSignature.returnType.description)
    }
    renew(for: selector, .some(policy))
  }
}
