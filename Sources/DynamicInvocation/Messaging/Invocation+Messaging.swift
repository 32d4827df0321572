/// Sending a message in one statement.
extension Invocation {
  /// Sends a message and returns its result.
  ///
  ///     let area: Double = try Invocation.send(controller, "area(_:in:)", 7, frame)
  ///
  /// The target specifies the types for the selector: they are the types of its class's method, of its own
  /// implementation, or of the object to which it forwards. Arguments are passed as to a ``ForeignFunction``: literals
  /// adapt to the type, `nil` is null, a ``BoxedValue`` is converted.
  ///
  /// - Parameters:
  ///   - target: The object to which the message is sent.
  ///   - selector: The name of the message.
  ///   - arguments: One value for each argument after the target and the selector.
  ///   - type: The type of the result. It is usually inferred from the context.
  /// - Throws: What the method throws, and `InvocationError` with the class and the selector: `unrecognizedSelector`,
  ///   `countMismatch`, `typeMismatch`, `outOfRange`, `inexact`, `nullNotAllowed`.
  /// - Complexity: The call; looks the method up, and allocates the invocation and the list of the arguments.
  public static func send<Result: EncodedValue>(
    _ target: AnyObject, _ selector: MethodSelector, _ arguments: (any _CallArgument)?..., as type: Result.Type = Result.self
  ) throws -> Result {
    try sent(target, selector, arguments).returnValue()
  }

  /// Sends a message and returns its result as a boxed value, or null if it has no result.
  ///
  /// - Throws: The same errors as the form with a result of a known type.
  @discardableResult
  public static func send(_ target: AnyObject, _ selector: MethodSelector, _ arguments: (any _CallArgument)?...) throws -> BoxedValue {
    try sent(target, selector, arguments).boxedReturnValue()
  }

  /// Sends a message with boxed arguments and returns its result.
  ///
  ///     let area: Double = try Invocation.send(controller, "area(_:in:)", 7, .rect(frame))
  ///
  /// - Throws: The same errors as the form with arguments of any type.
  @_disfavoredOverload
  public static func send<Result: EncodedValue>(
    _ target: AnyObject, _ selector: MethodSelector, _ arguments: BoxedValue..., as type: Result.Type = Result.self
  ) throws -> Result {
    try sent(target, selector, arguments).returnValue()
  }

  /// Sends a message with boxed arguments and returns its result as a boxed value, or null if it has no result.
  ///
  /// - Throws: The same errors as the form with arguments of any type.
  @_disfavoredOverload @discardableResult
  public static func send(_ target: AnyObject, _ selector: MethodSelector, _ arguments: BoxedValue...) throws -> BoxedValue {
    try sent(target, selector, arguments).boxedReturnValue()
  }

  /// Sends a message and returns its invocation.
  private static func sent(_ target: AnyObject, _ selector: MethodSelector, _ arguments: [(any _CallArgument)?]) throws -> Invocation {
    // The invocation need not retain its arguments: they stay alive during this call. An object that the message is
    // forwarded to may store the invocation that it gets, which retains them.
    let invocation = try Invocation(target: target, selector: selector, retainsArguments: false)
    invocation.core.state.forwardsRetained = true
    try invocation.setArguments(arguments)
    try withExtendedLifetime((target, arguments)) { try invocation.invoke() }
    return invocation
  }

  /// Sets the arguments, for a method those after the target and the selector.
  ///
  /// No argument may be set before.
  private func setArguments(_ arguments: [(any _CallArgument)?]) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    guard arguments.count == count - first else { throw core.named(methodSignature.countMismatch(arguments.count, of: count - first)) }
    for (offset, argument) in arguments.enumerated() {
      let index = first + offset
      let (failure, isOwned) = unsafe withUnsafeTemporaryAllocation(of: FrameWriter.Note.self, capacity: 1) { notes in
        var writer = unsafe FrameWriter(
          methodSignature, methodSignature.storage.plan, frame, notes: UnsafeMutableRawPointer(notes.baseAddress.unsafelyUnwrapped),
          index: index)
        writer.writeAny(argument)
        return (writer.takeFailure(), writer.owned != 0)
      }
      if let failure { throw core.named(failure) }
      core.markOwned(index, isOwned)
      core.markSet(index)
    }
  }
}

// MARK: - Forwarding

/// A message that the target's class has no method for.
extension Invocation {
  /// Forwards on the fast path: the target is of the class that forwarded the message the last time.
  ///
  /// Returns whether it did.
  ///
  /// The sender keeps the target alive, as for any message.
  func forwardsQuickly(_ cache: Unmanaged<ForwardingCache>) throws -> Bool {
    let isFast = core.state.setMask == core.state.fastPathMask
    guard isFast || core.state.setMask == core.plan.allSetMask,
      // Argument 0 is an object and argument 1 a selector, as when the class was cached.
      let address = unsafe UnsafeRawPointer(bitPattern: UInt(slots[0].word(of: frame))),
      unsafe cache._withUnsafeGuaranteedRef({ cache in
        unsafe cache.isCurrent && cache.describes(Self.classOfObject(at: address), slots[1].word(of: frame))
      })
    else { return false }
    let target = unsafe Unmanaged<AnyObject>.fromOpaque(address)
    let (forwarder, selector) = unsafe cache._withUnsafeGuaranteedRef { unsafe ($0.forwarder, $0.selector) }
    // What is cached stays alive: it is not replaced while a call that uses it is running.
    core.beginCall()
    // Retained manually: the optimizer would retain it for each use.
    let next = unsafe forwarder._withUnsafeGuaranteedRef { forwarder in
      unsafe target._withUnsafeGuaranteedRef { unsafe forwarder.target(of: $0, for: selector).map { unsafe Unmanaged.passRetained($0) } }
    }
    guard let next = unsafe next else {
      defer { core.endCall() }
      try unsafe target._withUnsafeGuaranteedRef { target in
        try unsafe ForwardingChain.requireTypes(of: target, forwarder, selector, methodSignature)
        try unsafe forward(to: target, forwarder, selector)
      }
      return true
    }
    guard isFast, let code = unsafe codeToForward(to: next, selector), unsafe UnsafeRawPointer(next.toOpaque()) != address else {
      // The forwarder is asked only once, so the target that it has named is passed on.
      let link = unsafe ForwardingChain.Link(forwarder: forwarder, target: next.takeRetainedValue())
      let (epoch, target) = unsafe (cache._withUnsafeGuaranteedRef { $0.epoch }, target.takeUnretainedValue())
      core.endCall()
      try forward(target, first: link, epoch: epoch)
      return true
    }
    defer {
      core.endCall()
      unsafe next.release()
    }
    if methodCache.mayThrow {
      core.state.hasResult = false
      try core.rethrow { unsafe call(code, on: next) }
    } else {
      unsafe call(code, on: next)
    }
    core.state.hasResult = true
    return true
  }

  @inline(__always)
  private static func classOfObject(at address: UnsafeRawPointer) -> ObjectIdentifier {
    unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef { ObjectIdentifier(Swift.type(of: $0)) }
  }

  /// The code of the cached method, if it is the method of an object for a selector.
  @inline(__always)
  private func codeToForward(to object: Unmanaged<AnyObject>, _ selector: MethodSelector) -> UnsafeRawPointer? {
    guard let method = unsafe methodCache.method, methodCache.epoch == MethodTable.epoch,
      unsafe Self.classOfObject(at: object.toOpaque()) == methodCache.type
    else { return nil }
    return unsafe method._withUnsafeGuaranteedRef { unsafe $0.selector == selector ? $0.code : nil }
  }

  /// Forwards the message by the target's forwarding methods.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - first: What the target's forwarder has named, if it was asked already.
  ///   - epoch: The epoch of the tables at which the target's class was found to have no method.
  /// - Throws: `InvocationError` as ``ForwardingChain/follow(from:_:_:_:_:)`` does, and what the final receiver
  ///   throws.
  func forward(_ target: AnyObject, first: ForwardingChain.Link? = nil, epoch: Int) throws {
    guard let selector else { throw InvocationError(.unrecognizedSelector, "the selector is null", argument: .index(1)) }
    if let last = unsafe try ForwardingChain.follow(from: target, first, selector, methodSignature, { try send(to: $0) }) {
      // Cached before the call, so that the invocation is kept for the next message.
      if unsafe last.receiver === target { unsafe keep(last.forwarder, of: target, selector, epoch) }
      try unsafe forward(to: last.receiver, last.forwarder, selector)
    } else if let forwarder = unsafe MethodTable.of(type(of: target)).forwarder {
      unsafe keep(forwarder, of: target, selector, epoch)
    }
  }

  /// Caches how the class of the target forwards the message.
  private func keep(_ forwarder: Unmanaged<Forwarder>, of target: AnyObject, _ selector: MethodSelector, _ epoch: Int) {
    // An `Invocable` target must be asked for each message, because it may have an implementation, and a dispatcher
    // sends the messages of its protocol to its implementers.
    guard count <= CallPlan.firstCount, unsafe slots[0].kind == .object, !(target is ProtocolDispatcher),
      unsafe !forwarder._withUnsafeGuaranteedRef({ $0.isInvocable })
    else { return }
    unsafe methodCache.keep(forwarder, of: type(of: target), selector, epoch, isCalling: core.state.runningCalls > 0)
  }

  /// Calls the implementation that an object has for the selector, with the object as the target.
  ///
  /// Returns whether there is one.
  private func send(to object: AnyObject) throws -> Bool {
    guard let implementation = try implementation(of: object) else { return false }
    try perform(implementation, on: object)
    return true
  }

  /// Calls an implementation, whose types and target were checked, with another target.
  ///
  /// This invocation's own target is not changed: the callee may use the invocation.
  func perform(_ implementation: Implementation, on object: AnyObject) throws {
    try core.withRunningCall(mayThrow: implementation.mayThrow, isRetained: implementation.returnsRetained) {
      unsafe call(implementation.pointer, on: .passUnretained(object))
    }
    withExtendedLifetime((object, implementation)) {}
  }

  /// Calls code with another target, which the caller keeps alive.
  private func call(_ code: UnsafeRawPointer, on object: Unmanaged<AnyObject>) {
    if plan.hasSmallFrame {
      unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { unsafe call(code, on: object, copy: $0) }
    } else {
      unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) {
        unsafe call(code, on: object, copy: $0)
      }
    }
  }

  @inline(__always)
  private func call(_ code: UnsafeRawPointer, on object: Unmanaged<AnyObject>, copy memory: UnsafeMutableRawBufferPointer) {
    defer { keepAlive() }
    let copy = unsafe memory.baseAddress.unsafelyUnwrapped
    unsafe core.copyArguments(to: copy)
    unsafe slots[0].write(word: UInt64(UInt(bitPattern: object.toOpaque())), to: copy)
    if plan.resultAddressOffset >= 0 {
      // A result in memory is written to this invocation's own memory for it.
      unsafe copy.storeBytes(
        of: frame.load(fromByteOffset: plan.resultAddressOffset, as: UInt.self), toByteOffset: plan.resultAddressOffset, as: UInt.self)
    }
    unsafe core.execute(code, in: copy)
    if plan.resultAddressOffset < 0 { unsafe slots[count].copy(from: copy, to: frame) }
  }

  /// Passes the message to an object as an invocation, and takes over its result.
  private func forward(to receiver: AnyObject, _ forwarder: Unmanaged<Forwarder>, _ selector: MethodSelector) throws {
    core.releaseResult()
    // Retained manually: the optimizer would retain it for each use.
    let invocation = unsafe copyToForward(to: .passUnretained(receiver))
    do {
      try unsafe ActiveForwarding.run(
        Unmanaged.passUnretained(receiver), selector, sent: Unmanaged.passUnretained(self).toOpaque(), forwarded: invocation.toOpaque()
      ) {
        try unsafe forwarder._withUnsafeGuaranteedRef { forwarder in
          try unsafe invocation._withUnsafeGuaranteedRef { try forwarder.forward($0, by: receiver) }
        }
      }
    } catch {
      core.releaseResult()
      unsafe invocation.release()
      throw error
    }
    unsafe invocation._withUnsafeGuaranteedRef { takeResult(of: $0) }
    // Last: the invocation owns an object result until this one has retained it. Within a call, so that a deinitializer
    // that runs here cannot replace the cache.
    core.beginCall()
    defer { core.endCall() }
    if let cache = unsafe methodCache.forwarding {
      unsafe cache._withUnsafeGuaranteedRef { unsafe $0.keepSpare(invocation) }
    } else {
      unsafe invocation.release()
    }
  }

  /// Takes over the result of an invocation of the same message; zero if there is none.
  @inline(__always)
  private func takeResult(of invocation: Invocation) {
    if core.state.capturesErrno { core.state.capturedErrno = invocation.core.state.capturedErrno }
    guard invocation.core.state.hasResult else { return core.setZeroResult() }
    let slot = core.resultSlot
    unsafe slot.copy(from: invocation.frame, to: frame)
    core.keepResult()
    if slot.kind == .cString { core.takeText(of: invocation.core) }
    invocation.keepAlive()
  }
}

// MARK: - Dispatching

extension Invocation {
  /// Dispatches the message if the target is a dispatcher and the message is a method of its protocol.
  ///
  /// All arguments must be set, and the invocation must be a message.
  ///
  /// - Returns: Whether the message was dispatched.
  @inline(__always)
  func dispatchToImplementers() throws -> Bool {
    guard unsafe slots[0].kind == .object,
      let address = unsafe UnsafeRawPointer(bitPattern: frame.load(fromByteOffset: core.targetOffset, as: UInt.self)),
      unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef({ type(of: $0) == ProtocolDispatcher.self })
    else { return false }
    // The sender keeps it alive, like any target.
    return try unsafe Unmanaged<ProtocolDispatcher>.fromOpaque(address)._withUnsafeGuaranteedRef { try $0.execute(self) }
  }

  /// Dispatches on the fast path: the target is the dispatcher of the previous message, and it has not changed.
  ///
  /// Returns whether the message was dispatched.
  func dispatchesQuickly(_ entry: Unmanaged<MethodDispatchEntry>) -> Bool {
    // The cache retains the entry, and does not replace it while a call is running.
    unsafe entry._withUnsafeGuaranteedRef { entry in
      guard core.state.setMask == core.state.fastPathMask, isForDispatcher(of: entry), core.plan.hasSmallFrame else {
        return false
      }
      core.beginCall()
      defer { core.endCall() }
      core.state.hasResult = false
      return unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { memory in
        let copy = unsafe memory.baseAddress.unsafelyUnwrapped
        unsafe core.copyArguments(to: copy)
        unsafe core.plan.prepare(copy)
        // If no responder was called, the slow path clears the result.
        guard unsafe entry.callPlainly(copy, targetOffset: core.targetOffset, core.kernel, core.context) > 0 else { return false }
        unsafe core.resultSlot.copy(from: copy, to: frame)
        core.state.hasResult = true
        return true
      }
    }
  }

  /// Whether the target is a dispatcher whose current plan has an entry, and the selector is the entry's.
  @inline(__always)
  private func isForDispatcher(of entry: MethodDispatchEntry) -> Bool {
    // Argument 0 is an object and argument 1 a selector, as when the entry was cached.
    guard let address = unsafe UnsafeRawPointer(bitPattern: frame.load(fromByteOffset: core.targetOffset, as: UInt.self)),
      unsafe slots[1].word(of: frame) == entry.method.selector.word,
      unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef({ type(of: $0) == ProtocolDispatcher.self })
    else { return false }
    return unsafe Unmanaged<ProtocolDispatcher>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.hasEntry(entry) }
  }

  /// Calls a function with a copy of the frame on the stack, and copies the result back from it.
  ///
  /// The arguments in the copy do not change: an implementer may meanwhile set other arguments of this invocation, or
  /// invoke it again.
  ///
  /// - Parameter body: A function that uses the copy, sets its target, and leaves an object result retained.
  @inline(__always)
  func withCopiedFrame<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) rethrows -> Result {
    let size = methodSignature.storage.plan.frameSize
    let alignment = methodSignature.storage.plan.frameAlignment
    core.state.hasResult = false
    // What the arguments own stays alive until the end, also what is replaced meanwhile.
    core.beginCall()
    defer {
      core.endCall()
      keepAlive()
    }
    do {
      return try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: alignment) { memory in
        let copy = unsafe memory.baseAddress.unsafelyUnwrapped
        unsafe core.copyArguments(to: copy)
        let result = core.resultSlot
        unsafe methodSignature.storage.plan.prepare(copy)
        let value = try unsafe body(copy)
        unsafe result.copy(from: copy, to: frame)
        core.keepResult(isRetained: true)
        return value
      }
    } catch {
      // An implementer may have called with this invocation.
      core.releaseResult()
      throw error
    }
  }
}
