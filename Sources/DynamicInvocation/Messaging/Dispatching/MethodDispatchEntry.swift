/// The implementers that respond to one method, looked up once and used until a list or a method table changes.
@safe
final class MethodDispatchEntry: @unchecked Sendable {
  // Unchecked Sendable: it is immutable. The memory of the responders is written before the entry is shared; the
  // snapshot retains their references, and `methods` retains their methods.

  let method: DispatchProtocol.Method
  let policy: ReturnPolicy<BoxedValue>
  /// The name of the protocol, for error messages.
  let protocolName: String
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
    _ method: DispatchProtocol.Method, of name: String, _ policy: ReturnPolicy<BoxedValue>, _ snapshot: ImplementerSnapshot<AnyObject>,
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
    protocolName = name
    self.snapshot = snapshot
    self.methods = methods
    count = all.count
    unsafe responders = .allocate(capacity: max(1, all.count))
    unsafe responders.initialize(from: all, count: all.count)
    let isLast = if case .last = policy { true } else { false }
    isPlain = isLast && method.methodSignature.storage.plan.fastPathMask != 0 && all.allSatisfy { $0.kind == .method && !$0.mayThrow }
    isOverridden = MethodTable.of(ProtocolDispatcher.self).method(for: method.selector) != nil
  }

  deinit { unsafe responders.deallocate() }

  /// Whether no method table has changed since the entry was created, and no call has found a deallocated implementer.
  @inline(__always)
  var isCurrent: Bool { epoch == MethodTable.epoch && !snapshot.hasMetDeallocated }

  /// Returns the number of the implementer that is the responder at an index.
  func number(at index: Int) -> Int { unsafe responders[index].reference._withUnsafeGuaranteedRef { $0.number } }

  /// Returns the error for a required method to which no implementer responded.
  func nobodyResponded() -> InvocationError {
    InvocationError(.unrecognizedSelector, "no implementer responds to '\(method.selector)', which \(protocolName) requires")
  }

  /// Returns the error for an implementer whose method has other types.
  func otherTypes(_ type: AnyClass, _ own: MethodSignature) -> InvocationError {
    InvocationError(
      .typeMismatch,
      "\(type) implements '\(method.selector)' with the types '\(own)', \(protocolName) has '\(method.methodSignature)'")
  }

  /// Throws unless a call of these types can be dispatched.
  @inline(__always)
  func require(_ types: MethodSignature) throws(InvocationError) {
    if types.storage === method.methodSignature.storage { return }
    guard types.carries(method.methodSignature) else {
      throw InvocationError(
        .typeMismatch, "\(protocolName) has '\(method.selector)' with the types '\(method.methodSignature)', the invocation has '\(types)'")
    }
  }
}

extension MethodDispatchEntry {
  /// Whether at least one implementer that would be called for the method responds to it.
  var hasResponder: Bool {
    (0..<count).contains { index in
      let responder = unsafe responders[index]
      if case .only(let wanted) = policy, number(at: index) != wanted { return false }
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
