/// The frame of one call, on the stack: an invocation without its object.
///
///     let sum = try signature.withFrame { frame in
///       try frame.setArgument(2, at: 0)
///       try frame.setArgument(boxed: value, at: 1)
///       try frame.invoke(using: implementation)
///       return try frame.returnValue(as: Int.self)
///     }
///
/// It is lent to a closure and gone when that returns; as a type that cannot be copied it cannot be kept. Indices, types and arguments never set are
/// checked as those of an ``Invocation`` are, with the same errors. C strings are copied, and objects kept unless it is told not to, until the frame is gone.
@safe
public struct CallFrame: ~Copyable {
  /// What changes, beside the arguments themselves.
  @usableFromInline
  @safe
  struct State {
    /// As ``Invocation/firstSet``.
    @usableFromInline var firstSet: UInt64
    @usableFromInline var hasResult: Bool = false
    /// Whether the frame was ever given something to own.
    @usableFromInline var mayOwn: Bool = false
    /// A result that came retained.
    var ownedResult: Unmanaged<AnyObject>?

    @inlinable
    init(firstSet: UInt64) { self.firstSet = firstSet }
  }

  /// Not retained: the signature that lends the frame holds it.
  @usableFromInline let storage: Unmanaged<MethodSignature.Storage>
  @usableFromInline let frame: UnsafeMutableRawPointer
  @usableFromInline let state: UnsafeMutablePointer<State>
  // Copies of what the plan says: each way through an unretained reference would retain it.
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let count: Int
  @usableFromInline let targetOffset: Int
  @usableFromInline let readyBits: UInt64
  @usableFromInline let kernel: CallPlan.Kernel
  @usableFromInline let context: UnsafeRawPointer?
  /// Whether objects are kept.
  @usableFromInline let keepsObjects: Bool

  /// - Parameters:
  ///   - storage: What plans the call.
  ///   - keepsObjects: Whether objects are kept.
  ///   - frame: At least ``CallPlan/blockSize`` bytes of memory, not necessarily initialized.
  ///   - state: The memory of the state, not initialized.
  @inlinable @inline(__always)
  init(
    _ storage: MethodSignature.Storage, keepsObjects: Bool, frame: UnsafeMutableRawPointer, state: UnsafeMutablePointer<State>
  ) {
    unsafe self.storage = .passUnretained(storage)
    unsafe self.frame = frame
    unsafe self.state = unsafe state
    self.keepsObjects = keepsObjects
    unsafe slots = storage.plan.slots
    count = storage.plan.count
    targetOffset = storage.plan.targetOffset
    readyBits = storage.plan.readyBits
    unsafe kernel = storage.plan.kernel
    unsafe context = storage.plan.context
    unsafe state.initialize(to: State(firstSet: targetOffset < 0 ? CallPlan.noneSet : CallPlan.noneSet | 1))
    // A target is nil until it is set.
    if targetOffset >= 0 { unsafe frame.storeBytes(of: 0, toByteOffset: targetOffset, as: UInt64.self) }
    if count <= CallPlan.firstCount {
      unsafe frame.storeBytes(of: 0, toByteOffset: storage.plan.ownedBitsOffset, as: UInt64.self)
    } else {
      unsafe storage.plan.clearBits(in: frame)
    }
    unsafe storage.plan.prepare(frame)
  }

  /// The types of the call.
  public var methodSignature: MethodSignature { unsafe MethodSignature(storage: storage.takeUnretainedValue()) }

  /// Whether there is a result.
  public var hasReturnValue: Bool { unsafe state.pointee.hasResult }

  @usableFromInline var plan: CallPlan { unsafe storage.takeUnretainedValue().plan }

  /// The error with the message that the frame is of, as far as it is set.
  @usableFromInline
  func named(_ error: InvocationError) -> InvocationError {
    guard plan.isMethod, isSet(1), let selector = unsafe Selector.load(from: slots[1], of: frame) else { return error }
    guard unsafe slots[0].kind == .object, let target = unsafe ObjectReference.object(in: slots[0], of: frame) else {
      return error.about(selector.name)
    }
    return error.about("-[\(type(of: target)) \(selector)]")
  }

  /// Releases what the frame owns.
  @inlinable @inline(__always)
  func finish() {
    if unsafe state.pointee.mayOwn { releaseOwned() }
  }

  @usableFromInline
  func releaseOwned() {
    unsafe plan.releaseOwned(in: frame)
    releaseResult()
  }

  /// Releases a result that came retained.
  func releaseResult() {
    guard let object = unsafe state.pointee.ownedResult else { return }
    unsafe state.pointee.ownedResult = nil
    unsafe object.release()
  }
}

extension MethodSignature {
  /// Lends a closure a frame on the stack, to make calls of these types; it keeps the objects that are set.
  ///
  /// - Parameter body: What sets the arguments, invokes, and reads the result.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  /// - Complexity: Nothing is allocated, save for copies of strings and for frames of more than a kilobyte.
  @inlinable
  public func withFrame<Result, Failure: Error>(_ body: (borrowing CallFrame) throws(Failure) -> Result) throws(Failure) -> Result {
    try unsafe withFrame(retainsArguments: true, body)
  }

  /// Lends a closure a frame on the stack, to make calls of these types.
  ///
  /// - Parameters:
  ///   - retainsArguments: Whether to keep objects as they are set. Without it the caller promises to keep them alive. Strings are copied in
  ///     either case.
  ///   - body: What sets the arguments, invokes, and reads the result.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  /// - Complexity: Nothing is allocated, save for copies of strings and for frames of more than a kilobyte.
  @unsafe @inlinable
  public func withFrame<Result, Failure: Error>(
    retainsArguments: Bool, _ body: (borrowing CallFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    let result = unsafe withUnsafeTemporaryAllocation(byteCount: storage.plan.blockSize, alignment: storage.plan.frameAlignment) { memory in
      unsafe withUnsafeTemporaryAllocation(of: CallFrame.State.self, capacity: 1) { state -> Swift.Result<Result, Failure> in
        let frame = unsafe CallFrame(
          storage, keepsObjects: retainsArguments, frame: memory.baseAddress.unsafelyUnwrapped, state: state.baseAddress.unsafelyUnwrapped)
        defer { frame.finish() }
        do throws(Failure) { return .success(try body(frame)) } catch { return .failure(error) }
      }
    }
    return try result.get()
  }
}
