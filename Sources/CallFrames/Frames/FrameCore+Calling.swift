public import CFFIInline

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
    // Before the end, which frees the replaced texts except that of the result.
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
