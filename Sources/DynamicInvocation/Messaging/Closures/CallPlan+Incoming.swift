/// The frame of an incoming call as that of an outgoing one: both have the same image of registers.
extension CallPlan {
  /// Copies an incoming call's arguments to a frame for an outgoing call of the same plan.
  ///
  /// Narrow values are extended to whole words: a caller may leave anything in the upper bits of a register or stack word, a callee may
  /// rely on them. Nothing is retained or copied that the arguments refer to.
  ///
  /// - Parameters:
  ///   - incoming: The frame of the incoming call, as a closure of no known types gets it.
  ///   - frame: At least ``frameSize`` bytes.
  func copyArguments(from incoming: IncomingFrame, to frame: UnsafeMutableRawPointer) {
    guard let image = self.incoming else { preconditionFailure("a call came in by another backend than the native one") }
    if image.references.isEmpty {
      unsafe image.copy(from: incoming.memory, to: frame)
    } else {
      // Gathered when the call came in.
      unsafe frame.copyMemory(from: incoming.memory, byteCount: image.size)
    }
    guard hasNarrowArguments else { return unsafe prepare(frame) }
    for index in 0..<count {
      let slot = unsafe slots[index]
      switch slot.storage {
      case .signed, .unsigned, .floating:
        if slot.size < 8 { unsafe slot.write(from: frame + Int(slot.offset), to: frame) }
      case .nothing, .bytes, .twoWords, .homogeneous: break
      }
    }
    unsafe prepare(frame)
  }
}
