/// The data of a closure that its calls use.
///
/// It stays alive until the last running call has returned.
@usableFromInline
@safe
package final class ClosureBody: @unchecked Sendable {
  // Unchecked Sendable: `run` captures a Sendable closure and metatypes, which cannot be declared Sendable here. The
  // slots are immutable.

  /// Runs with the frame of a call and with this object.
  @usableFromInline package typealias Run = (IncomingFrame, ClosureBody) -> Void

  /// The function that the entry calls.
  let run: Run
  /// The function that `run` calls with a frame in which the arguments are at the offsets of the slots.
  let typedRun: Run
  @usableFromInline let methodSignature: MethodSignature
  // The plan's values, with fewer indirections. The slots are for incoming frames.
  @usableFromInline package let slots: UnsafePointer<FrameSlot>
  /// The parameters, or nil if their types are not known.
  @usableFromInline let parameters: UnsafePointer<ClosureParameter>?
  @usableFromInline let count: Int
  @usableFromInline let result: ResultPlace

  /// - Parameter parameters: The types of the parameters, already checked; nil if `run` looks them up in the signature.
  init(_ methodSignature: MethodSignature, _ parameters: [any EncodedValue.Type]?, _ run: @escaping Run) {
    let plan = methodSignature.storage.plan
    let outgoing = unsafe Array(UnsafeBufferPointer(start: plan.slots, count: plan.count))
    let reading = IncomingReading(outgoing, plan.incoming, isInOnePiece: parameters != nil, run)
    let slots = UnsafeMutablePointer<FrameSlot>.allocate(capacity: reading.slots.count)
    unsafe slots.initialize(from: reading.slots, count: reading.slots.count)
    unsafe self.slots = UnsafePointer(slots)
    unsafe self.parameters = parameters.map { types in
      let parameters = UnsafeMutablePointer<ClosureParameter>.allocate(capacity: types.count)
      unsafe parameters.initialize(from: types.map(ClosureParameter.init), count: types.count)
      return unsafe UnsafePointer(parameters)
    }
    self.run = reading.run
    typedRun = run
    self.methodSignature = methodSignature
    count = plan.count
    result = ResultPlace(plan)
  }

  deinit {
    unsafe slots.deallocate()
    unsafe parameters?.deallocate()
  }

  /// The function as its two machine words: code and context.
  ///
  /// A function stored in a struct has the calling convention of its own type: frame and body in the first argument
  /// registers, the context in the context register. Passed to a generic parameter, it would be wrapped in another
  /// function.
  var words: (code: UnsafeRawPointer, context: UnsafeMutableRawPointer?) {
    unsafe unsafeBitCast(Stored(run: run), to: (code: UnsafeRawPointer, context: UnsafeMutableRawPointer?).self)
  }

  private struct Stored {
    var run: Run
  }

  /// Opens a stub that enters the function, and that keeps this object alive until it is closed.
  ///
  /// - Throws: `InvocationError` `unsupportedType` and `limitExceeded`.
  func openStub(in bank: ClosureBank = .shared) throws(InvocationError) -> ClosureBank.Stub {
    let words = unsafe words
    return try unsafe bank.open(methodSignature.storage, code: words.code, context: words.context, body: self)
  }
}

extension ClosureBody {
  /// Returns whether the target is not null.
  ///
  /// Always true if the arguments do not follow a target.
  @inlinable @inline(__always)
  func hasTarget(_ frame: IncomingFrame, _ first: Int) -> Bool {
    unsafe first == 0 || slots[0].word(of: UnsafeRawPointer(frame.memory)) != 0
  }

  /// Calls a function with a method's target, which is borrowed: the sender of the message keeps it alive.
  @inlinable @inline(__always)
  func withTarget<Target: AnyObject>(of frame: IncomingFrame, _ body: (Target) throws -> Void) rethrows {
    let address = unsafe UnsafeRawPointer(bitPattern: UInt(slots[0].word(of: UnsafeRawPointer(frame.memory))))
    try unsafe Unmanaged<Target>.fromOpaque(address.unsafelyUnwrapped)._withUnsafeGuaranteedRef { try body($0) }
  }

  /// Returns whether the fast check accepts an argument as a value of its type.
  ///
  /// It does not accept an object of a subclass.
  @inlinable @inline(__always)
  func isReadable<Value: EncodedValue>(_ type: Value.Type, _ index: Int, of frame: IncomingFrame) -> Bool {
    let traits = Value.valueTraits
    guard traits.mayBeRefused else { return true }
    let objectClass = traits.objectClass == nil ? 0 : unsafe parameters.unsafelyUnwrapped[index].objectClass
    return unsafe traits.isValue(slots[index].word(of: UnsafeRawPointer(frame.memory)), of: objectClass)
  }

  /// Writes the result.
  ///
  /// Its type was checked before.
  @inlinable @inline(__always)
  package func answer<Value: EncodedValue>(_ value: Value, to frame: IncomingFrame) {
    unsafe answer(value, in: frame.memory)
  }

  /// Writes the result for the caller; see the form that takes an `IncomingFrame`.
  @inlinable @inline(__always)
  func answer<Value: EncodedValue>(_ value: Value, in frame: UnsafeMutableRawPointer) {
    // The path for results in memory is a separate function, and does not pass `ResultPlace`, because it creates a
    // closure.
    if result.addressOffset < 0 {
      _ = unsafe value.store(in: result.slot, of: frame, keeping: Value.valueTraits.isCounted)
    } else {
      unsafe answerInMemory(value, of: frame)
    }
  }

  @inlinable @inline(never)
  func answerInMemory<Value: EncodedValue>(_ value: Value, of frame: UnsafeMutableRawPointer) {
    unsafe result.write(to: frame) { slot, memory in _ = unsafe value.store(in: slot, of: memory, keeping: false) }
  }

  /// Sets the result to zero, and passes the error to the invocation.
  ///
  /// Traps if the caller is not an invocation.
  @usableFromInline
  func fail(_ error: any Error, _ place: ErrorPlace, _ frame: IncomingFrame) {
    unsafe result.clear(in: frame.memory)
    if !place.give(error) { fatalError("C called the closure '\(methodSignature)', which threw an error: \(error)") }
  }

  /// The error for an argument that is no value of its type, with the name of the message if the closure is a method.
  func unreadable(_ index: Int, _ frame: IncomingFrame) -> InvocationError {
    let failure = unsafe slots[index].unreadable(in: frame.memory, .index(index), as: parameters?[index].valueType)
    let error = failure.placed(.index(index), methodSignature.types.arguments[index])
    guard methodSignature.isMethod, unsafe slots[0].kind == .object,
      let selector = unsafe MethodSelector.load(from: slots[1], of: frame.memory)
    else { return error }
    return error.about(selector, to: unsafe ObjectReference.object(in: slots[0], of: frame.memory))
  }
}

// MARK: - Any number of parameters

// The calls of closures whose parameters are a pack. Packs of up to ten are in Generated/ClosureBody+Running.swift: there
// objects are borrowed, and their classes are compared without a function call.

extension ClosureBody {
  /// Runs a call whose arguments are checked to be values of their types.
  ///
  /// - Parameters:
  ///   - frame: The frame of the call.
  ///   - first: The index of the first argument: 2 for a method, 0 for a function.
  ///   - mayThrow: Whether the call may end with an error.
  ///   - body: Reads the arguments from the index that it gets, with ``next(_:of:_:)``, calls the closure, and writes the
  ///     result.
  @usableFromInline
  package func runChecked(_ frame: IncomingFrame, from first: Int, mayThrow: Bool, _ body: (inout Int) throws -> Void) {
    let place = mayThrow ? ErrorPlace.take() : .none
    guard frame.isChecked else { return IncomingFrame.lookCloser(self, frame, place) }
    var index = first
    do { try body(&index) } catch { fail(error, place, frame) }
  }

  /// Returns the argument at an index, which was checked to be a value of its type, and counts the index up.
  @inlinable @inline(__always)
  package func next<Value: EncodedValue>(_ type: Value.Type, of frame: IncomingFrame, _ index: inout Int) -> Value {
    let slot = unsafe FrameSlot(inOnePiece: slots[index])
    index += 1
    guard let value = unsafe Value.load(from: slot, of: UnsafeRawPointer(frame.memory)) else {
      preconditionFailure("the type \(Value.self) has no value for an argument, but says that it always has")
    }
    return value
  }
}
