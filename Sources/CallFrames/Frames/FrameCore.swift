/// The frame of one call and its state, whoever owns the memory.
///
/// The memory is one block: a ``State``, the frame, and after the frame the bits that specify which arguments it owns.
/// The core is the address of the frame. State, ownership and calls are implemented once here, so that all frames have
/// the same rules. The owner of the memory must call ``end()`` once, and must
/// keep the signature alive until then.
@usableFromInline
@safe
package struct FrameCore {
  @usableFromInline package let frame: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  package init(_ frame: UnsafeMutableRawPointer) { unsafe self.frame = frame }

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
  package init(_ signature: PlannedSignature, retainsObjects: Bool, copiesStrings: Bool, in block: UnsafeMutableRawPointer) {
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

  /// Creates a frame in uninitialized memory of ``smallBlock`` bytes, for a signature whose frames fit it.
  ///
  /// No argument is set, the target is nil, and C strings are copied.
  @inlinable @inline(__always)
  package init(small signature: PlannedSignature, retainsObjects: Bool, in block: UnsafeMutableRawPointer) {
    unsafe self.init(block + State.size)
    unsafe statePointer.initialize(to: signature.newState.pointee)
    state.retainsObjects = retainsObjects
    let targetOffset = signature.plan.targetOffset
    if targetOffset >= 0 { unsafe frame.storeBytes(of: 0, toByteOffset: targetOffset, as: UInt64.self) }
    unsafe frame.storeBytes(of: 0, toByteOffset: signature.plan.ownedBitsOffset, as: UInt64.self)
    unsafe signature.plan.prepare(frame)
  }

  /// Creates a frame in ``smallBlock`` bytes if it fits, otherwise in memory that is allocated for it.
  @inline(never) @usableFromInline
  package init(large signature: PlannedSignature, retainsObjects: Bool, in block: UnsafeMutableRawPointer) {
    if signature.plan.blockSize <= Self.smallBlock - State.size && signature.plan.frameAlignment <= 16 {
      unsafe self.init(signature, retainsObjects: retainsObjects, copiesStrings: true, in: block)
    } else {
      self.init(allocating: signature, retainsObjects: retainsObjects, copiesStrings: true)
    }
  }

  /// The size in bytes of the stack memory for a frame, its state and its bits; larger ones are heap-allocated.
  @inlinable @inline(__always)
  package static var smallBlock: Int { 1024 }

  /// Creates a frame in memory that is allocated for it, and freed by ``end()``.
  @inline(never) @usableFromInline
  package init(allocating signature: PlannedSignature, retainsObjects: Bool, copiesStrings: Bool) {
    let plan = signature.plan
    let offset = State.size.roundedUp(to: plan.frameAlignment)
    let block = unsafe CMemory.allocateZeroed(offset + plan.blockSize, alignment: plan.frameAlignment)
    unsafe self.init(signature, retainsObjects: retainsObjects, copiesStrings: copiesStrings, in: block + offset - State.size)
    state.isAllocated = true
    state.needsRelease = true
  }

  /// Releases what the frame owns, and frees its memory if that was allocated for it.
  @inlinable @inline(__always)
  package func end() {
    if state.needsRelease { releaseAll() }
  }

  @inline(never) @usableFromInline
  package func releaseAll() {
    if state.mayOwn { unsafe plan.releaseOwned(in: frame) }
    unsafe state.resultObject?.release()
    // A call that was left by a C++ exception did not reach `endCall()`.
    unsafe state.replaced?.release()
    if state.isAllocated { unsafe CMemory.free(frame - State.size.roundedUp(to: plan.frameAlignment)) }
  }
}

extension FrameCore {
  /// The state of a call besides its arguments; it is stored immediately before the frame.
  @usableFromInline
  @safe
  package struct State {
    /// A bit for each of the first 63 arguments that is set; bit 63 is always set.
    ///
    /// It is the first member: ``CallPlan/targetOffset`` of a plain function is its offset. So a single load checks for
    /// a nil target, for all plans.
    @usableFromInline package var setMask: UInt64
    /// The value of ``setMask`` for which a call needs no further check; 0, which ``setMask`` never has, disables the
    /// fast path.
    @usableFromInline package var fastPathMask: UInt64
    // Copies of members of the plan, to save one or two indirections.
    @usableFromInline package let slots: UnsafePointer<FrameSlot>
    @usableFromInline package let count: Int
    @usableFromInline package let targetOffset: Int
    @usableFromInline package let kernel: CallPlan.Kernel
    @usableFromInline package let context: UnsafeRawPointer?
    /// Not retained: the creator of the frame keeps the signature alive.
    @usableFromInline package let signature: Unmanaged<PlannedSignature>
    /// The object that the result refers to, retained.
    ///
    /// It is not read from the frame, since a nested call overwrites the result.
    @usableFromInline package var resultObject: Unmanaged<AnyObject>?
    /// The objects and C strings of arguments that were replaced while a call was running, and the C string that the
    /// result points into if it is no longer that of an argument.
    @usableFromInline package var replaced: Unmanaged<ReplacedArguments>?
    /// The object that the frame belongs to.
    ///
    /// Errors get the name of the function from it.
    @usableFromInline package unowned(unsafe) var owner: AnyObject?
    /// The number of running calls, during which the frame keeps the arguments alive.
    @usableFromInline package var runningCalls: UInt32 = 0
    /// The `errno` of the last call that captured it.
    @usableFromInline package var capturedErrno: CInt = 0
    @usableFromInline package var hasResult = false
    /// Whether the frame has ever owned an object or a C string.
    @usableFromInline package var mayOwn = false
    /// Whether ``FrameCore/releaseAll()`` has anything to release or free.
    @usableFromInline package var needsRelease = false
    @usableFromInline package var retainsObjects: Bool
    @usableFromInline package var copiesStrings: Bool
    @usableFromInline package var capturesErrno = false
    /// Whether the block was allocated for this frame.
    @usableFromInline package var isAllocated = false
    /// Whether an invocation that the message is forwarded with retains its arguments, although this one does not.
    ///
    /// With it the size is that of whole words, which are copied by a few moves; 103 bytes would be copied by a call of
    /// `memmove`.
    @usableFromInline package var forwardsRetained = false

    @inlinable @inline(__always)
    package init(_ signature: PlannedSignature, retainsObjects: Bool, copiesStrings: Bool) {
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
    package var plan: CallPlan { unsafe signature._withUnsafeGuaranteedRef { $0.plan } }

    /// The size of the state before a frame, a multiple of the alignment of most frames.
    @inlinable @inline(__always)
    package static var size: Int { (MemoryLayout<State>.size + 15) & ~15 }
  }

  @inlinable @inline(__always)
  package var statePointer: UnsafeMutablePointer<State> { unsafe (frame - State.size).assumingMemoryBound(to: State.self) }

  /// The state, accessed in place.
  @safe
  @inlinable
  package var state: State {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(statePointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe statePointer }
  }

  @inlinable @inline(__always) package var slots: UnsafePointer<FrameSlot> { unsafe state.slots }
  @inlinable @inline(__always) package var count: Int { state.count }
  @inlinable @inline(__always) package var targetOffset: Int { state.targetOffset }
  @inlinable @inline(__always) package var kernel: CallPlan.Kernel { unsafe state.kernel }
  @inlinable @inline(__always) package var context: UnsafeRawPointer? { unsafe state.context }
  @inlinable @inline(__always) package var plan: CallPlan { state.plan }

  /// The slot of the result.
  @inlinable @inline(__always)
  package var resultSlot: FrameSlot { unsafe slots[count] }

  /// Whether the call has a target, or needs none.
  @inlinable @inline(__always)
  package var hasTarget: Bool { unsafe frame.load(fromByteOffset: targetOffset, as: UInt64.self) != 0 }
}

// MARK: Which arguments are set, and which are owned

extension FrameCore {
  /// Returns whether an argument is set.
  ///
  /// The index must be in range.
  @inlinable @inline(__always)
  package func isSet(_ index: Int) -> Bool {
    index < CallPlan.firstCount
      ? state.setMask >> UInt64(truncatingIfNeeded: index) & 1 != 0 : isFarSet(index)
  }

  /// Marks an argument as set.
  ///
  /// The index must be in range.
  @inlinable @inline(__always)
  package func markSet(_ index: Int) {
    guard index < CallPlan.firstCount else { return markFarSet(index) }
    // Read before written: of eight consecutive stores to one word each would wait for the previous one.
    let mask: UInt64 = 1 << UInt64(truncatingIfNeeded: index)
    if state.setMask & mask == 0 { state.setMask |= mask }
  }

  @inline(never) @usableFromInline
  package func isFarSet(_ index: Int) -> Bool { unsafe plan.isSet(index, in: frame) }

  @inline(never) @usableFromInline
  package func markFarSet(_ index: Int) { unsafe plan.markSet(index, in: frame) }

  /// Returns whether the frame owns what an argument refers to.
  ///
  /// The index must be in range.
  @inlinable
  package func isOwned(_ index: Int) -> Bool { unsafe plan.isOwned(index, in: frame) }

  /// Marks an argument as owned or not.
  ///
  /// The index must be in range.
  @inlinable
  package func markOwned(_ index: Int, _ isOwned: Bool) {
    if isOwned {
      state.mayOwn = true
      state.needsRelease = true
    }
    unsafe plan.markOwned(index, isOwned, in: frame)
  }
}

extension FrameCore {
  /// The memory of a small frame, stored in the invocation's object, so that creating one is a single allocation.
  ///
  /// It has room for a register image, about ten words of stack arguments and result memory, and the ownership bits. It
  /// is declared with the alignment of words: for an object with a member aligned to 16 bytes, Swift uses the slower
  /// aligned allocation of the C library.
  @usableFromInline
  package struct InlineFrame {
    @usableFromInline
    typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    @usableFromInline
    var words: (Words, Words, Words, Words, Words) = (
      (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)
    )

    @inlinable
    package init() {}

    /// Returns whether a frame of a plan fits, with the bits after it.
    package static func hasRoom(for plan: CallPlan) -> Bool {
      // The frame starts after the state and its padding, in an invocation's object as in any block.
      let padding = FrameCore.State.size - MemoryLayout<FrameCore.State>.stride
      return plan.blockSize <= MemoryLayout<InlineFrame>.size - padding && plan.frameAlignment <= MemoryLayout<InlineFrame>.alignment
    }
  }
}
