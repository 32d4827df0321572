/// Stands for a dispatcher that may be deallocated during a call.
final class DispatcherIdentity: Sendable {
  /// The name of the protocol, for error messages.
  let protocolName: String

  init(_ protocolName: String) { self.protocolName = protocolName }
}

/// The implementers that respond to one method, looked up once and used until a list or a method table changes.
@safe
final class MethodDispatchEntry: CachedReceiver, @unchecked Sendable {
  // Unchecked Sendable: it is immutable. The memory of the responders is written before the entry is shared; the
  // snapshot retains their references, and `methods` retains their methods.

  let method: DispatchProtocol.Method
  let policy: ReturnPolicy<BoxedValue>
  /// The dispatcher, whose entries are replaced when a list or a method table changes.
  let dispatcher: DispatcherIdentity
  /// The responders in the order of their calls.
  let responders: UnsafeMutablePointer<Responder>
  let count: Int
  /// Whether the responders can simply be called one after the other.
  ///
  /// No responder throws, and the result of the last one remains in the frame.
  let isPlain: Bool
  /// Whether the class `ProtocolDispatcher` has a method of its own for the selector.
  ///
  /// That method takes precedence.
  let isOverridden: Bool
  /// The implementers that the responders are chosen from.
  let snapshot: ImplementerSnapshot<AnyObject>
  /// The number of the plan that the entry belongs to.
  let serial: Int
  /// The epoch of the method tables when the entry was created.
  private let epoch: Int
  private let methods: [Method]

  init(
    _ method: DispatchProtocol.Method, of dispatcher: DispatcherIdentity, _ policy: ReturnPolicy<BoxedValue>,
    _ snapshot: ImplementerSnapshot<AnyObject>,
    serial: Int, epoch: Int
  ) {
    self.serial = serial
    self.epoch = epoch
    var methods: [Method] = []
    var all: [Responder] = []
    for reference in snapshot.references {
      let found = MethodTable.of(reference.type).method(for: method.selector)
      let kind: Responder.Kind
      if let found {
        methods.append(found)
        kind = method.methodSignature.carries(found.methodSignature) ? .method : .otherTypes
      } else if reference.isDispatcher {
        kind = .dispatcher
      } else if unsafe MethodTable.of(reference.type).forwarder != nil {
        kind = .forwards
      } else if reference.isInvocable {
        kind = .asked
      } else {
        continue
      }
      all.append(
        unsafe Responder(
          kind: kind, reference: .passUnretained(reference), method: unsafe found.map { unsafe .passUnretained($0) },
          code: found?.code ?? reference.address, mayThrow: found?.implementation.mayThrow ?? true,
          returnsRetained: found?.implementation.returnsRetained ?? false))
    }
    self.method = method
    self.policy = policy
    self.dispatcher = dispatcher
    self.snapshot = snapshot
    self.methods = methods
    count = all.count
    unsafe responders = .allocate(capacity: max(1, all.count))
    unsafe responders.initialize(from: all, count: all.count)
    let isLast = if case .last = policy { true } else { false }
    isPlain = isLast && method.methodSignature.storage.plan.fastPathMask != 0 && all.allSatisfy { $0.kind == .method && !$0.mayThrow }
    isOverridden = MethodTable.of(ProtocolDispatcher.self).method(for: method.selector) != nil
    super.init(isForeign: false)
  }

  deinit { unsafe responders.deallocate() }

  /// Whether no method table has changed since the entry was created, and no call has found a deallocated implementer.
  @inline(__always)
  var isCurrent: Bool { epoch == MethodTable.epoch && !snapshot.hasMetDeallocated }

  /// Returns the number of the implementer that is the responder at an index.
  func number(at index: Int) -> Int { unsafe responders[index].reference._withUnsafeGuaranteedRef { $0.number } }

  /// Returns the error for a required method to which no implementer responded.
  func nobodyResponded() -> InvocationError {
    InvocationError(.unrecognizedSelector, "no implementer responds to '\(method.selector)', which \(dispatcher.protocolName) requires")
  }

  /// Returns the error for an implementer whose method has other types.
  func otherTypes(_ type: AnyClass, _ own: MethodSignature) -> InvocationError { method.otherTypes(type, own, dispatcher.protocolName) }

  /// Throws unless a call of these types can be dispatched.
  @inline(__always)
  func require(_ types: MethodSignature) throws(InvocationError) {
    if types.storage === method.methodSignature.storage { return }
    guard types.carries(method.methodSignature) else {
      throw InvocationError(
        .typeMismatch,
        "\(dispatcher.protocolName) has '\(method.selector)' with the types '\(method.methodSignature)', the invocation has '\(types)'")
    }
  }
}

extension DispatchProtocol.Method {
  /// Returns the error for a class whose method has other types.
  func otherTypes(_ type: AnyClass, _ own: MethodSignature, _ protocolName: String) -> InvocationError {
    InvocationError(
      .typeMismatch, "\(type) implements '\(selector)' with the types '\(own)', \(protocolName) has '\(methodSignature)'")
  }
}

extension MethodDispatchEntry {
  /// Whether at least one implementer that would be called for the method responds to it.
  var hasResponder: Bool {
    (0..<count).contains { index in
      let responder = unsafe responders[index]
      guard unsafe responder.reference._withUnsafeGuaranteedRef({ $0.isAlive }) else { return false }
      switch responder.kind {
      case .method: return true
      case .otherTypes: return false
      case .asked, .dispatcher, .forwards: break
      }
      let retained = unsafe responder.reference._withUnsafeGuaranteedRef { unsafe $0.retain() }
      guard let object = unsafe retained?.takeRetainedValue() else { return false }
      if responder.kind == .forwards {
        return MethodSignature(of: method.selector, to: object).map { method.methodSignature.carries($0) } ?? false
      }
      if let dispatcher = object as? ProtocolDispatcher { return dispatcher.responds(to: method.selector) }
      return (object as? any Invocable)?.implementation(for: method.selector) != nil
    }
  }
}

extension MethodDispatchEntry {
  /// An implementer that responds, or may respond, to one method of a protocol.
  @safe
  struct Responder {
    /// How the implementer responds.
    enum Kind {
      /// Its class has the method.
      case method
      /// Its class has the method with types that differ from the protocol's.
      case otherTypes
      /// It is ``Invocable``, and is asked for its implementation at each call.
      case asked
      /// It is a dispatcher itself.
      case dispatcher
      /// It is ``Forwarding``, and is asked at each call how it handles the message.
      case forwards
    }

    let kind: Kind
    /// The implementer; the snapshot retains the reference.
    let reference: Unmanaged<ImplementerReference>
    /// The method of the class, retained by the entry; nil if the class does not have it.
    let method: Unmanaged<Method>?
    /// The code of the method.
    ///
    /// For the other kinds it is an arbitrary address that is never called.
    let code: UnsafeRawPointer
    let mayThrow: Bool
    let returnsRetained: Bool
  }
}

// MARK: - Calling

/// Calling the implementers of an entry.
extension MethodDispatchEntry {
  /// Calls every responder of an entry that ``isPlain``.
  ///
  /// - Returns: The number of responders that were called.
  @inline(__always)
  func callPlainly(
    _ frame: UnsafeMutableRawPointer, targetOffset: Int, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) -> Int {
    var called = 0
    for index in 0..<count {
      let responder = unsafe responders + index
      guard let object = unsafe take(responder.pointee) else { continue }
      unsafe frame.storeBytes(of: UInt(bitPattern: object.toOpaque()), toByteOffset: targetOffset, as: UInt.self)
      unsafe kernel(frame, responder.pointee.code, context)
      unsafe object.release()
      called += 1
    }
    return called
  }

  /// Calls the responders by the policy, and stores the result in the frame; zero if there is no result.
  ///
  /// - Throws: What the closure of ``ReturnPolicy/reduce(_:)`` throws, and the error of converting the value that it
  ///   returns.
  func call(_ frame: DispatchFrame) throws -> DispatchOutcome {
    let result = frame.result
    return try unsafe withUnsafeTemporaryAllocation(byteCount: max(16, result.extent), alignment: 16) { memory in
      var outcome = DispatchOutcome(self)
      var reducer = unsafe ResultReducer(self, frame, kept: memory.baseAddress.unsafelyUnwrapped)
      do {
        for index in 0..<count {
          let responder = unsafe responders[index]
          guard let object = unsafe take(responder) else { continue }
          defer { unsafe object.release() }
          unsafe frame.setTarget(object)
          do {
            guard let answer = try answer(of: unsafe object._withUnsafeGuaranteedRef { $0 }, responder, frame, &outcome) else { continue }
            outcome.capturedErrno = answer.errno
            outcome.note(index)
            guard try reducer.take(isRetained: answer.isRetained) else { break }
          } catch let error as ResultReducer.Failure {
            throw error
          } catch {
            outcome.failures.append(DispatchOutcome.Failure(number: number(at: index), error: error))
            if case .first = policy { break }
          }
        }
        try reducer.finish(&outcome)
      } catch let failure as ResultReducer.Failure {
        reducer.abandon()
        throw failure.error
      }
      return outcome
    }
  }

  /// Returns a responder's object, retained, or nil if it must not be called any more.
  @inline(__always)
  private func take(_ responder: Responder) -> Unmanaged<AnyObject>? {
    unsafe responder.reference._withUnsafeGuaranteedRef { reference in
      guard reference.isListed else { return nil }
      if let object = unsafe reference.retain() { return unsafe object }
      snapshot.noteDeallocated()
      return nil
    }
  }

  /// The outcome of a call of one responder.
  private struct ResponderOutcome {
    var errno: CInt
    /// Whether an object result is retained for the caller.
    var isRetained: Bool
  }

  /// Calls one responder.
  ///
  /// Returns nil if it turns out not to respond.
  private func answer(
    of object: AnyObject, _ responder: Responder, _ frame: DispatchFrame, _ outcome: inout DispatchOutcome
  ) throws -> ResponderOutcome? {
    switch responder.kind {
    case .method:
      let errno = unsafe try frame.call(responder.code, mayThrow: responder.mayThrow)
      return ResponderOutcome(errno: errno, isRetained: responder.returnsRetained)
    case .otherTypes:
      guard let own = unsafe responder.method?._withUnsafeGuaranteedRef({ $0.methodSignature }) else { return nil }
      throw otherTypes(type(of: object), own)
    case .asked:
      return try (object as? any Invocable)?.implementation(for: method.selector).map { try answer(of: object, by: $0, frame) }
    case .forwards:
      return try answer(ofForwarding: object, frame)
    case .dispatcher:
      guard let inner = try (object as? ProtocolDispatcher)?.dispatch(method, in: frame), !inner.isEmpty else { return nil }
      if inner.responderCount == 0 {
        throw inner.failures[0].error
      }
      let number = unsafe responder.reference._withUnsafeGuaranteedRef { $0.number }
      outcome.failures += inner.failures.map { DispatchOutcome.Failure(number: number, error: $0.error) }
      return ResponderOutcome(errno: inner.capturedErrno, isRetained: true)
    }
  }

  /// Calls the implementation that a responder has provided.
  private func answer(of object: AnyObject, by implementation: Implementation, _ frame: DispatchFrame) throws -> ResponderOutcome {
    if let own = implementation.methodSignature, !method.methodSignature.carries(own) { throw otherTypes(type(of: object), own) }
    try implementation.requireTarget(type(of: object), method.selector)
    defer { withExtendedLifetime(implementation) {} }
    let errno = unsafe try frame.call(implementation.pointer, mayThrow: implementation.mayThrow)
    return ResponderOutcome(errno: errno, isRetained: implementation.returnsRetained)
  }

  /// Sends the message to a responder that forwards, by the rules of ``Invocation/invoke()``.
  ///
  /// Returns nil if it does not respond.
  private func answer(ofForwarding object: AnyObject, _ frame: DispatchFrame) throws -> ResponderOutcome? {
    let (own, epoch) = try MethodTable.lookUp { try MethodTable.implementation(of: object, for: method.selector) }
    if let own { return try answer(of: object, by: own, frame) }
    guard let types = MethodSignature(of: method.selector, to: object) else { return nil }
    guard method.methodSignature.carries(types) else { throw otherTypes(type(of: object), types) }
    let message = frame.makeInvocation(method.methodSignature)
    // The receiver is the dispatcher: it refuses the message if an implementer sends it back.
    try unsafe ActiveForwarding.run(
      .passUnretained(dispatcher), method.selector, sent: frame.sent, forwarded: Unmanaged.passUnretained(message).toOpaque()
    ) { try message.forward(object, epoch: epoch) }
    try frame.takeResult(of: message)
    return ResponderOutcome(errno: message.capturedErrno, isRetained: true)
  }
}
