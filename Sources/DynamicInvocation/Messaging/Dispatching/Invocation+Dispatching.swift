extension Invocation {
  /// Dispatches the message if the target is a dispatcher and the message is a method of its protocol.
  ///
  /// All arguments must be set, and the invocation must be that of a method.
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

  /// Whether the target is a dispatcher whose current plan has an entry, and the selector is that of the entry.
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
