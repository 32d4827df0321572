import CallFrames

extension CallExplanation {
  /// The backend of a call, and the reason why it was chosen.
  struct BackendDescription {
    var name: String
    var reason: String
    var frameLength: Int

    /// Creates a description of the backend on this host, or of the native kernel of another processor's convention.
    init(_ types: MethodTypes, fixedCount: Int?, abi: ABI) throws(InvocationError) {
      switch abi {
      case .sysv where ABI.host != .sysv: self.init(try NativeFrameLayout(types, fixedCount: fixedCount, by: SystemV()))
      case .aapcs64 where ABI.host != .aapcs64: self.init(try NativeFrameLayout(types, fixedCount: fixedCount, by: AAPCS64()))
      case .apple where !ABI.isAppleArm:
        try AppleElsewhere.refuseLongDouble(types)
        self.init(try NativeFrameLayout(types, fixedCount: fixedCount, by: AppleAAPCS64()))
      default: self.init(try CallPlan.make(types, fixedCount: fixedCount))
      }
    }

    private init(_ frame: NativeFrameLayout) {
      name = frame.kernel.name
      reason = frame.reason
      frameLength = frame.size
    }

    private init(_ plan: CallPlan) {
      frameLength = plan.frameSize
      switch plan.backend {
      case .native(let kernel, let layout):
        name = kernel.name
        reason = kernel.reason(layout) ?? ""
      case .libffi, .shadow:
        name = "libffi"
        reason = "this platform has no native kernels"
      }
    }
  }
}

extension LibFFILowering {
  /// Describes the type that is passed to libffi for the result.
  func place(ofResult type: TypeEncoding) -> CallExplanation.Place { Self.place(resultParts(of: type)) }

  /// Describes the types that are passed to libffi for each argument of a plan.
  func places(_ plan: CallPlan) -> [CallExplanation.Place] { argumentParts(plan).map(Self.place) }

  private static func place(_ parts: [LoweredPart]) -> CallExplanation.Place {
    let parts = parts.map { CallExplanation.Part(place: $0.type, offset: $0.offset, size: $0.size) }
    return parts.isEmpty ? .nothing : CallExplanation.Place(location: CallExplanation.Part.location(parts), parts: parts)
  }
}
