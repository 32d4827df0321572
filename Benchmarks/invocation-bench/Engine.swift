import Workloads

/// A way to make a call.
enum Engine: String, CaseIterable {
  /// A call in C through a function pointer: what the others are measured by.
  case direct
  /// Plain libffi.
  case libffi = "ffi_call"
  case invocation
  /// A typed call of a `ForeignFunction`, without an object.
  case function
  /// GNU libffcall.
  case avcall

  /// The engines that are there on this machine.
  static var available: [Engine] { allCases.filter { $0 != .avcall || workload_has_avcall() } }

  /// Whether it is somebody else's, so that a wrong result is a remark and not our failure.
  var isRival: Bool { self == .avcall }

  /// Whether the engine has such a phase: a typed call has nothing to set ahead, and avcall nothing to prepare.
  func has(_ phase: Phase) -> Bool {
    switch self {
    case .direct, .libffi, .invocation: true
    case .function: phase != .invoke
    case .avcall: phase != .create
    }
  }
}
