/// A call of a closure by C: its arguments, and the location of its result.
///
/// The closure's handler borrows it until the call returns. The type is noncopyable, so the call cannot be stored.
/// Indices and types are checked against the signature as for an ``Invocation``, with the same errors.
@safe
public struct IncomingCall: ~Copyable {
  /// Stays alive until the last running call has returned.
  @usableFromInline unowned(unsafe) let body: ClosureBody
  @usableFromInline let frame: UnsafeMutableRawPointer
  /// Whether the caller releases an object result.
  let returnsRetained: Bool

  /// Whether the result was set.
  public var hasReturnValue: Bool { isSet }

  @usableFromInline var isSet: Bool = false

  /// The state of a call of another runtime; nil for any other.
  @usableFromInline var foreign: UnsafeMutablePointer<ForeignCall>?

  init(_ body: ClosureBody, _ frame: IncomingFrame, returnsRetained: Bool) {
    unsafe self.body = body
    unsafe self.frame = frame.memory
    self.returnsRetained = returnsRetained
    unsafe foreign = nil
  }

  /// The types of the call.
  public var methodSignature: MethodSignature { unsafe body.methodSignature }

  @inlinable var result: ResultPlace { unsafe body.result }

  /// The slot of an argument.
  @inlinable
  func slot(_ index: Int) throws(InvocationError) -> FrameSlot {
    guard index >= 0, index < (unsafe body.count) else { throw methodSignature.indexOutOfRange(index) }
    if unsafe foreign != nil { adoptArguments() }
    return unsafe body.slots[index]
  }
}

extension IncomingCall {
  /// The types: `incoming call of 'qq'`.
  public var description: String { "incoming call of '\(methodSignature.types.shortText.escaped)'" }
}

extension IncomingCall {
  @usableFromInline
  func isNull(_ index: Int, as type: Any.Type) -> InvocationError {
    unsafe body.slots[index].unreadable(in: frame, .index(index), as: type)
  }

  /// Returns an argument as a value of its type; see ``Invocation/argument(at:as:)``.
  @inlinable
  public func argument<Value: EncodedValue>(at index: Int, as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    let slot = try slot(index)
    guard Value.accepts(slot.kind), Value.valueTraits.pointeeType == nil || methodSignature.storage.pointsRight(type, at: index) else {
      return try widerArgument(type, in: slot, at: index)
    }
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame)) else {
      throw isNull(index, as: type)
    }
    return value
  }

  /// Returns an argument that is a number of a narrower type, or throws the error for any other argument.
  @inline(never) @usableFromInline
  func widerArgument<Value: EncodedValue>(_ type: Value.Type, in slot: FrameSlot, at index: Int) throws(InvocationError) -> Value {
    guard WiderNumber(type, of: slot.kind) != nil else { throw methodSignature.mismatch(type, .index(index)) }
    return try unsafe slot.widerValue(as: type, of: frame, .index(index)).get()
  }

  /// Returns an argument that is an object, or nil for null; see ``Invocation/objectArgument(at:)``.
  public func objectArgument(at index: Int) throws(InvocationError) -> AnyObject? {
    let slot = try slot(index)
    guard slot.kind == .object else { throw methodSignature.mismatch(AnyObject.self, .index(index)) }
    return unsafe ObjectReference.object(in: slot, of: frame)
  }

  /// Returns an argument as a boxed value.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`.
  public func boxedArgument(at index: Int) throws(InvocationError) -> BoxedValue {
    let slot = try slot(index)
    return unsafe BoxedValue(in: slot, of: frame, as: body.methodSignature.types.arguments[index])
  }

  /// Copies an argument's bytes to an address; see ``Invocation/getArgument(into:at:)``.
  public func getArgument(into bytes: UnsafeMutableRawPointer, at index: Int) throws(InvocationError) {
    unsafe try slot(index).read(from: frame, to: bytes)
  }
}

// MARK: - Result

extension IncomingCall {
  /// Sets the result.
  ///
  /// An object passed as `Unmanaged` is retained for the caller if the closure returns its objects retained.
  ///
  /// - Parameter value: The value, of the return type. A literal adapts as for an argument.
  /// - Throws: `InvocationError` `typeMismatch`, and `outOfRange` and `inexact` for a literal that does not fit. A string
  ///   is refused, because nothing would free the copy of its text.
  @inlinable
  public mutating func setReturnValue<Value: EncodedValue>(_ value: Value) throws(InvocationError) {
    let result = result
    guard Value.accepts(result.slot.kind),
      Value.valueTraits.pointeeType == nil || methodSignature.storage.pointsRight(Value.self, at: methodSignature.numberOfArguments),
      !Value.copiesText
    else {
      guard let literal = Literal(value) else { throw methodSignature.mismatch(Value.self, .result) }
      return try setResult(literal)
    }
    if result.slot.kind != .object {
      unsafe body.answer(value, in: frame)
      isSet = true
      return
    }
    unsafe replaceResult { slot, memory in _ = unsafe value.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets the result to a literal, converted to the return type.
  @inline(never) @usableFromInline
  mutating func setResult(_ literal: Literal) throws(InvocationError) {
    let converted = try methodSignature.literal(literal, at: methodSignature.numberOfArguments)
    unsafe replaceResult { slot, memory in _ = unsafe converted.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets an object result, which may be null.
  ///
  /// - Throws: `InvocationError` `typeMismatch` if the return type is not an object.
  public mutating func setReturnValue(_ object: AnyObject?) throws(InvocationError) {
    guard result.slot.kind == .object else { throw methodSignature.mismatch(AnyObject.self, .result) }
    unsafe replaceResult { slot, memory in _ = unsafe ObjectReference.store(object, in: slot, of: memory, keeping: false) }
  }

  /// Sets the result from a boxed value, converted to the return type.
  ///
  /// - Throws: `InvocationError` as setting an argument of an invocation does, and `typeMismatch` for a string. The
  ///   result is unchanged after an error.
  public mutating func setReturnValue(boxed value: BoxedValue, options: ConversionOptions = []) throws(InvocationError) {
    let converted = try value.converted(toResult: methodSignature.returnType, options)
    unsafe replaceResult { slot, memory in _ = unsafe converted.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets the result from the bytes at an address; see ``Invocation/setReturnValue(from:)``.
  public mutating func setReturnValue(from bytes: UnsafeRawPointer) {
    unsafe replaceResult { slot, memory in unsafe slot.write(from: bytes, to: memory) }
  }

  /// Writes the result.
  ///
  /// A new object is retained before the previous one is released, because they may be the same.
  @usableFromInline
  mutating func replaceResult(_ write: (FrameSlot, UnsafeMutableRawPointer) -> Void) {
    if unsafe foreign != nil { adoptResult() }
    let former = formerObject
    unsafe result.write(to: frame, write)
    isSet = true
    if returnsRetained, result.slot.kind == .object { _ = unsafe result.slot.retainReference(in: frame) }
    if let former { result.slot.releaseOwned(word: former) }
  }

  /// The object result before it if the caller would release it, or nil.
  private var formerObject: UInt64? {
    hasReturnValue && returnsRetained && result.slot.kind == .object ? unsafe result.slot.word(of: frame) : nil
  }

  /// Returns the result that was set, or the result of the code to which the call was forwarded.
  ///
  /// - Throws: `InvocationError` `noReturnValue`, `typeMismatch`, and `nullNotAllowed` if the result is null and the type is
  ///   not an optional.
  public func returnValue<Value: EncodedValue>(as type: Value.Type = Value.self) throws(InvocationError) -> Value {
    guard isSet else { throw methodSignature.noResult() }
    if unsafe foreign != nil { adoptResult() }
    guard methodSignature.takes(type, at: methodSignature.numberOfArguments) else { throw methodSignature.mismatch(type, .result) }
    let value: Result<Value, InvocationError> = unsafe result.read(from: frame) { slot, memory in
      if let value = unsafe Value.load(from: slot, of: memory) { return .success(value) }
      return .failure(unsafe slot.unreadable(in: memory, .result, as: type).placed(.result, methodSignature.returnType))
    }
    return try value.get()
  }

  /// Returns the result that was set, or the result of the code to which the call was forwarded, as a boxed value.
  ///
  /// - Throws: `InvocationError` `noReturnValue`.
  public func boxedReturnValue() throws(InvocationError) -> BoxedValue {
    guard isSet else { throw methodSignature.noResult() }
    if unsafe foreign != nil { adoptResult() }
    let type = methodSignature.returnType
    return unsafe result.read(from: frame) { slot, memory in unsafe BoxedValue(in: slot, of: memory, as: type) }
  }

  /// Whether the result was not set, unless it is of size zero: an empty struct has only one value.
  var lacksReturnValue: Bool { !hasReturnValue && methodSignature.returnLength > 0 }

  /// Sets the result to zero, and releases a former object result.
  package mutating func clearResult() {
    if unsafe foreign != nil { adoptResult() }
    let former = formerObject
    unsafe result.clear(in: frame)
    isSet = false
    if let former { result.slot.releaseOwned(word: former) }
  }
}

/// The location of the result of an incoming call: in the frame, whose result registers are returned to the caller, or
/// in memory of the caller.
@usableFromInline
struct ResultPlace: Sendable {
  /// The slot in the frame, or in the caller's memory, where its offset is 0.
  @usableFromInline let slot: FrameSlot
  /// The offset in the frame at which the address of the caller's memory is stored, or -1.
  @usableFromInline let addressOffset: Int

  init(_ plan: CallPlan) {
    let own = plan.incoming?.slot(plan.result) ?? plan.result
    addressOffset = plan.resultAddressOffset
    slot = addressOffset < 0 ? own : FrameSlot(kind: own.kind, size: Int(own.size), offset: 0, storage: own.storage)
  }

  /// Calls a closure with the slot and its base address, to write the result.
  @inlinable @inline(__always)
  func write(to frame: UnsafeMutableRawPointer, _ body: (FrameSlot, UnsafeMutableRawPointer) -> Void) {
    if addressOffset < 0 {
      unsafe body(slot, frame)
    } else if slot.size & 7 == 0 {
      unsafe body(slot, callersMemory(of: frame))
    } else {
      unsafe writePadded(to: frame, body)
    }
  }

  /// Returns the caller's memory for the result, and stores its address in the frame as the value of the result
  /// register, because the callee must return it.
  ///
  /// Source: System V ABI for AMD64, section 3.2.3, "Returning of Values".
  @inlinable
  func callersMemory(of frame: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let address = unsafe frame.load(fromByteOffset: addressOffset, as: UInt.self)
    unsafe frame.storeBytes(of: address, as: UInt.self)
    return unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Calls a closure with the slot and its base address, to read the result.
  func read<Value>(from frame: UnsafeMutableRawPointer, _ body: (FrameSlot, UnsafeRawPointer) -> Value) -> Value {
    if addressOffset < 0 { return unsafe body(slot, frame) }
    // A slot is read in whole words, and the caller's memory may be smaller.
    return unsafe withUnsafeTemporaryAllocation(byteCount: slot.extent, alignment: 16) { words in
      let base = unsafe words.baseAddress.unsafelyUnwrapped
      unsafe base.copyMemory(from: callersMemory(of: frame), byteCount: Int(slot.size))
      return unsafe body(slot, base)
    }
  }

  /// Writes through a temporary buffer: a slot is written in whole words, and the caller's memory may be smaller.
  @usableFromInline
  func writePadded(to frame: UnsafeMutableRawPointer, _ body: (FrameSlot, UnsafeMutableRawPointer) -> Void) {
    unsafe withUnsafeTemporaryAllocation(byteCount: slot.extent, alignment: 16) { words in
      let base = unsafe words.baseAddress.unsafelyUnwrapped
      unsafe body(slot, base)
      unsafe callersMemory(of: frame).copyMemory(from: base, byteCount: Int(slot.size))
    }
  }

  /// Copies the result of an outgoing call of the same plan to the caller.
  func copyResult(of plan: CallPlan, from outgoing: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    if slot.storage == .nothing { return }
    if addressOffset < 0, slot.size == 8, slot.storage.isWord {
      unsafe slot.write(word: plan.result.word(of: outgoing), to: frame)
    } else if addressOffset >= 0, slot.storage == .bytes {
      // In the outgoing frame a result in memory is one run of bytes, as in the caller's memory.
      unsafe callersMemory(of: frame).copyMemory(from: outgoing + Int(plan.result.offset), byteCount: Int(slot.size))
    } else {
      unsafe plan.result.withValue(in: outgoing) { value in
        unsafe write(to: frame) { slot, memory in unsafe slot.write(from: value, to: memory) }
      }
    }
  }

  /// Sets the result to zero.
  func clear(in frame: UnsafeMutableRawPointer) {
    unsafe write(to: frame) { slot, memory in unsafe slot.clear(in: memory) }
  }
}

/// How the arguments of an incoming call are read: their slots, and which arguments are first gathered into contiguous
/// memory.
struct IncomingReading {
  /// The slot of each argument in the frame that `run` receives.
  let slots: [FrameSlot]
  /// The function that a closure's entry calls: the closure's own `run`, or a function that first gathers the arguments
  /// that are passed by reference, in several parts or in shared stack words into a frame of its own.
  let run: ClosureBody.Run

  /// Determines how the arguments of a plan's calls are read.
  ///
  /// - Parameters:
  ///   - outgoing: The slots of the arguments in an outgoing frame.
  ///   - image: The frame layout of an incoming call; nil for a backend that has no incoming calls.
  ///   - isInOnePiece: Whether `run` knows the type of each argument, and so reads it as contiguous bytes.
  ///   - run: Runs with the frame of each call.
  init(_ outgoing: [FrameSlot], _ image: IncomingFrameLayout?, isInOnePiece: Bool, _ run: @escaping ClosureBody.Run) {
    guard let image else {
      (slots, self.run) = (outgoing, run)
      return
    }
    let inParts = isInOnePiece ? outgoing.indices.filter { [.twoWords, .homogeneous].contains(outgoing[$0].storage) } : []
    guard !inParts.isEmpty || image.isGathered else {
      (slots, self.run) = (outgoing.map(image.slot), run)
      return
    }
    var gathered = outgoing
    var apart: [(from: FrameSlot, to: Int)] = []
    var size = image.size
    for index in inParts {
      size = size.roundedUp(to: 16)
      gathered[index] = outgoing[index].gathered(at: size)
      apart.append((outgoing[index], size))
      size += outgoing[index].extent
    }
    slots = gathered
    self.run = { [size, apart] incoming, body in
      unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { memory in
        let frame = unsafe memory.baseAddress.unsafelyUnwrapped
        unsafe image.gather(from: incoming.memory, to: frame)
        for value in apart { unsafe value.from.read(from: frame, to: frame + value.to) }
        unsafe run(IncomingFrame(memory: frame), body)
        // The copied registers include the result registers; one of these is stored after other registers.
        unsafe incoming.memory.copyMemory(from: frame, byteCount: image.registerSize)
      }
    }
  }
}

/// The frame of an incoming call, as filled by a closure's entry.
///
/// It is on the stack, and valid until the call returns.
@usableFromInline
@safe
package struct IncomingFrame {
  /// The address.
  @usableFromInline package let memory: UnsafeMutableRawPointer
  /// Whether the arguments have been checked to be values of their types.
  @usableFromInline package let isChecked: Bool

  // An entry passes both fields in two registers.

  init(memory: UnsafeMutableRawPointer, isChecked: Bool = false) {
    unsafe self.memory = memory
    self.isChecked = isChecked
  }
}

extension IncomingFrame {
  /// Checks the arguments of a call that the fast check did not accept, and runs the call if they are values of their
  /// types.
  ///
  /// It is static: an object as `self` would be passed in a register that the caller has to save.
  ///
  /// - Parameters:
  ///   - body: The body of the closure, of known types.
  ///   - frame: The frame of the call.
  ///   - place: The location for the error: `nullNotAllowed` for the first argument that is null although its type does
  ///     not allow it, `typeMismatch` for one that is an object of another class, or the error that the call throws.
  @usableFromInline
  package static func lookCloser(_ body: ClosureBody, _ frame: IncomingFrame, _ place: ErrorPlace) {
    let parameters = unsafe body.parameters.unsafelyUnwrapped
    for index in 0..<body.count where unsafe !parameters[index].accepts(body.slots[index], of: frame.memory) {
      return body.fail(body.unreadable(index, frame), place, frame)
    }
    place.offer()
    unsafe body.typedRun(IncomingFrame(memory: frame.memory, isChecked: true), body)
  }
}

// MARK: - Forwarding

extension IncomingCall {
  /// Passes the call on to other code of the same types, and returns its result to the caller.
  ///
  /// The arguments are passed unchanged: the registers and stack words are copied once. This is the fast path of
  /// forwarding. To inspect the call or to store it, create an invocation with ``makeInvocation(retainsArguments:)``.
  ///
  /// - Parameters:
  ///   - implementation: The code, as for ``Invocation/invoke(using:)``.
  ///   - target: The object to which a message is sent instead, or nil for the original target. It is kept alive until
  ///     the call returns.
  /// - Throws: `InvocationError` `typeMismatch` if a target is given and the call is not a message to an object, if
  ///   the implementation's types are known and differ from the call's, or if the implementation is a method of another
  ///   class than the target's. Also the error of a method that throws; the result is not set then.
  /// - Complexity: O(bytes of the arguments), and the call; allocates only for frames of more than a kilobyte.
  public mutating func forward(to implementation: Implementation, target: AnyObject? = nil) throws {
    if unsafe foreign != nil {
      if target == nil, try implementation.answers(&self) { return }
      adoptArguments()
    }
    guard implementation.mayThrow else { return try pass(to: implementation, target) }
    var refusal: InvocationError?
    do {
      try ErrorPlace.rethrow {
        do throws(InvocationError) { try pass(to: implementation, target) } catch { refusal = error }
      }
    } catch {
      isSet = false
      throw error
    }
    if let refusal { throw refusal }
  }

  @inline(__always)
  private mutating func pass(to implementation: Implementation, _ target: AnyObject?) throws(InvocationError) {
    if target != nil, !isMessageToObject { throw methodSignature.mismatch(AnyObject.self, .index(0)) }
    if !implementation.isOpaque { try require(implementation, target) }
    if isSet { clearResult() }
    let (incoming, result, returnsRetained) = unsafe (frame, result, returnsRetained)
    // The body of the closure retains the plan. A plan in a local variable would be retained and released.
    unsafe Unmanaged.passUnretained(body.methodSignature.storage.plan)._withUnsafeGuaranteedRef { plan in
      if plan.hasSmallFrame {
        unsafe withUnsafeTemporaryAllocation(byteCount: CallPlan.smallFrame, alignment: 16) { memory in
          unsafe Self.pass(incoming, to: implementation, target, plan, result, returnsRetained, in: memory)
        }
      } else {
        unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) { memory in
          unsafe Self.pass(incoming, to: implementation, target, plan, result, returnsRetained, in: memory)
        }
      }
    }
    isSet = true
  }

  /// Throws unless the implementation accepts the types and the target, as far as its own are known.
  @inline(never)
  private func require(_ implementation: Implementation, _ target: AnyObject?) throws(InvocationError) {
    try unsafe implementation.requireTypes(body.methodSignature, nil)
    guard implementation.hasTargetType else { return }
    let given = target.map { UInt64(UInt(bitPattern: unsafe Unmanaged.passUnretained($0).toOpaque())) }
    let word = unsafe given ?? body.slots[0].word(of: frame)
    try unsafe implementation.requireTarget(at: word, MethodSelector.load(from: body.slots[1], of: UnsafeRawPointer(frame)))
  }

  @inline(__always)
  private static func pass(
    _ incoming: UnsafeMutableRawPointer, to implementation: Implementation, _ target: AnyObject?, _ plan: CallPlan, _ result: ResultPlace,
    _ returnsRetained: Bool, in memory: UnsafeMutableRawBufferPointer
  ) {
    let frame = unsafe memory.baseAddress.unsafelyUnwrapped
    unsafe plan.copyArguments(fromIncoming: incoming, to: frame)
    if let target { _ = unsafe ObjectReference.store(target, in: plan.slots[0], of: frame, keeping: false) }
    unsafe plan.call(implementation.pointer, frame: frame)
    withExtendedLifetime(target) {}
    withExtendedLifetime(implementation) {}
    if plan.result.kind == .object, implementation.returnsRetained != returnsRetained {
      // The caller's rule for who releases the object is different.
      if returnsRetained {
        _ = unsafe plan.result.retainReference(in: frame)
      } else {
        unsafe plan.result.releaseOwned(of: frame)
      }
    }
    unsafe result.copyResult(of: plan, from: frame, to: incoming)
  }

  /// Returns the call as an invocation, which can be changed, redirected, stored and invoked at any time.
  ///
  /// - Complexity: O(bytes of the arguments); allocates as a new invocation does, and a copy of each C string.
  public func makeInvocation() -> Invocation { unsafe makeInvocation(retainsArguments: true) }

  /// Returns the call as an invocation, which can be changed, redirected and invoked.
  ///
  /// - Parameter retainsArguments: Whether to retain the objects and copy the C strings. If false, the invocation must
  ///   not be used after the caller has released them, which may be as soon as this call returns.
  /// - Complexity: O(bytes of the arguments); allocates as a new invocation does, and a copy of each C string.
  @unsafe
  public func makeInvocation(retainsArguments: Bool) -> Invocation {
    if unsafe foreign != nil { adoptArguments() }
    let invocation = unsafe Invocation(methodSignature, retainsArguments: false)
    unsafe body.methodSignature.storage.plan.copyArguments(fromIncoming: frame, to: invocation.frame)
    for index in 0..<invocation.count { invocation.core.markSet(index) }
    if retainsArguments { invocation.retainArguments() }
    return invocation
  }

  /// Sets the result of the call to the result of an invocation.
  ///
  /// A result of type `*` may be a part of a text of the invocation, which may free the text before the caller reads
  /// it. Such a result is returned as the same part of the caller's text.
  ///
  /// - Throws: `InvocationError` `typeMismatch` if the invocation has other types, or if its result is a part of
  ///   a text that the caller does not have, for example of an argument that was replaced; `noReturnValue` if it has no
  ///   result.
  public mutating func setReturnValue(of invocation: Invocation) throws(InvocationError) {
    guard methodSignature.carries(invocation.methodSignature) else {
      throw InvocationError(
        .typeMismatch, "an invocation of '\(invocation.methodSignature)' has no result for '\(methodSignature)'", argument: .result)
    }
    guard invocation.hasReturnValue else { throw methodSignature.noResult() }
    if let argument = invocation.core.argumentOfResult {
      let text = try invocation.textOfResult(argument, in: unsafe body.slots[argument].word(of: frame))
      unsafe replaceResult { slot, memory in unsafe slot.write(word: text, to: memory) }
      return
    }
    unsafe replaceResult { slot, memory in
      unsafe invocation.slots[invocation.count].withValue(in: invocation.frame) { unsafe slot.write(from: $0, to: memory) }
    }
  }

  /// Whether the call is a message whose target is an object.
  private var isMessageToObject: Bool { unsafe body.methodSignature.isMethod && body.slots[0].kind == .object }
}

extension Invocation {
  /// Returns the result, a part of the text of an argument, as a part of the caller's text of that argument.
  ///
  /// - Parameters:
  ///   - argument: The index of the argument.
  ///   - text: The address of the caller's text.
  /// - Throws: `InvocationError` `typeMismatch` if the caller does not have the text.
  func textOfResult(_ argument: Int, in text: UInt64) throws(InvocationError) -> UInt64 {
    defer { keepAlive() }
    // A buffer for output is not necessarily a text.
    guard methodSignature.types.arguments[argument].qualifiers.isDisjoint(with: [.out, .inout]),
      let part = unsafe core.result(in: UnsafePointer(bitPattern: UInt(text)))
    else {
      throw InvocationError(.typeMismatch, "the invocation owns the text, and a result does not own the memory of a string")
        .placed(.result, methodSignature.returnType)
    }
    return part
  }
}
