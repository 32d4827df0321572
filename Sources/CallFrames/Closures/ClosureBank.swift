internal import CFFIShim

/// The stubs of all closures: free ones, ones in use, and closed ones with calls still running.
package final class ClosureBank: Sendable {
  /// The bank of all closures.
  package static let shared: ClosureBank = {
    let slots = unsafe cffi_closure_first_bank()
    let bank = unsafe ClosureBank(slots, count: slots == nil ? 0 : Int(CFFI_CLOSURE_BANK_SIZE), atFork: .closures)
    unsafe cffi_closure_on_last_exit { slot in unsafe ClosureBank.shared.end(Stub(slot: slot)) }
    return bank
  }()

  /// A code pointer and the slot with the data of its closure.
  @safe
  package struct Stub: @unchecked Sendable {
    // Unchecked Sendable: only the bank writes to the slot, under its lock or before the code pointer is published.

    let slot: UnsafeMutablePointer<cffi_closure_slot>

    /// The code pointer.
    package var code: UnsafeRawPointer {
      guard let code = unsafe slot.pointee.stub else { preconditionFailure("a slot without a stub") }
      return unsafe code
    }

    /// Makes the stub the code of an asynchronous Swift function, before it is published, and returns the function's async
    /// function pointer: the distance of the code, and the size of the context that the caller allocates.
    ///
    /// It takes the place of the slot's owner. An entry of asynchronous functions does not use the owner: a call may
    /// return on another thread.
    package func asyncFunctionPointer(contextSize: UInt32) -> UnsafeRawPointer {
      let record = unsafe UnsafeMutableRawPointer(slot) + Int(CFFI_CLOSURE_OWNER)
      // Slots are in the same library as their stubs, or directly after them.
      unsafe record.storeBytes(of: Int32(code - UnsafeRawPointer(record)), as: Int32.self)
      unsafe record.storeBytes(of: contextSize, toByteOffset: 4, as: UInt32.self)
      return UnsafeRawPointer(record)
    }
  }

  @safe
  fileprivate struct State {
    /// The slots of the newest bank that were never used.
    var unused: UnsafeMutablePointer<cffi_closure_slot>?
    var unusedCount = 0
    /// The list of free slots that were used before, the longest free first.
    var firstFree: UnsafeMutablePointer<cffi_closure_slot>?
    var lastFree: UnsafeMutablePointer<cffi_closure_slot>?
    /// Closed slots with running calls.
    var abandoned: [UnsafeMutablePointer<cffi_closure_slot>] = unsafe []
    /// The index of the abandoned slot that was checked last.
    var nextAbandoned = 0
  }

  private let state: Locked<State>

  /// Creates a bank that begins with some slots never used; they live as long as the bank.
  ///
  /// - Parameter order: The position of the lock when a fork takes all locks, for a bank that lives as long as the
  ///   process; nil for any other bank.
  init(_ slots: sending UnsafeMutablePointer<cffi_closure_slot>?, count: Int, atFork order: LockOrder? = nil) {
    var first = State()
    unsafe first.unused = unsafe slots
    first.unusedCount = count
    if let order { state = Locked(first, atFork: order) } else { state = Locked(first) }
  }

  /// Opens a stub that enters a function.
  ///
  /// - Parameters:
  ///   - signature: The types of the calls.
  ///   - code: The code of a Swift function, whose arguments are the frame, zero and the body.
  ///   - context: The context of the function.
  ///   - body: The object that keeps the context alive. It is retained until the last running call has returned.
  /// - Throws: `InvocationError` `unsupportedType` if there is no entry for such calls, `limitExceeded` if the system
  ///   provides no more stubs.
  package func open(
    _ signature: PlannedSignature, code: UnsafeRawPointer, context: UnsafeMutableRawPointer?, body: AnyObject
  ) throws(InvocationError) -> Stub {
    if let fixed = signature.fixedCount {
      throw InvocationError(
        .unsupportedType, "a closure cannot be variadic: it would not know the arguments after the first \(fixed)",
        encoding: signature.types.text())
    }
    guard case .native(_, let layout) = signature.plan.backend,
      let entry = unsafe cffi_closure_entry(signature.plan.kernel, CInt(layout.vectorCount))
    else {
      throw InvocationError(
        .unsupportedType, "a closure needs the native backend of a processor that has closure entries", encoding: signature.types.text())
    }
    return try unsafe open(entry: entry, code: code, context: context, body: body)
  }

  /// Opens a stub that jumps to an entry with the address of the slot in the register of stubs.
  ///
  /// - Parameters:
  ///   - entry: The code of the entry.
  ///   - code: The function that the entry calls.
  ///   - context: The context of the function.
  ///   - body: The object for the function. It is retained until the stub is closed and, if the entry counts its calls,
  ///     the last running call has returned.
  /// - Throws: `InvocationError` `limitExceeded` if the system provides no more stubs.
  package func open(
    entry: UnsafeRawPointer, code: UnsafeRawPointer, context: UnsafeMutableRawPointer?, body: AnyObject
  ) throws(InvocationError) -> Stub {
    let (stub, ended) = state.withLock { state in (state.take(), state.endOneAbandoned()) }
    ended?.release()
    guard let stub else { throw InvocationError(.limitExceeded, "the system gives no more memory for closures") }
    unsafe cffi_closure_open(stub.slot, entry, code, context, Unmanaged.passRetained(body).toOpaque())
    return stub
  }

  /// The number of closed stubs whose calls are running, or have returned unnoticed.
  var abandonedCount: Int { state.withLock { unsafe $0.abandoned.count } }

  /// Closes a stub.
  ///
  /// Its function is released now, or when the last running call returns.
  package func close(_ stub: Stub) {
    let ended = state.withLock { state in
      if unsafe cffi_closure_close(stub.slot) { return state.reclaim(stub) }
      // Before the stub is appended: it is still in use, and could be the next one checked.
      let ended = state.endOneAbandoned()
      unsafe state.abandoned.append(stub.slot)
      return ended
    }
    ended?.release()
  }

  /// Reclaims a closed stub whose last running call has returned.
  func end(_ stub: Stub) {
    let ended = state.withLock { state -> Ended? in
      guard unsafe cffi_closure_is_free(stub.slot) else { return nil }
      unsafe state.abandoned.removeAll { unsafe $0 == stub.slot }
      return state.reclaim(stub)
    }
    ended?.release()
  }

  /// A function to release after the lock is released: values that it has captured may close other closures when they
  /// are deallocated.
  @safe
  fileprivate struct Ended: @unchecked Sendable {
    let body: UnsafeMutableRawPointer

    func release() { unsafe Unmanaged<AnyObject>.fromOpaque(body).release() }
  }
}

extension ClosureBank.State {
  /// Takes a slot.
  ///
  /// Unused slots are taken first, so that a freed stub stays closed as long as possible.
  fileprivate mutating func take() -> ClosureBank.Stub? {
    if unusedCount == 0, unsafe firstFree == nil {
      guard let bank = unsafe cffi_closure_map_bank() else { return nil }
      unsafe unused = bank
      unusedCount = Int(CFFI_CLOSURE_BANK_SIZE)
    }
    if unusedCount > 0, let slot = unsafe unused {
      unsafe unused = slot + 1
      unusedCount -= 1
      return unsafe ClosureBank.Stub(slot: slot)
    }
    guard let slot = unsafe firstFree else { return nil }
    unsafe firstFree = slot.pointee.body?.assumingMemoryBound(to: cffi_closure_slot.self)
    if unsafe firstFree == nil { unsafe lastFree = nil }
    return unsafe ClosureBank.Stub(slot: slot)
  }

  /// Puts a free slot at the end of the list.
  fileprivate mutating func reclaim(_ stub: ClosureBank.Stub) -> ClosureBank.Ended? {
    let slot = unsafe stub.slot
    let body = unsafe slot.pointee.body
    unsafe slot.pointee.body = nil
    if let last = unsafe lastFree { unsafe last.pointee.body = UnsafeMutableRawPointer(slot) } else { unsafe firstFree = slot }
    unsafe lastFree = slot
    return unsafe body.map { unsafe ClosureBank.Ended(body: $0) }
  }

  /// Checks one of the closed slots that had running calls, and reclaims it if it is free.
  ///
  /// A call that returns at the same time as its closure is closed may not see that the closure is closed, and then
  /// nothing else reclaims the slot. Checking one slot at a time here costs less than a fence in each call.
  fileprivate mutating func endOneAbandoned() -> ClosureBank.Ended? {
    guard unsafe !abandoned.isEmpty else { return nil }
    nextAbandoned = unsafe (nextAbandoned + 1) % abandoned.count
    let slot = unsafe abandoned[nextAbandoned]
    guard unsafe cffi_closure_is_free(slot) else { return nil }
    unsafe abandoned.remove(at: nextAbandoned)
    return unsafe reclaim(ClosureBank.Stub(slot: slot))
  }
}
