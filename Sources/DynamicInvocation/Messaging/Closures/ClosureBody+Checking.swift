internal import CFFIShim

extension IncomingFrame {
  /// Looks closer at the arguments of a call that are no values of their types at first sight, and runs it when they are.
  ///
  /// It is no method: an object as `self` would travel in a register that the caller had to save.
  ///
  /// - Parameters:
  ///   - body: What the call entered.
  ///   - frame: The frame of the call.
  ///   - place: The place of the error: `nullNotAllowed` for the first argument that is a null which its type cannot express, `typeMismatch`
  ///     for one that is an object of another class, or what the call throws.
  @usableFromInline
  static func lookCloser(_ body: ClosureBody, _ frame: IncomingFrame, _ place: ErrorPlace) {
    for (index, type) in body.parameters.enumerated() where unsafe !body.isReadable(index, as: type, of: frame.memory) {
      return body.fail(unsafe body.slots[index].unreadable(in: frame.memory, .index(index)), place, frame)
    }
    place.offer()
    unsafe body.typedRun(IncomingFrame(memory: frame.memory, isChecked: true), body)
  }
}

extension ClosureBody {
  fileprivate func isReadable(_ index: Int, as type: any EncodedValue.Type, of frame: UnsafeRawPointer) -> Bool {
    let slot = unsafe slots[index]
    guard let classes = unsafe self.classes, let objectClass = unsafe UnsafeRawPointer(bitPattern: UInt(classes[index])) else {
      return unsafe Self.isReadable(slot, as: type, of: frame)
    }
    guard let object = unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))) else {
      return unsafe type.isReference(0, to: classes[index])
    }
    return unsafe cffi_is_instance(object, objectClass)
  }

  private static func isReadable<Value: EncodedValue>(_ slot: Slot, as type: Value.Type, of frame: UnsafeRawPointer) -> Bool {
    unsafe Value.load(from: slot, of: frame) != nil
  }
}
