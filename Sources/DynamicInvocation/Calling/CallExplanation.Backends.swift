internal import CFFIShim

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
  func place(ofResult type: TypeEncoding) -> CallExplanation.Place {
    guard let resultPieces, !resultPieces.isEmpty else {
      if case .scalar(.void) = result { return .nothing }
      return place([CallExplanation.Part(place: result.text, offset: 0, size: type.size ?? 0)])
    }
    // For libffi, a result in two registers is a struct of two words.
    guard case .aggregate(let members, _, _) = result, members.count == resultPieces.count else {
      return place([CallExplanation.Part(place: result.text, offset: 0, size: type.size ?? 0)])
    }
    return place(
      zip(members, resultPieces).map { CallExplanation.Part(place: $0.text, offset: $1.offset, size: $1.size) })
  }

  /// Describes the types that are passed to libffi for each argument of a plan.
  func places(_ plan: CallPlan) -> [CallExplanation.Place] {
    var parts: [[CallExplanation.Part]] = Array(repeating: [], count: plan.count)
    for argument in arguments {
      let slot = unsafe plan.slots[argument.index]
      let offset = argument.offset - Int(slot.offset)
      let size = min(argument.type.size ?? Int(slot.size), Int(slot.size) - offset)
      parts[argument.index].append(CallExplanation.Part(place: argument.type.text, offset: offset, size: size))
    }
    return parts.map(place)
  }

  private func place(_ parts: [CallExplanation.Part]) -> CallExplanation.Place {
    CallExplanation.Place(location: CallExplanation.Part.location(parts), parts: parts)
  }
}

extension LibFFILowering.LoweredType {
  /// The name of the type in libffi.
  fileprivate var text: String {
    switch self {
    case .scalar(let scalar): scalar.text
    case .aggregate(let members, _, _): "struct {\(Self.text(members))}"
    case .memory(let size, let alignment): "memory (\(size) bytes, aligned to \(alignment))"
    }
  }

  /// Returns the text of the members, in which adjacent equal members are counted.
  private static func text(_ members: [Self]) -> String {
    var runs: [(member: Self, count: Int)] = []
    for member in members {
      if let last = runs.last, last.member == member { runs[runs.count - 1].count += 1 } else { runs.append((member, 1)) }
    }
    return runs.map { $0.count == 1 ? $0.member.text : "\($0.count) x \($0.member.text)" }.joined(separator: ", ")
  }

  /// The size in bytes, or nil if it depends on the platform.
  fileprivate var size: Int? {
    switch self {
    case .scalar(.uint64), .scalar(.double), .scalar(.pointer): 8
    case .scalar: nil
    case .aggregate(_, let size, _), .memory(let size, _): size
    }
  }
}

extension cffi_scalar {
  /// The name of libffi's type.
  fileprivate var text: String {
    switch self {
    case .void: "void"
    case .uint8: "uint8"
    case .sint8: "sint8"
    case .uint16: "uint16"
    case .sint16: "sint16"
    case .uint32: "uint32"
    case .sint32: "sint32"
    case .uint64: "uint64"
    case .sint64: "sint64"
    case .float: "float"
    case .double: "double"
    case .longDouble: "longdouble"
    case .pointer: "pointer"
    case .complexFloat: "complex_float"
    case .complexDouble: "complex_double"
    case .complexLongDouble: "complex_longdouble"
    }
  }
}
