/// The implementers that respond to one method, found once for all calls until something changes.
@safe
final class DispatchRow: @unchecked Sendable {
  // Sendable by hand: never changed.

  let method: DispatchProtocol.Method
  let policy: ReturnPolicy<BoxedValue>
  /// The name of the protocol, for messages.
  let protocolName: String
  /// The responders in the order of their calls.
  let responders: UnsafeMutablePointer<DispatchResponder>
  let count: Int
  /// Whether each responder is but called, one after the other: none throws, and nobody counts the results, of which the last remains.
  let isPlain: Bool
  /// Whether the class of dispatchers has a method of its own for the selector, which goes before.
  let isOverridden: Bool
  /// The implementers, of which the responders are some.
  let snapshot: ImplementerSnapshot<AnyObject>
  private let methods: [Method]

  init(
    _ method: DispatchProtocol.Method, of name: String, _ policy: ReturnPolicy<BoxedValue>, _ snapshot: ImplementerSnapshot<AnyObject>
  ) {
    var methods: [Method] = []
    var all: [DispatchResponder] = []
    for reference in snapshot.references {
      let found = MethodTable.of(reference.type).method(for: method.selector)
      let kind: DispatchResponder.Kind
      if let found {
        methods.append(found)
        kind = method.methodSignature.carries(found.methodSignature) ? .method : .otherTypes
      } else if reference.isDispatcher {
        kind = .dispatcher
      } else if reference.isInvocable {
        kind = .asked
      } else {
        continue
      }
      all.append(
        unsafe DispatchResponder(
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

  /// The number of the implementer that is a responder.
  func number(at index: Int) -> Int { unsafe responders[index].reference._withUnsafeGuaranteedRef { $0.number } }

  /// The error of a required method that nobody responded to.
  func nobodyResponded() -> InvocationError {
    InvocationError(.unrecognizedSelector, "no implementer responds to '\(method.selector)', which \(protocolName) requires")
  }

  /// The error of an implementer whose method has other types.
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
