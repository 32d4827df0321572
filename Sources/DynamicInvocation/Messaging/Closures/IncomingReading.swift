/// How the arguments of an incoming call are read: where they lie, and what is done before with those that lie in no place of their own.
struct IncomingReading {
  /// The slot of each argument in the frame that `run` gets.
  let slots: [Slot]
  /// What a closure's entry calls: the closure's own `run`, or what first gathers into a frame of its own the values that the caller passes by
  /// reference, or apart.
  let run: ClosureBody.Run

  /// Decides for the calls of a plan.
  ///
  /// - Parameters:
  ///   - outgoing: The slots of the arguments in an outgoing frame.
  ///   - image: The frame of an incoming call; nil of a backend that nothing can come in by.
  ///   - isInOnePiece: Whether `run` reads each argument as one run of bytes, as code does that knows its type.
  ///   - run: Runs with the frame of each call.
  init(_ outgoing: [Slot], _ image: IncomingFrameLayout?, isInOnePiece: Bool, _ run: @escaping ClosureBody.Run) {
    guard let image else {
      (slots, self.run) = (outgoing, run)
      return
    }
    let inParts = isInOnePiece ? outgoing.indices.filter { [.twoWords, .homogeneous].contains(outgoing[$0].storage) } : []
    guard !inParts.isEmpty || !image.references.isEmpty else {
      (slots, self.run) = (outgoing.map(image.slot), run)
      return
    }
    var gathered = outgoing
    var apart: [(from: Slot, to: Int)] = []
    var size = image.size
    for index in inParts {
      size = size.roundedUp(to: 16)
      gathered[index] = outgoing[index].gathered(at: size)
      apart.append((outgoing[index], size))
      size += outgoing[index].extent
    }
    slots = gathered
    self.run = { [size, apart] incoming, body in
      unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { memory in
        let frame = unsafe memory.baseAddress.unsafelyUnwrapped
        unsafe image.gather(from: incoming.memory, to: frame)
        for value in apart { unsafe value.from.read(from: frame, to: frame + value.to) }
        unsafe run(IncomingFrame(memory: frame), body)
        // The result registers are among them, one of them behind others.
        unsafe incoming.memory.copyMemory(from: frame, byteCount: image.registerSize)
      }
    }
  }
}

/// The frame of a call that came in, as a closure's entry filled it.
///
/// It lies on the stack and is gone when the call returns.
@usableFromInline
@safe
struct IncomingFrame {
  /// The address.
  @usableFromInline let memory: UnsafeMutableRawPointer
  /// Whether the arguments were found to be values of their types.
  @usableFromInline let isChecked: Bool

  // An entry passes both, in two registers.

  init(memory: UnsafeMutableRawPointer, isChecked: Bool = false) {
    unsafe self.memory = memory
    self.isChecked = isChecked
  }
}

extension IncomingFrame {
  /// Looks closer at the arguments of a call that are no values of their types at first sight, and runs it when they are.
  ///
  /// It is no method: an object as `self` would travel in a register that the caller had to save.
  ///
  /// - Parameters:
  ///   - body: What the call entered, of known types.
  ///   - frame: The frame of the call.
  ///   - place: The place of the error: `nullNotAllowed` for the first argument that is a null which its type cannot express, `typeMismatch`
  ///     for one that is an object of another class, or what the call throws.
  @usableFromInline
  static func lookCloser(_ body: ClosureBody, _ frame: IncomingFrame, _ place: ErrorPlace) {
    let parameters = unsafe body.parameters.unsafelyUnwrapped
    for index in 0..<body.count where unsafe !parameters[index].accepts(body.slots[index], of: frame.memory) {
      return body.fail(unsafe body.slots[index].unreadable(in: frame.memory, .index(index)), place, frame)
    }
    place.offer()
    unsafe body.typedRun(IncomingFrame(memory: frame.memory, isChecked: true), body)
  }
}

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
