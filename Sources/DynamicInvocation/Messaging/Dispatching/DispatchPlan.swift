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

/// A frame for calling implementers one after the other.
///
/// The target is set to each of them in turn; the frame has the result of the last call.
@safe
struct DispatchFrame {
  /// The memory of the frame, with all arguments except the target.
  let memory: UnsafeMutableRawPointer
  /// The plan of the call, which the owner of the frame retains.
  private let plan: Unmanaged<CallPlan>
  /// Whether a call stores the callee's `errno`.
  let capturesErrno: Bool
  /// The address of the invocation that was sent to the dispatcher.
  let sent: UnsafeRawPointer

  init(_ memory: UnsafeMutableRawPointer, _ plan: CallPlan, capturesErrno: Bool, sent: UnsafeRawPointer) {
    unsafe self.memory = memory
    unsafe self.plan = .passUnretained(plan)
    self.capturesErrno = capturesErrno
    unsafe self.sent = sent
  }

  /// The slot of the result.
  var result: FrameSlot { unsafe plan._withUnsafeGuaranteedRef { $0.result } }

  /// Sets the target.
  func setTarget(_ object: Unmanaged<AnyObject>) {
    unsafe plan._withUnsafeGuaranteedRef { plan in
      unsafe memory.storeBytes(of: UInt(bitPattern: object.toOpaque()), toByteOffset: plan.targetOffset, as: UInt.self)
    }
  }

  /// Calls code with the arguments.
  ///
  /// - Returns: The callee's `errno`, if it is captured.
  func call(_ code: UnsafeRawPointer, mayThrow: Bool) throws -> CInt {
    guard mayThrow else { return unsafe call(code) }
    var errno: CInt = 0
    try ErrorPlace.rethrow { errno = unsafe call(code) }
    return errno
  }

  private func call(_ code: UnsafeRawPointer) -> CInt {
    unsafe plan._withUnsafeGuaranteedRef { plan in
      if capturesErrno { return unsafe plan.callCapturingErrno(code, frame: memory) }
      unsafe plan.call(code, frame: memory)
      return 0
    }
  }

  /// Returns an invocation of the call, for the duration of the call: the sender keeps the arguments alive.
  ///
  /// - Parameter methodSignature: The types of the protocol's method, which the frame carries.
  func makeInvocation(_ methodSignature: MethodSignature) -> Invocation {
    let invocation = unsafe Invocation(methodSignature, retainsArguments: false)
    for index in 0..<invocation.count {
      unsafe invocation.slots[index].copy(from: memory, to: invocation.frame)
      invocation.core.markSet(index)
    }
    // An object that the message is passed to may store the invocation that it gets.
    invocation.core.state.forwardsRetained = true
    invocation.capturesErrno = capturesErrno
    return invocation
  }

  /// Takes over the result of an invocation; an object is retained for the caller.
  ///
  /// - Throws: `InvocationError` `typeMismatch` for a C string that the invocation owns and the sender does not have.
  func takeResult(of invocation: Invocation) throws(InvocationError) {
    defer { invocation.keepAlive() }
    guard invocation.hasReturnValue else { return clearResult() }
    let slot = result
    if let argument = invocation.core.argumentOfResult {
      let text = try invocation.textOfResult(argument, in: unsafe invocation.slots[argument].word(of: memory))
      return unsafe slot.write(word: text, to: memory)
    }
    unsafe slot.copy(from: invocation.frame, to: memory)
    if slot.kind == .object { _ = unsafe slot.retainReference(in: memory) }
  }

  /// The result as a boxed value.
  func boxedResult(as type: TypeEncoding) -> BoxedValue { unsafe BoxedValue(in: result, of: memory, as: type) }

  /// Sets the result to zero.
  func clearResult() { unsafe result.clear(in: memory) }
}
