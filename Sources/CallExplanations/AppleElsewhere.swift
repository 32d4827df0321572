import CallFrames

/// Apple's variant of AAPCS64, on a host of another vendor.
///
/// All types but `long double` have the same size there as on this host.
struct AppleElsewhere: CallingConvention {
  var name: String { AppleAAPCS64().name }

  func layout(of types: MethodTypes, fixedCount: Int?) throws(InvocationError) -> CallLayout {
    try Self.refuseLongDouble(types)
    return try AppleAAPCS64().layout(of: types, fixedCount: fixedCount)
  }

  static func refuseLongDouble(_ types: MethodTypes) throws(InvocationError) {
    func refuse(_ type: TypeEncoding, _ argument: InvocationError.Argument) throws(InvocationError) {
      guard type.hasLongDouble else { return }
      throw InvocationError(
        .unsupportedType, "long double has 8 bytes on Apple's platforms, and \(TypeEncoding(.scalar(.longDouble)).size ?? 0) here",
        argument: argument, encoding: type.description)
    }
    try refuse(types.result, .result)
    for (index, type) in types.arguments.enumerated() {
      // An array is passed as an address.
      if case .array = type.kind { continue }
      try refuse(type, .index(index))
    }
  }
}

extension TypeEncoding {
  /// Whether a value of the type contains a `long double`.
  fileprivate var hasLongDouble: Bool {
    switch kind {
    case .scalar(let scalar), .complex(let scalar): scalar == .longDouble
    case .vector(let scalar, _, _, _): scalar == .longDouble
    case .array(_, let element): element.hasLongDouble
    case .structure(let record), .union(let record): record.fields?.contains { $0.type.hasLongDouble } ?? false
    default: false
    }
  }
}
