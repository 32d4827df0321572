internal import CFFIShim

/// The frame of one call and its state: the common implementation of ``Invocation`` and ``CallFrame``.
///
/// The memory is one block: a ``State``, the frame, and after the frame the bits that specify which arguments it owns.
/// The core is the address of the frame. Setting, reading, ownership, checks and calls are implemented once here, so
/// that both types have the same rules and the same errors. The owner of the memory must call ``end()`` once, and must
/// keep the signature alive until then.
@usableFromInline
@safe
struct FrameCore {
  @usableFromInline let frame: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(_ frame: UnsafeMutableRawPointer) { unsafe self.frame = frame }

  /// Creates a frame in uninitialized memory.
  ///
  /// No argument is set, and the target is nil.
  ///
  /// - Parameters:
  ///   - signature: The types of the call.
  ///   - retainsObjects: Whether objects are retained.
  ///   - copiesStrings: Whether C strings are copied.
  ///   - block: ``State/size`` bytes for the state, followed by the bytes of the frame and its bits. Aligned to 16.
  @inlinable @inline(__always)
  init(_ signature: MethodSignature.Storage, retainsObjects: Bool, copiesStrings: Bool, in block: UnsafeMutableRawPointer) {
    unsafe self.init(block + State.size)
    unsafe statePointer.initialize(to: State(signature, retainsObjects: retainsObjects, copiesStrings: copiesStrings))
    let targetOffset = signature.plan.targetOffset
    if targetOffset >= 0 { unsafe frame.storeBytes(of: 0, toByteOffset: targetOffset, as: UInt64.self) }
    if signature.plan.count <= CallPlan.firstCount {
      unsafe frame.storeBytes(of: 0, toByteOffset: signature.plan.ownedBitsOffset, as: UInt64.self)
    } else {
      unsafe signature.plan.clearBits(in: frame)
    }
    unsafe signature.plan.prepare(frame)
  }

  /// Creates a frame in memory that is allocated for it, and freed by ``end()``.
  @inline(never) @usableFromInline
  init(allocating signature: MethodSignature.Storage, retainsObjects: Bool, copiesStrings: Bool) {
    let plan = signature.plan
    let offset = State.size.roundedUp(to: plan.frameAlignment)
    guard let block = unsafe cffi_allocate_zeroed(offset + plan.blockSize, plan.frameAlignment) else {
      preconditionFailure("out of memory")
    }
    unsafe self.init(signature, retainsObjects: retainsObjects, copiesStrings: copiesStrings, in: block + offset - State.size)
    state.isAllocated = true
    state.needsRelease = true
  }

  /// Releases what the frame owns, and frees its memory if that was allocated for it.
  @inlinable @inline(__always)
  func end() {
    if state.needsRelease { releaseAll() }
  }

  @inline(never) @usableFromInline
  func releaseAll() {
    if state.mayOwn { unsafe plan.releaseOwned(in: frame) }
    unsafe state.resultObject?.release()
    // A call that was left by a C++ exception did not reach `endCall()`.
    unsafe state.replaced?.release()
    if state.isAllocated { unsafe cffi_free(frame - State.size.roundedUp(to: plan.frameAlignment)) }
  }
}

extension FrameCore {
  /// The state of a call besides its arguments; it is stored immediately before the frame.
  @usableFromInline
  @safe
  struct State {
    /// A bit for each of the first 63 arguments that is set; bit 63 is always set.
    ///
    /// It is the first member: ``CallPlan/targetOffset`` of a plain function is its offset. So a single load checks for
    /// a nil target, for all plans.
    @usableFromInline var setMask: UInt64
    /// The value of ``setMask`` for which a call needs no further check; 0, which ``setMask`` never has, disables the
    /// fast path.
    @usableFromInline var fastPathMask: UInt64
    // Copies of members of the plan, to save one or two indirections.
    @usableFromInline let slots: UnsafePointer<Slot>
    @usableFromInline let count: Int
    @usableFromInline let targetOffset: Int
    @usableFromInline let kernel: CallPlan.Kernel
    @usableFromInline let context: UnsafeRawPointer?
    /// Not retained: the creator of the frame keeps the signature alive.
    @usableFromInline let signature: Unmanaged<MethodSignature.Storage>
    /// The object that the result refers to, retained.
    ///
    /// It is not read from the frame, since a nested call overwrites the result.
    @usableFromInline var resultObject: Unmanaged<AnyObject>?
    /// The objects and C strings of arguments that were replaced while a call was running.
    @usableFromInline var replaced: Unmanaged<ReplacedArguments>?
    /// The object that the frame belongs to.
    ///
    /// Errors get the name of the function from it.
    @usableFromInline unowned(unsafe) var owner: AnyObject?
    /// The number of running calls, during which the frame keeps the arguments alive.
    @usableFromInline var runningCalls: UInt32 = 0
    /// The `errno` of the last call that captured it.
    @usableFromInline var capturedErrno: CInt = 0
    @usableFromInline var hasResult = false
    /// Whether the frame has ever owned an object or a C string.
    @usableFromInline var mayOwn = false
    /// Whether ``FrameCore/releaseAll()`` has anything to release or free.
    @usableFromInline var needsRelease = false
    @usableFromInline var retainsObjects: Bool
    @usableFromInline var copiesStrings: Bool
    @usableFromInline var capturesErrno = false
    /// Whether the block was allocated for this frame.
    @usableFromInline var isAllocated = false

    @inlinable @inline(__always)
    init(_ signature: MethodSignature.Storage, retainsObjects: Bool, copiesStrings: Bool) {
      unsafe self.signature = .passUnretained(signature)
      // Read one by one: a plan in a variable would be retained and released.
      unsafe slots = signature.plan.slots
      count = signature.plan.count
      targetOffset = signature.plan.targetOffset
      unsafe kernel = signature.plan.kernel
      unsafe context = signature.plan.context
      // The target is nil until it is set, which counts as set.
      setMask = signature.plan.targetOffset < 0 ? CallPlan.noneSet : CallPlan.noneSet | 1
      fastPathMask = signature.plan.fastPathMask
      unsafe resultObject = nil
      unsafe replaced = nil
      unsafe owner = nil
      self.retainsObjects = retainsObjects
      self.copiesStrings = copiesStrings
    }

    @inlinable @inline(__always)
    var plan: CallPlan { unsafe signature._withUnsafeGuaranteedRef { $0.plan } }

    /// The size of the state before a frame, a multiple of the alignment of most frames.
    @inlinable @inline(__always)
    static var size: Int { (MemoryLayout<State>.size + 15) & ~15 }
  }

  @inlinable @inline(__always)
  var statePointer: UnsafeMutablePointer<State> { unsafe (frame - State.size).assumingMemoryBound(to: State.self) }

  /// The state, accessed in place.
  @safe
  @inlinable
  var state: State {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(statePointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe statePointer }
  }

  @inlinable @inline(__always) var slots: UnsafePointer<Slot> { unsafe state.slots }
  @inlinable @inline(__always) var count: Int { state.count }
  @inlinable @inline(__always) var targetOffset: Int { state.targetOffset }
  @inlinable @inline(__always) var kernel: CallPlan.Kernel { unsafe state.kernel }
  @inlinable @inline(__always) var context: UnsafeRawPointer? { unsafe state.context }
  @inlinable @inline(__always) var plan: CallPlan { state.plan }

  var methodSignature: MethodSignature { unsafe MethodSignature(storage: state.signature.takeUnretainedValue()) }

  /// The slot of the result.
  @inlinable @inline(__always)
  var resultSlot: Slot { unsafe slots[count] }

  /// Whether the call has a target, or needs none.
  @inlinable @inline(__always)
  var hasTarget: Bool { unsafe frame.load(fromByteOffset: targetOffset, as: UInt64.self) != 0 }

  /// The target of a message to an object, or nil.
  var target: AnyObject? {
    guard targetOffset >= 0 else { return nil }
    let slot = unsafe slots[0]
    if slot.kind == .object { return unsafe ObjectReference.object(in: slot, of: frame) }
    return unsafe ClassReference.type(slot.word(of: frame)) as AnyObject?
  }

  /// The selector of a message; nil if it is not set.
  var selector: Selector? { unsafe targetOffset >= 0 && isSet(1) ? Selector.load(from: slots[1], of: frame) : nil }
}

// MARK: Which arguments are set, and which are owned

extension FrameCore {
  /// Returns whether an argument is set.
  ///
  /// The index must be in range.
  @inlinable @inline(__always)
  func isSet(_ index: Int) -> Bool {
    index < CallPlan.firstCount
      ? state.setMask >> UInt64(truncatingIfNeeded: index) & 1 != 0 : isFarSet(index)
  }

  /// Marks an argument as set.
  ///
  /// The index must be in range.
  @inlinable @inline(__always)
  func markSet(_ index: Int) {
    guard index < CallPlan.firstCount else { return markFarSet(index) }
    // Read before written: of eight consecutive stores to one word each would wait for the previous one.
    let mask: UInt64 = 1 << UInt64(truncatingIfNeeded: index)
    if state.setMask & mask == 0 { state.setMask |= mask }
  }

  @inline(never) @usableFromInline
  func isFarSet(_ index: Int) -> Bool { unsafe plan.isSet(index, in: frame) }

  @inline(never) @usableFromInline
  func markFarSet(_ index: Int) { unsafe plan.markSet(index, in: frame) }

  /// Returns whether the frame owns what an argument refers to.
  ///
  /// The index must be in range.
  func isOwned(_ index: Int) -> Bool { unsafe plan.isOwned(index, in: frame) }

  /// Marks an argument as owned or not.
  ///
  /// The index must be in range.
  func markOwned(_ index: Int, _ isOwned: Bool) {
    if isOwned {
      state.mayOwn = true
      state.needsRelease = true
    }
    unsafe plan.markOwned(index, isOwned, in: frame)
  }

  /// Throws if an argument is not set, with the index of the first one.
  @inline(__always)
  func requireArguments() throws(InvocationError) {
    if count <= CallPlan.firstCount, state.setMask == plan.allSetMask { return }
    try requireEachArgument()
  }

  private func requireEachArgument() throws(InvocationError) {
    guard let index = (0..<count).first(where: { !isSet($0) }) else { return }
    throw notSet(index)
  }
}

// MARK: Errors

/// An object that a frame may belong to.
@usableFromInline
protocol FrameOwner: AnyObject {
  /// The name of the called function, if it is known.
  var functionName: String? { get }
}

extension FrameCore {
  /// Returns the error with the name of the function, or of the message as far as it is set.
  func named(_ error: InvocationError) -> InvocationError {
    if let name = (unsafe state.owner as? any FrameOwner)?.functionName { return error.about(name) }
    guard let selector else { return error }
    guard let target else { return error.about(selector.name) }
    return error.about("-[\((target as? AnyClass) ?? type(of: target)) \(selector)]")
  }

  func indexOutOfRange(_ index: Int) -> InvocationError { named(methodSignature.indexOutOfRange(index)) }

  /// Returns the error for a Swift type that does not match an argument or the result.
  @usableFromInline
  func mismatch(_ type: Any.Type, _ place: InvocationError.Argument) -> InvocationError { named(methodSignature.mismatch(type, place)) }

  func notSet(_ index: Int) -> InvocationError { named(methodSignature.notSet(index)) }

  func noResult() -> InvocationError { named(methodSignature.noResult()) }

  /// Returns the error for a slot that has no value of the requested Swift type.
  @inline(never) @usableFromInline
  func unreadable(_ place: InvocationError.Argument) -> InvocationError {
    switch place {
    case .index(let index): named(unsafe slots[index].unreadable(in: frame, place))
    case .result: named(unsafe resultSlot.unreadable(in: frame, place))
    }
  }
}
