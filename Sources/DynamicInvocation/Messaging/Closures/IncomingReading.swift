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
