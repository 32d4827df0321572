// Messages of another runtime, such as Objective-C's. Its objects and selectors are other words than the words of a frame. Only the
// module of that runtime knows its words; it plugs in here.

/// Code that sends the messages of one type to objects of another runtime.
package protocol ForeignCode: AnyObject, Sendable {
  /// Replaces the words of a frame by the runtime's words, calls, and replaces the result.
  ///
  /// - Parameter frame: A frame of the types, which is not used again. Its target is not null. An object result is left in
  ///   it, retained for the caller.
  /// - Returns: False, without a call, if the frame's target and selector are not a message of these types.
  func call(_ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?) throws(InvocationError) -> Bool

  /// Passes a call of the runtime on without replacing its words, if this is code of that runtime.
  ///
  /// Returns whether it did.
  func answers(_ call: inout IncomingCall) throws -> Bool
}

extension ForeignCode {
  package func answers(_ call: inout IncomingCall) throws -> Bool { false }

  /// Calls as ``call(_:_:_:)`` does, and returns its error.
  fileprivate func outcome(
    _ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) -> (isCalled: Bool, failure: InvocationError?) {
    do throws(InvocationError) { return (try unsafe call(frame, kernel, context), nil) } catch { return (false, error) }
  }
}

/// Code of another runtime as the owner of an implementation.
package final class ForeignMessage: Sendable {
  /// Code with the words of a frame, for callers that only have a pointer.
  let closure: Closure
  private let code: any ForeignCode

  package init(_ closure: Closure, _ code: any ForeignCode) {
    self.closure = closure
    self.code = code
  }

  // Methods, as code that is loaded from the message elsewhere would be retained for the call.

  /// Calls the code with a frame, and returns its error.
  fileprivate func outcome(
    _ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) -> (isCalled: Bool, failure: InvocationError?) {
    unsafe code.outcome(frame, kernel, context)
  }

  /// Passes a call of the runtime on, if this is code of that runtime; returns whether it did.
  fileprivate func answers(_ call: inout IncomingCall) throws -> Bool { try code.answers(&call) }
}

/// An object that stands for one of another runtime, for the texts of errors.
package protocol ForeignTarget: AnyObject {
  /// The name of its class in that runtime.
  var foreignClassName: String { get }

  /// Returns the error for a selector that it does not respond to.
  func unrecognized(_ selector: MethodSelector) -> InvocationError
}

extension Implementation {
  /// Creates the implementation of a message of another runtime.
  package init(_ message: ForeignMessage) {
    unsafe pointer = message.closure.pointer
    types = message.closure.methodSignature.storage
    traits = 0b10111
    owner = message
  }

  /// The message of another runtime, or nil.
  var foreignMessage: ForeignMessage? {
    guard traits & 0b10000 != 0, let owner else { return nil }
    return unsafe unsafeDowncast(owner as AnyObject, to: ForeignMessage.self)
  }

  /// Passes a call of another runtime on, if this is a message of that runtime with the types of the call.
  @inline(__always)
  func answers(_ call: inout IncomingCall) throws -> Bool {
    guard traits & 0b10000 != 0, types === call.methodSignature.storage, let owner else { return false }
    let message = unsafe Unmanaged<ForeignMessage>.fromOpaque(Unmanaged.passUnretained(owner as AnyObject).toOpaque())
    return try unsafe message._withUnsafeGuaranteedRef { try $0.answers(&call) }
  }
}

extension Invocation {
  /// Sends the message to what was found last: a dispatcher's implementers, or an object of another runtime.
  ///
  /// Returns whether it did.
  @inline(__always)
  func sendsQuickly(to receiver: Unmanaged<CachedReceiver>) throws -> Bool {
    if unsafe receiver._withUnsafeGuaranteedRef({ $0.isForeign }) { return try unsafe callsQuickly(.fromOpaque(receiver.toOpaque())) }
    return unsafe dispatchesQuickly(.fromOpaque(receiver.toOpaque()))
  }

  /// Sends the message of another runtime that was found last, if the target and the selector still are of its types.
  ///
  /// Returns whether it did.
  private func callsQuickly(_ cached: Unmanaged<CachedForeignMessage>) throws -> Bool {
    guard core.state.setMask == core.plan.allSetMask, core.hasTarget, core.plan.hasSmallFrame, !core.state.capturesErrno,
      unsafe cached._withUnsafeGuaranteedRef({ $0.epoch }) == MethodTable.epoch
    else { return false }
    core.state.hasResult = false
    core.beginCall()
    defer { core.endCall() }
    return unsafe try withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { memory in
      let copy = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe core.copyArguments(to: copy)
      unsafe slots[0].copy(from: frame, to: copy)
      unsafe core.plan.prepare(copy)
      let (isCalled, failure) = unsafe cached._withUnsafeGuaranteedRef { unsafe $0.message.outcome(copy, core.kernel, core.context) }
      guard isCalled else {
        guard let failure else { return false }
        core.releaseResult()
        throw core.named(failure)
      }
      let slot = core.resultSlot
      unsafe slot.copy(from: copy, to: frame)
      core.state.hasResult = true
      if slot.kind == .object { core.keepResult(isRetained: true) }
      return true
    }
  }
}

// MARK: - Incoming calls

/// The words of another runtime in the calls of one type that it makes.
package protocol ForeignWords: AnyObject, Sendable {
  /// The types of the calls.
  var methodSignature: MethodSignature { get }
  /// The indices of the arguments whose objects the callee releases.
  var consumedArguments: [Int] { get }

  /// Returns the word of a frame for an argument; an object is retained.
  func adopt(_ word: UInt64, _ kind: ValueKind, at index: Int) -> UInt64

  /// Returns the word of a frame for a result of the runtime's code; an object is retained for the frame.
  func adoptResult(_ word: UInt64, _ kind: ValueKind) -> UInt64

  /// Returns the word of the runtime for a result in a frame, whose object is consumed.
  func passResult(_ word: UInt64, _ kind: ValueKind) -> UInt64

  /// Adds a reference to the runtime's object of an argument.
  func retain(_ word: UInt64, at index: Int)

  /// Releases a reference to the runtime's object of an argument.
  func release(_ word: UInt64, at index: Int)
}

extension ValueKind {
  /// Whether another runtime has another word for a value of the kind.
  fileprivate var isForeign: Bool { self == .object || self == .selector }
}

/// The state of an incoming call of another runtime: its words are replaced when they are first read.
@usableFromInline
@safe
package struct ForeignCall {
  unowned(unsafe) let words: any ForeignWords
  /// The words of the runtime while the frame has the engine's.
  var saved: UnsafeMutablePointer<UInt64>?
  /// Whether the frame has a result of the runtime's code.
  var hasForeignResult = false
  /// Whether the objects of the arguments were retained until the call ends.
  var keepsArguments = false
  /// A bit for each consumed argument whose reference, the caller's, was passed on.
  var consumed: UInt64 = 0
  /// Whether the callee consumes arguments, which is asked for once: a list would be retained in each call.
  let consumes: Bool

  init(_ words: any ForeignWords, consumes: Bool) {
    unsafe self.words = words
    self.consumes = consumes
    unsafe saved = nil
  }
}

extension Closure {
  /// Creates a closure that another runtime calls.
  ///
  /// - Parameters:
  ///   - words: The types, and the words of the runtime. It must live as long as the closure.
  ///   - onError: Called with an error of the handler; the result is then zero, as it is if the handler sets none.
  ///   - handler: Reads the arguments and sets the result.
  package convenience init(
    _ words: any ForeignWords, onError: @escaping @Sendable (any Error) -> Void,
    _ handler: @escaping @Sendable (inout IncomingCall) throws -> Void
  ) throws(InvocationError) {
    let consumes = !words.consumedArguments.isEmpty
    try self.init(words.methodSignature) { frame, body in
      var state = ForeignCall(words, consumes: consumes)
      unsafe withUnsafeMutablePointer(to: &state) { state in
        var call = IncomingCall(body, frame, returnsRetained: true)
        unsafe call.foreign = state
        do {
          try handler(&call)
          if call.lacksReturnValue { call.clearResult() }
        } catch {
          call.clearResult()
          onError(error)
        }
        call.endForeign()
      }
    }
  }
}

extension IncomingCall {
  /// Returns the word of the other runtime for an argument.
  package func foreignWord(at index: Int) -> UInt64 {
    let slot = unsafe body.slots[index]
    guard slot.kind.isForeign, let saved = unsafe foreign?.pointee.saved else { return unsafe slot.word(of: frame) }
    return unsafe saved[index]
  }

  /// Replaces the arguments by the engine's words.
  @usableFromInline
  func adoptArguments() {
    guard let foreign = unsafe foreign, unsafe foreign.pointee.saved == nil else { return }
    let count = unsafe body.count
    let saved = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    unsafe saved.initialize(repeating: 0, count: count)
    unsafe foreign.pointee.saved = unsafe saved
    for index in 0..<count where unsafe body.slots[index].kind.isForeign {
      let slot = unsafe body.slots[index]
      unsafe saved[index] = unsafe slot.word(of: frame)
      unsafe slot.write(word: foreign.pointee.words.adopt(saved[index], slot.kind, at: index), to: frame)
    }
  }

  /// Puts the words of the other runtime back.
  private func restoreArguments() {
    guard let foreign = unsafe foreign, let saved = unsafe foreign.pointee.saved else { return }
    unsafe foreign.pointee.saved = nil
    for index in 0..<(unsafe body.count) where unsafe body.slots[index].kind.isForeign {
      let slot = unsafe body.slots[index]
      let own = unsafe slot.word(of: frame)
      unsafe slot.write(word: saved[index], to: frame)
      if slot.kind == .object { slot.releaseOwned(word: own) }
    }
    unsafe saved.deallocate()
  }

  /// Replaces a result of the runtime's code by the engine's word.
  func adoptResult() {
    guard let foreign = unsafe foreign, unsafe foreign.pointee.hasForeignResult else { return }
    unsafe foreign.pointee.hasForeignResult = false
    guard result.slot.kind.isForeign else { return }
    unsafe result.slot.write(
      word: foreign.pointee.words.adoptResult(result.slot.word(of: frame), result.slot.kind), to: frame)
  }

  /// The word of the object that was set as the result; 0 for another result, and for what the other runtime's code returned.
  package var objectResultWord: UInt64 {
    guard isSet, result.slot.kind == .object, unsafe foreign?.pointee.hasForeignResult == false else { return 0 }
    return unsafe result.slot.word(of: frame)
  }

  fileprivate mutating func endForeign() {
    guard let foreign = unsafe foreign else { return }
    let slot = result.slot
    if isSet, unsafe !foreign.pointee.hasForeignResult, slot.kind.isForeign {
      unsafe slot.write(word: foreign.pointee.words.passResult(slot.word(of: frame), slot.kind), to: frame)
    }
    if unsafe foreign.pointee.saved != nil { restoreArguments() }
    if unsafe foreign.pointee.keepsArguments { countArguments(isRetained: false) }
    guard unsafe foreign.pointee.consumes else { return }
    let words = unsafe foreign.pointee.words
    for (bit, index) in words.consumedArguments.enumerated() where unsafe foreign.pointee.consumed & 1 << UInt64(bit) == 0 {
      unsafe words.release(body.slots[index].word(of: frame), at: index)
    }
  }

  /// Retains or releases the runtime's objects of the arguments.
  private func countArguments(isRetained: Bool) {
    guard let words = unsafe foreign?.pointee.words else { return }
    for index in 0..<(unsafe body.count) where unsafe body.slots[index].kind == .object {
      let word = foreignWord(at: index)
      if isRetained { words.retain(word, at: index) } else { words.release(word, at: index) }
    }
  }

  /// Gives the code that the call is passed on to its references to the arguments that it consumes.
  private func passConsumed(_ target: UInt64?) {
    guard let foreign = unsafe foreign else { return }
    let words = unsafe foreign.pointee.words
    for (bit, index) in words.consumedArguments.enumerated() {
      // The caller's reference is passed on once, and not to another target.
      if index == 0, let target {
        words.retain(target, at: index)
      } else if unsafe foreign.pointee.consumed & 1 << UInt64(bit) != 0 {
        words.retain(unsafe body.slots[index].word(of: frame), at: index)
      } else {
        unsafe foreign.pointee.consumed |= 1 << UInt64(bit)
      }
    }
  }

  /// Passes the call on to code of the other runtime.
  ///
  /// - Parameters:
  ///   - target: The word of another target; nil for the call's own.
  ///   - keepsArguments: Whether arguments may be read afterwards: the code may release the last reference to them.
  package mutating func forward(toForeign code: UnsafeRawPointer, target: UInt64? = nil, keepsArguments: Bool = false) {
    guard let foreign = unsafe foreign else { return }
    if keepsArguments, unsafe !foreign.pointee.keepsArguments {
      unsafe foreign.pointee.keepsArguments = true
      countArguments(isRetained: true)
    }
    if unsafe foreign.pointee.saved != nil { restoreArguments() }
    if isSet { clearResult() }
    if unsafe foreign.pointee.consumes { passConsumed(target) }
    _ = unsafe passFrame { frame, plan in
      if let target { unsafe plan.slots[0].write(word: target, to: frame) }
      unsafe plan.call(code, frame: frame)
      return (true, nil)
    }
    unsafe foreign.pointee.hasForeignResult = true
  }

  /// Passes a message with the engine's words on to an object of another runtime.
  ///
  /// - Throws: `InvocationError` `typeMismatch` if the target has no method of these types.
  package mutating func forward(to code: any ForeignCode) throws(InvocationError) {
    if isSet { clearResult() }
    let (isCalled, failure) = unsafe passFrame { frame, plan in unsafe code.outcome(frame, plan.kernel, plan.context) }
    if isCalled { return }
    isSet = false
    throw failure
      ?? InvocationError(.typeMismatch, "the target has no method of the types '\(methodSignature)'")
  }

  /// Calls a closure with a copy of the frame for an outgoing call, and copies the result back if it has called.
  @inline(__always)
  private mutating func passFrame(
    _ body: (UnsafeMutableRawPointer, CallPlan) -> (isCalled: Bool, failure: InvocationError?)
  ) -> (isCalled: Bool, failure: InvocationError?) {
    let (incoming, result) = unsafe (frame, result)
    isSet = true
    // The body of the closure retains the plan. A plan in a local variable would be retained and released.
    return unsafe Unmanaged.passUnretained(self.body.methodSignature.storage.plan)._withUnsafeGuaranteedRef { plan in
      func pass(_ copy: UnsafeMutableRawPointer) -> (isCalled: Bool, failure: InvocationError?) {
        unsafe plan.copyArguments(fromIncoming: incoming, to: copy)
        let outcome = unsafe body(copy, plan)
        if outcome.isCalled { unsafe result.copyResult(of: plan, from: copy, to: incoming) }
        return outcome
      }
      if plan.hasSmallFrame {
        return unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) {
          unsafe pass($0.baseAddress.unsafelyUnwrapped)
        }
      }
      return unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: max(16, plan.frameAlignment)) {
        unsafe pass($0.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}

// MARK: - Dispatching

extension ProtocolDispatcher {
  /// Calls a closure with each implementer that is listed and alive, for a module of another runtime.
  ///
  /// Returns false, without a call, if the class of an implementer does not satisfy a condition.
  package func forEachImplementer(ifAll isWanted: (AnyClass) -> Bool, _ body: (Unmanaged<AnyObject>) -> Void) -> Bool {
    implementerList.withSnapshot { snapshot in
      unsafe snapshot.references.withUnsafeBufferPointer { references in
        guard unsafe references.allSatisfy({ isWanted($0.type) }) else { return false }
        for index in references.indices where unsafe references[index].isListed {
          guard let object = unsafe references[index].retain() else {
            implementerList.prune()
            continue
          }
          unsafe body(object)
          unsafe object.release()
        }
        return true
      }
    }
  }
}
