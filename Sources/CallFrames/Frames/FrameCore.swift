public import CFFIInline

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

  /// Creates a frame in uninitialized memory of ``smallBlock`` bytes, for a signature whose frames fit it.
  ///
  /// No argument is set, and the target is nil. Objects are retained and C strings copied.
  @inlinable @inline(__always)
  package init(small signature: PlannedSignature, in block: UnsafeMutableRawPointer) {
    unsafe self.init(block + State.size)
    unsafe statePointer.initialize(to: signature.newState.pointee)
    let targetOffset = signature.plan.targetOffset
    if targetOffset >= 0 { unsafe frame.storeBytes(of: 0, toByteOffset: targetOffset, as: UInt64.self) }
    unsafe frame.storeBytes(of: 0, toByteOffset: signature.plan.ownedBitsOffset, as: UInt64.self)
    unsafe signature.plan.prepare(frame)
  }

  /// Creates a frame in uninitialized memory of ``smallBlock`` bytes if it fits; otherwise, or without such memory, in
  /// memory that is allocated for it and freed by ``end()``.
  ///
  /// No argument is set, and the target is nil. Objects are retained and C strings copied.
  @inline(never) @usableFromInline
  package init(_ signature: PlannedSignature, in block: UnsafeMutableRawPointer? = nil) {
    let plan = signature.plan
    let fits = plan.blockSize <= Self.smallBlock - State.size && plan.frameAlignment <= 16
    if fits, let block = unsafe block {
      unsafe self.init(block + State.size)
    } else {
      let offset = State.size.roundedUp(to: plan.frameAlignment)
      unsafe self.init(CMemory.allocateZeroed(offset + plan.blockSize, alignment: plan.frameAlignment) + offset)
    }
    unsafe statePointer.initialize(to: signature.newState.pointee)
    state.isAllocated = unsafe !fits || block == nil
    state.needsRelease = state.isAllocated
    if plan.targetOffset >= 0 { unsafe frame.storeBytes(of: 0, toByteOffset: plan.targetOffset, as: UInt64.self) }
    unsafe plan.clearBits(in: frame)
    unsafe plan.prepare(frame)
  }

  /// The size in bytes of the stack memory for a frame, its state and its bits; larger ones are heap-allocated.
  @inlinable @inline(__always)
  package static var smallBlock: Int { 1024 }

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
    /// result points into if no argument has it any more.
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
    @usableFromInline package var retainsObjects = true
    @usableFromInline package var copiesStrings = true
    @usableFromInline package var capturesErrno = false
    /// Whether the block was allocated for this frame.
    @usableFromInline package var isAllocated = false
    /// Whether the message is forwarded with an invocation that retains its arguments, although this one does not.
    ///
    /// With this member the state has the size of whole words, which a few moves copy; 103 bytes would need a call of `memmove`.
    @usableFromInline package var forwardsRetained = false

    @inlinable @inline(__always)
    package init(_ signature: PlannedSignature) {
      unsafe self.signature = .passUnretained(signature)
      // Read one by one: a plan in a variable would be retained and released.
      unsafe slots = signature.plan.slots
      count = signature.plan.count
      targetOffset = signature.plan.targetOffset
      unsafe kernel = signature.plan.kernel
      unsafe context = signature.plan.context
      // A nil target counts as set, and the target is nil until it is set.
      setMask = signature.plan.targetOffset < 0 ? CallPlan.noneSet : CallPlan.noneSet | 1
      fastPathMask = signature.plan.fastPathMask
      unsafe resultObject = nil
      unsafe replaced = nil
      unsafe owner = nil
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
    // Read before written: each of eight consecutive stores to one word would wait for the previous store.
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
  /// The memory of a small frame, stored in the invocation's object, so that creating an invocation is a single allocation.
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

// MARK: - Calling

// Calls, and their results.
extension FrameCore {
  /// Copies the words of the arguments after the target, or all words where that is required, to another frame of the
  /// plan.
  ///
  /// Copied by words, not as one block: wide loads of words that were just written would stall on store forwarding.
  @inlinable
  package func copyArguments(to copy: UnsafeMutableRawPointer) {
    let words = plan.argumentWords
    unsafe cffi_copy_words(copy + 8 * words.lowerBound, frame + 8 * words.lowerBound, words.count)
  }

  /// Calls the code and keeps what the frame owns alive, even if the callee replaces the arguments.
  ///
  /// The result is no object.
  @inline(never) @usableFromInline
  package func callKeepingArguments(_ code: UnsafeRawPointer) {
    beginCall()
    unsafe kernel(frame, code, context)
    // Before the end, which frees the replaced texts except the result's.
    state.hasResult = true
    endCall()
  }

  /// Runs a call, keeps what the arguments refer to alive meanwhile, and keeps the result.
  ///
  /// The previous object result is released afterwards: its deinitializer may set another target, and the target has
  /// been checked already.
  ///
  /// - Parameters:
  ///   - mayThrow: Whether the callee may throw.
  ///   - isRetained: Whether the callee returns an object retained for the caller.
  ///   - call: The call, which writes the result.
  @inlinable @inline(__always)
  package func withRunningCall(mayThrow: Bool, isRetained: Bool, _ call: () -> Void) throws {
    state.hasResult = false
    beginCall()
    defer { endCall() }
    if mayThrow { try rethrow(call) } else { call() }
    // Before the end of the call, which releases the replaced arguments: the result may be one of them.
    keepResult(isRetained: isRetained)
  }

  /// Runs a call that may throw.
  ///
  /// If it throws there is no result, even if a call within it had one.
  @inlinable @inline(__always)
  package func rethrow(_ call: () -> Void) throws {
    do { try ErrorPlace.rethrow(call) } catch {
      releaseResult()
      throw error
    }
  }

  /// Calls code with a frame of the plan, and captures `errno` if requested.
  @inlinable @inline(__always)
  package func execute(_ code: UnsafeRawPointer, in frame: UnsafeMutableRawPointer) {
    if state.capturesErrno {
      unsafe state.capturedErrno = plan.callCapturingErrno(code, frame: frame)
    } else {
      unsafe kernel(frame, code, context)
    }
  }

  /// Marks the result as present.
  ///
  /// If it is an object, retains it and releases the previous one.
  ///
  /// - Parameter isRetained: Whether the callee returned the object retained for the caller.
  @usableFromInline
  package func keepResult(isRetained: Bool = false) {
    state.hasResult = true
    guard resultSlot.kind == .object else { return }
    let old = unsafe state.resultObject
    let object = unsafe UnsafeRawPointer(bitPattern: UInt(resultSlot.word(of: frame))).map { unsafe Unmanaged<AnyObject>.fromOpaque($0) }
    // The new object is retained before the old one is released: they may be the same.
    if !isRetained { _ = unsafe object?.retain() }
    unsafe state.resultObject = unsafe object
    if unsafe object != nil { state.needsRelease = true }
    unsafe old?.release()
  }

  /// Discards the result, and releases the object that it refers to.
  @inlinable
  package func releaseResult() {
    state.hasResult = false
    guard let object = unsafe state.resultObject else { return }
    unsafe state.resultObject = nil
    unsafe object.release()
  }

  @usableFromInline
  package func setZeroResult() {
    releaseResult()
    unsafe resultSlot.clear(in: frame)
    state.hasResult = true
  }
}

// MARK: - Ownership

// Which objects and C strings a frame owns, and when it releases them.
extension FrameCore {
  /// Whether the frame retains the object or copies the C string that is set at an index.
  ///
  /// It does not copy the buffer of an output argument.
  @usableFromInline
  package func keeps(_ kind: ValueKind, _ index: Int) -> Bool {
    guard kind == .object ? state.retainsObjects : state.copiesStrings else { return false }
    return unsafe state.signature._withUnsafeGuaranteedRef { $0.types.arguments[index].qualifiers.isDisjoint(with: [.out, .inout]) }
  }

  /// Writes a slot, then releases what it owned before.
  ///
  /// The order matters: the new value may be a part of the old one.
  ///
  /// - Parameter write: Writes the slot, and returns whether the frame then owns what the slot refers to.
  @usableFromInline
  package func replace(_ index: Int, _ write: (FrameSlot) -> Bool) {
    let slot = unsafe slots[index]
    let old = unsafe isOwned(index) ? slot.word(of: frame) : nil
    markOwned(index, write(slot))
    if let old { release(old, replacedIn: slot) }
  }

  /// Releases what a slot owned before: now, or when no call is running, since closures borrow the objects of their
  /// arguments.
  ///
  /// A text that the result points into is released after the next call, unless that call returns a part of it again.
  package func release(_ old: UInt64, replacedIn slot: FrameSlot) {
    guard state.runningCalls > 0 || slot.kind == .cString && resultText.map({ Self.isText(at: old, around: $0) }) == true else {
      return slot.releaseOwned(word: old)
    }
    keepReplaced(old, slot)
  }

  /// Keeps what an argument referred to until the end of the next call that is not nested in another call.
  @inline(never)
  private func keepReplaced(_ word: UInt64, _ slot: FrameSlot) {
    let all = unsafe state.replaced ?? .passRetained(ReplacedArguments())
    unsafe state.replaced = unsafe all
    state.mayOwn = true
    state.needsRelease = true
    unsafe all._withUnsafeGuaranteedRef { $0.values.append((slot, word)) }
  }

  /// The address of a result that is a C string; nil for null and for other results.
  private var resultText: UInt64? {
    guard state.hasResult, resultSlot.kind == .cString, case let word = unsafe resultSlot.word(of: frame), word != 0 else { return nil }
    return word
  }

  /// Whether an address is in the memory of a C string that a frame owns.
  ///
  /// The text may be shorter than its memory: a callee such as `strtok` shortens it.
  fileprivate static func isText(at start: UInt64, around address: UInt64) -> Bool {
    guard address >= start, let text = unsafe UnsafeRawPointer(bitPattern: UInt(start)) else { return false }
    return unsafe address - start < CMemory.size(of: text)
  }

  /// The argument whose C string contains the result, if the frame owns the string; also an argument that was replaced.
  ///
  /// A function such as `strchr` returns a part of its argument.
  package var argumentOfResult: Int? {
    guard state.mayOwn, let address = resultText else { return nil }
    for index in 0..<count where unsafe slots[index].kind == .cString && isOwned(index) {
      if Self.isText(at: unsafe slots[index].word(of: frame), around: address) { return index }
    }
    guard let slot = unsafe state.replaced?._withUnsafeGuaranteedRef({ $0.slotOfText(around: address) }) else { return nil }
    return (0..<count).first { unsafe slots[$0].offset == slot.offset }
  }

  /// Returns the address of the part at the end of a C string that is equal to a C string result.
  ///
  /// Returns nil if the C string or the result is null, or if the C string does not end with the text of the result.
  package func result(in text: UnsafePointer<CChar>?) -> UInt64? {
    guard let text = unsafe text, let result = unsafe resultText.flatMap({ unsafe UnsafePointer<CChar>(bitPattern: UInt($0)) }),
      let end = unsafe CMemory.end(of: text, equalTo: result)
    else { return nil }
    return UInt64(UInt(bitPattern: end))
  }

  /// Takes over the text of a result that was copied from another frame of the plan, if that frame owns the text.
  ///
  /// The other frame may free it at any time. So the result becomes a part of this frame's own argument if that ends
  /// with the same text, and otherwise a copy that this frame owns until its next call.
  package func takeText(of other: FrameCore) {
    guard let argument = other.argumentOfResult else { return }
    let slot = unsafe slots[argument]
    if isOwned(argument), let part = unsafe other.result(in: UnsafePointer(bitPattern: UInt(slot.word(of: frame)))) {
      return unsafe resultSlot.write(word: part, to: frame)
    }
    guard unsafe resultSlot.retainReference(in: frame) else { return }
    keepReplaced(unsafe resultSlot.word(of: frame), slot)
  }

  /// Retains the object or copies the C string that a slot refers to, if the frame does so for the argument.
  ///
  /// Returns whether it did.
  package func keepReference(in slot: FrameSlot, _ index: Int) -> Bool {
    guard keeps(slot.kind, index) else { return false }
    return unsafe slot.retainReference(in: frame)
  }

  /// Retains every object and copies every C string set so far, and those set from now on.
  package func retainArguments() {
    guard !state.retainsObjects else { return }
    state.retainsObjects = true
    state.copiesStrings = true
    for index in 0..<count where isSet(index) && !isOwned(index) {
      markOwned(index, unsafe keepReference(in: slots[index], index))
    }
  }

  /// Begins a call: what the arguments own stays alive until it ends.
  @inlinable @inline(__always)
  package func beginCall() { state.runningCalls &+= 1 }

  /// Ends a call.
  @inlinable @inline(__always)
  package func endCall() {
    state.runningCalls &-= 1
    if unsafe state.replaced != nil { releaseReplaced() }
  }

  @inline(never) @usableFromInline
  package func releaseReplaced() {
    guard state.runningCalls == 0, let all = unsafe state.replaced else { return }
    unsafe state.replaced = unsafe resultText.flatMap { address in
      unsafe all._withUnsafeGuaranteedRef { unsafe $0.takeText(around: address) }
    }
    // Last: a deinitializer that runs here may use the frame.
    unsafe all.release()
  }
}

/// The objects and C strings of arguments that were replaced while a call was running, and the C string that the result
/// points into if no argument has it any more.
@usableFromInline
package final class ReplacedArguments {
  fileprivate var values: [(slot: FrameSlot, word: UInt64)] = []

  deinit {
    for (slot, word) in values { slot.releaseOwned(word: word) }
  }

  /// The slot of the argument whose C string contains an address.
  fileprivate func slotOfText(around address: UInt64) -> FrameSlot? { index(around: address).map { values[$0].slot } }

  /// Moves the C string that contains an address to an object of its own.
  fileprivate func takeText(around address: UInt64) -> Unmanaged<ReplacedArguments>? {
    guard let index = index(around: address) else { return nil }
    let taken = ReplacedArguments()
    taken.values.append(values.remove(at: index))
    return unsafe .passRetained(taken)
  }

  private func index(around address: UInt64) -> Int? {
    values.firstIndex { $0.slot.kind == .cString && FrameCore.isText(at: $0.word, around: address) }
  }
}

extension FrameSlot {
  /// Releases what the frame owns through this slot: an object, or the copy of a C string.
  @usableFromInline
  package func releaseOwned(of frame: UnsafeRawPointer) { unsafe releaseOwned(word: word(of: frame)) }

  /// Releases what a word from the slot refers to.
  @usableFromInline
  package func releaseOwned(word: UInt64) {
    guard let address = unsafe UnsafeMutableRawPointer(bitPattern: UInt(word)) else { return }
    if kind == .object {
      unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
    } else {
      unsafe CMemory.free(address)
    }
  }

  /// Retains the object that the slot refers to, or replaces its C string or the memory of its array by a copy, in a copy
  /// of a frame that owns it.
  package func retainOwned(in frame: UnsafeMutableRawPointer) -> Bool {
    guard kind != .object, let address = unsafe UnsafeMutableRawPointer(bitPattern: UInt(word(of: frame))) else {
      return unsafe retainReference(in: frame)
    }
    // All of the memory: an array of characters may contain zeros.
    let size = unsafe Int(CMemory.size(of: address))
    let copy = unsafe CMemory.allocateZeroed(size)
    unsafe copy.copyMemory(from: address, byteCount: size)
    unsafe write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    return true
  }

  /// Retains the object that the slot refers to, or replaces its C string by a copy.
  ///
  /// Returns false for null and for other kinds.
  package func retainReference(in frame: UnsafeMutableRawPointer) -> Bool {
    guard let address = unsafe UnsafeMutableRawPointer(bitPattern: UInt(word(of: frame))) else { return false }
    if kind == .object {
      _ = unsafe Unmanaged<AnyObject>.fromOpaque(address).retain()
    } else if kind == .cString {
      let copy = unsafe CMemory.copy(address.assumingMemoryBound(to: CChar.self))
      unsafe write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    } else {
      return false
    }
    return true
  }
}
