/// What a running call of a closure needs, alive until the last one has ended.
@usableFromInline
@safe
final class ClosureBody: @unchecked Sendable {
  // Sendable by hand: `run` captures a Sendable closure and metatypes, which would have to be Sendable by declaration. The slots are
  // immutable.

  /// Runs with the frame of a call and with this object.
  @usableFromInline typealias Run = (IncomingFrame, ClosureBody) -> Void

  let run: Run
  /// Keeps the plan.
  @usableFromInline let methodSignature: MethodSignature
  // What the plan says, fewer indirections away.
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let count: Int
  @usableFromInline let result: ResultPlace

  init(_ methodSignature: MethodSignature, _ run: @escaping Run) {
    let plan = methodSignature.storage.plan
    self.run = plan.entering(run)
    self.methodSignature = methodSignature
    unsafe slots = plan.slots
    count = plan.count
    result = ResultPlace(plan)
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
  /// Reads an argument, whose type was checked; traps for a null that the type cannot express, and for an object of another class.
  @inlinable @inline(__always)
  func argument<Value: EncodedValue>(_ index: Int, of frame: IncomingFrame) -> Value {
    guard let value = unsafe Value.load(from: slots[index], of: UnsafeRawPointer(frame.memory)) else { refuseNull(index) }
    return value
  }

  /// Writes the result, whose type was checked.
  @inlinable @inline(__always)
  func answer<Value: EncodedValue>(_ value: Value, to frame: IncomingFrame) {
    unsafe result.store(value, in: frame.memory)
  }

  @usableFromInline
  func refuseNull(_ index: Int) -> Never {
    fatalError(
      "C called the closure '\(methodSignature)' with null as argument \(index), which is no optional, or with an object of another class")
  }
}
