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
