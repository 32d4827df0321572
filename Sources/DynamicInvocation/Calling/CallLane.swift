/// The way a call is carried out.
public enum CallLane: String, Sendable, CaseIterable {
  /// A native kernel where the platform has one for the signature, else libffi.
  case automatic
  /// A native kernel: a few instructions that load the register image and call.
  case native
  /// libffi, on any platform that it supports.
  case libffi
  /// A native kernel, then libffi with the same arguments: a test of the engine itself.
  ///
  /// The implementation is called twice, so it should be one that may be. The native result stands; the process traps when the other differs from it.
  /// Padding, pointers, objects and unions are not compared. Types that one of the lanes cannot pass are refused.
  case shadow
}
