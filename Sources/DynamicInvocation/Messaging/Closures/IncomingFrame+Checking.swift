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
