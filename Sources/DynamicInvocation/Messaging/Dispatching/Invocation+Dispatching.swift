internal import CFFIShim

extension Invocation {
  /// Dispatches the message if the target is a dispatcher to whose protocol it belongs.
  ///
  /// All arguments are set, and the invocation is that of a method.
  ///
  /// - Returns: Whether it is.
  @inline(__always)
  func dispatchToImplementers() throws -> Bool {
    guard unsafe slots[0].kind == .object,
      let address = unsafe UnsafeRawPointer(bitPattern: frame.load(fromByteOffset: core.targetOffset, as: UInt.self)),
      unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef({ type(of: $0) == ProtocolDispatcher.self })
    else { return false }
    // As any target, it is the sender's to keep.
    return try unsafe Unmanaged<ProtocolDispatcher>.fromOpaque(address)._withUnsafeGuaranteedRef { try $0.execute(self) }
  }

  /// Lends a copy of the frame on the stack, and takes the result over from it.
  ///
  /// The copy keeps the arguments as they are now: an implementer may set others meanwhile, or invoke this again.
  ///
  /// - Parameter body: What uses the copy, whose target it sets.
  @inline(__always)
  func withCopiedFrame<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) rethrows -> Result {
    let size = methodSignature.storage.plan.frameSize
    let alignment = methodSignature.storage.plan.frameAlignment
    core.state.hasResult = false
    defer { keepAlive() }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: alignment) { memory in
      let copy = unsafe memory.baseAddress.unsafelyUnwrapped
      // Not as one block: that loads wide over words just written, which waits for them.
      let words = methodSignature.storage.plan.argumentWords
      unsafe cffi_copy_words(copy + 8 * words.lowerBound, frame + 8 * words.lowerBound, words.count)
      let result = core.resultSlot
      unsafe methodSignature.storage.plan.prepare(copy)
      let kept = unsafe core.state.mayOwn ? keepOwned(in: copy) : nil
      defer { kept?.release() }
      let value = try unsafe body(copy)
      unsafe result.copy(from: copy, to: frame)
      core.state.hasResult = true
      return value
    }
  }

  /// Keeps what the arguments refer to that the frame owns, save for the target: one may be replaced while the copy is
  /// in use.
  ///
  /// - Returns: Nil when there is nothing to keep.
  private func keepOwned(in copy: UnsafeMutableRawPointer) -> KeptArguments? {
    // The target is owned by most invocations; the bits of up to 64 arguments are one word.
    let bits = unsafe frame.load(fromByteOffset: methodSignature.storage.plan.ownedBitsOffset, as: UInt64.self)
    return bits & ~1 == 0 && count <= 64 ? nil : unsafe KeptArguments(self, copy)
  }

  /// The second owner of what a frame owns.
  @safe
  private struct KeptArguments {
    private let invocation: Invocation
    private let copy: UnsafeMutableRawPointer
    /// Which of the first arguments are kept.
    private var bits: UInt64 = 0
    private var others: [Int] = []

    init(_ invocation: Invocation, _ copy: UnsafeMutableRawPointer) {
      self.invocation = invocation
      unsafe self.copy = unsafe copy
      for index in 1..<invocation.count where invocation.core.isOwned(index) {
        let slot = unsafe invocation.slots[index]
        guard unsafe slot.retainReference(in: copy) else { continue }
        if index < 64 { bits |= 1 << UInt64(index) } else { others.append(index) }
      }
    }

    func release() {
      var rest = bits
      while rest != 0 {
        unsafe invocation.slots[rest.trailingZeroBitCount].releaseOwned(of: copy)
        rest &= rest - 1
      }
      for index in others { unsafe invocation.slots[index].releaseOwned(of: copy) }
    }
  }
}
