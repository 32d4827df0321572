/// The frame of a call that came in, as a closure's entry filled it.
///
/// It lies on the stack and is gone when the call returns.
@usableFromInline
@safe
struct IncomingFrame {
  /// The address, the one word by which the entry passes it.
  @usableFromInline let memory: UnsafeMutableRawPointer
}
