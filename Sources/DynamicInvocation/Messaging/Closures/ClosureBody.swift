/// What a running call of a closure needs, alive until the last one has ended.
@usableFromInline
@safe
final class ClosureBody: @unchecked Sendable {
  // Sendable by hand: `run` captures a Sendable closure and metatypes, which would have to be Sendable by declaration. The slots are
  // immutable.

  /// Runs with the frame of a call and with this object.
  @usableFromInline typealias Run = (IncomingFrame, ClosureBody) -> Void

  /// What the entry calls.
  let run: Run
  /// What that calls with a frame in which the arguments lie as the slots say.
  let typedRun: Run
  @usableFromInline let methodSignature: MethodSignature
  // What the plan says, fewer indirections away; the slots are those of incoming frames.
  @usableFromInline let slots: UnsafePointer<Slot>
  /// The parameters, where their types are known.
  @usableFromInline let parameters: UnsafePointer<ClosureParameter>?
  @usableFromInline let count: Int
  @usableFromInline let result: ResultPlace

  /// - Parameter parameters: The types of the parameters, which were checked; nil for a `run` that looks them up in the signature.
  init(_ methodSignature: MethodSignature, _ parameters: [any EncodedValue.Type]?, _ run: @escaping Run) {
    let plan = methodSignature.storage.plan
    let outgoing = unsafe Array(UnsafeBufferPointer(start: plan.slots, count: plan.count))
    let reading = IncomingReading(outgoing, plan.incoming, isInOnePiece: parameters != nil, run)
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: reading.slots.count)
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

  /// The function as its two words.
  ///
  /// A stored function has the convention of its own type: frame and body in the first registers, the context in the one for it. Given to a
  /// generic parameter it would be wrapped in another.
  var words: (code: UnsafeRawPointer, context: UnsafeMutableRawPointer?) {
    unsafe unsafeBitCast(Stored(run: run), to: (code: UnsafeRawPointer, context: UnsafeMutableRawPointer?).self)
  }

  private struct Stored {
    var run: Run
  }
}

extension ClosureBody {
  /// Whether there is a target, where the arguments begin behind one.
  @inlinable @inline(__always)
  func hasTarget(_ frame: IncomingFrame, _ first: Int) -> Bool {
    unsafe first == 0 || slots[0].word(of: UnsafeRawPointer(frame.memory)) != 0
  }

  /// Lends a method's target, which whoever sends the message keeps.
  @inlinable @inline(__always)
  func withTarget<Target: AnyObject>(of frame: IncomingFrame, _ body: (Target) throws -> Void) rethrows {
    let address = unsafe UnsafeRawPointer(bitPattern: UInt(slots[0].word(of: UnsafeRawPointer(frame.memory))))
    try unsafe Unmanaged<Target>.fromOpaque(address.unsafelyUnwrapped)._withUnsafeGuaranteedRef { try body($0) }
  }

  /// Whether an argument is a value of its type at first sight, as an object of a subclass is not.
  @inlinable @inline(__always)
  func isReadable<Value: EncodedValue>(_ type: Value.Type, _ index: Int, of frame: IncomingFrame) -> Bool {
    guard Value.mayBeRefused else { return true }
    let objectClass = Value.objectClass == nil ? 0 : unsafe parameters.unsafelyUnwrapped[index].objectClass
    return unsafe Value.isValue(slots[index].word(of: UnsafeRawPointer(frame.memory)), of: objectClass)
  }

  /// Writes the result, whose type was checked.
  @inlinable @inline(__always)
  func answer<Value: EncodedValue>(_ value: Value, to frame: IncomingFrame) {
    unsafe answer(value, in: frame.memory)
  }

  /// Gives the caller a result; see the form that takes the frame.
  @inlinable @inline(__always)
  func answer<Value: EncodedValue>(_ value: Value, in frame: UnsafeMutableRawPointer) {
    // The other way apart from the quick one, and without the place in its arguments: it has a closure to make.
    if result.addressOffset < 0 {
      _ = unsafe value.store(in: result.slot, of: frame, keeping: Value.isCounted)
    } else {
      unsafe answerInMemory(value, of: frame)
    }
  }

  @inlinable @inline(never)
  func answerInMemory<Value: EncodedValue>(_ value: Value, of frame: UnsafeMutableRawPointer) {
    unsafe result.write(to: frame) { slot, memory in _ = unsafe value.store(in: slot, of: memory, keeping: false) }
  }

  /// Makes the result zero, and hands the error to the invocation.
  @usableFromInline
  func fail(_ error: any Error, _ place: ErrorPlace, _ frame: IncomingFrame) {
    unsafe result.clear(in: frame.memory)
    if !place.give(error) { fatalError("C called the closure '\(methodSignature)', which threw an error: \(error)") }
  }
}
