extension Invocation {
  /// Returns an independent invocation with the same arguments, the same result, and the same settings.
  ///
  /// Objects that this invocation keeps are kept by both, and C strings are copied again.
  ///
  /// - Complexity: O(bytes of the frame); allocates as a new invocation does.
  public func copy() -> Invocation {
    let copy = unsafe Invocation(methodSignature, retainsArguments: argumentsRetained)
    copy.implementation = implementation
    defer { withExtendedLifetime(self) { copy.keepAlive() } }
    core.copy(to: copy.core)
    return copy
  }
}

extension FrameCore {
  /// Gives another frame of the same plan the same arguments and the same result; it owns copies of what this one owns.
  func copy(to other: FrameCore) {
    unsafe other.frame.copyMemory(from: frame, byteCount: plan.blockSize)
    unsafe plan.prepare(other.frame)
    for index in 0..<count where isOwned(index) {
      other.markOwned(index, unsafe slots[index].retainReference(in: other.frame))
    }
    other.state.setMask = state.setMask
    other.state.fastPathMask = state.fastPathMask
    other.state.capturesErrno = state.capturesErrno
    other.state.capturedErrno = state.capturedErrno
    if state.hasResult { other.keepResult() }
  }
}
