extension Invocation {
  /// Returns an independent invocation with the same arguments, the same result, and the same settings.
  ///
  /// Objects that this invocation keeps are kept by both, and C strings are copied again.
  ///
  /// - Complexity: O(bytes of the frame); allocates as a new invocation does.
  public func copy() -> Invocation {
    let copy = unsafe Invocation(methodSignature, retainsArguments: argumentsRetained)
    copy.implementation = implementation
    copy.capturesErrno = capturesErrno
    copy.capturedErrno = capturedErrno
    copy.firstSet = firstSet
    copy.mayOwn = mayOwn
    unsafe copy.frame.copyMemory(from: frame, byteCount: plan.blockSize)
    unsafe plan.prepare(copy.frame)
    for index in 0..<count where isOwned(index) {
      let slot = unsafe slots[index]
      if slot.kind == .object {
        _ = unsafe ObjectReference.retain(in: slot, of: copy.frame)
      } else if let string = unsafe UnsafePointer<CChar>(bitPattern: UInt(slot.word(of: frame))) {
        _ = unsafe string.store(in: slot, of: copy.frame, keeping: true)
      }
    }
    copy.hasResult = hasResult
    copy.resultOwner = resultOwner
    return copy
  }
}
