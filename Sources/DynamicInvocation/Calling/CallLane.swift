/// The way a call is carried out.
public enum CallLane: String, Sendable, CaseIterable {
  /// A native kernel where the platform has one for the signature, else libffi.
  case automatic
  /// A native kernel: a few instructions that load the register image and call.
  case native
  /// libffi, on any platform that it supports.
  case libffi
}
