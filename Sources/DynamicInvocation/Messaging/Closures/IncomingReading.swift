/// How the arguments of an incoming call are read: their slots, and which arguments are first gathered into contiguous
/// memory.
struct IncomingReading {
  /// The slot of each argument in the frame that `run` receives.
  let slots: [FrameSlot]
  /// The function that a closure's entry calls: the closure's own `run`, or a function that first gathers the arguments
  /// that are passed by reference, in several parts or in shared stack words into a frame of its own.
  let run: ClosureBody.Run

  /// Determines how the arguments of a plan's calls are read.
  ///
  /// - Parameters:
  ///   - outgoing: The slots of the arguments in an outgoing frame.
  ///   - image: The frame layout of an incoming call; nil for a backend that has no incoming calls.
  ///   - isInOnePiece: Whether `run` reads each argument as contiguous bytes, as code does that knows its type.
  ///   - run: Runs with the frame of each call.
  init(_ outgoing: [FrameSlot], _ image: IncomingFrameLayout?, isInOnePiece: Bool, _ run: @escaping ClosureBody.Run) {
    guard let image else {
      (slots, self.run) = (outgoing, run)
      return
    }
    let inParts = isInOnePiece ? outgoing.indices.filter { [.twoWords, .homogeneous].contains(outgoing[$0].storage) } : []
    guard !inParts.isEmpty || image.isGathered else {
      (slots, self.run) = (outgoing.map(image.slot), run)
      return
    }
    var gathered = outgoing
    var apart: [(from: FrameSlot, to: Int)] = []
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
        // The copied registers include the result registers, one of which is stored after other registers.
        unsafe incoming.memory.copyMemory(from: frame, byteCount: image.registerSize)
      }
    }
  }
}

/// The frame of an incoming call, as filled by a closure's entry.
///
/// It is on the stack, and valid until the call returns.
@usableFromInline
@safe
package struct IncomingFrame {
  /// The address.
  @usableFromInline package let memory: UnsafeMutableRawPointer
  /// Whether the arguments have been checked to be values of their types.
  @usableFromInline package let isChecked: Bool

  // An entry passes both fields in two registers.

  init(memory: UnsafeMutableRawPointer, isChecked: Bool = false) {
    unsafe self.memory = memory
    self.isChecked = isChecked
  }
}

extension IncomingFrame {
  /// Checks the arguments of a call that the fast check did not accept, and runs the call if they are values of their
  /// types.
  ///
  /// It is static: an object as `self` would be passed in a register that the caller has to save.
  ///
  /// - Parameters:
  ///   - body: The body of the closure, of known types.
  ///   - frame: The frame of the call.
  ///   - place: The location for the error: `nullNotAllowed` for the first argument that is null although its type does
  ///     not allow it, `typeMismatch` for one that is an object of another class, or the error that the call throws.
  @usableFromInline
  package static func lookCloser(_ body: ClosureBody, _ frame: IncomingFrame, _ place: ErrorPlace) {
    let parameters = unsafe body.parameters.unsafelyUnwrapped
    for index in 0..<body.count where unsafe !parameters[index].accepts(body.slots[index], of: frame.memory) {
      return body.fail(body.unreadable(index, frame), place, frame)
    }
    place.offer()
    unsafe body.typedRun(IncomingFrame(memory: frame.memory, isChecked: true), body)
  }
}
