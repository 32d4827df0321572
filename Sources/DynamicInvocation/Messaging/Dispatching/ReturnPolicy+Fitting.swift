extension ReturnPolicy {
  /// Whether the policy can be that of a method of these types.
  func fits(_ types: MethodSignature) -> Bool {
    let kind = types.storage.plan.result.kind
    return switch self {
    case .last, .first, .all, .only, .primary: true
    case .firstNonNil: kind.isNullable
    case .anyTrue, .allTrue: kind.isTruthValue
    case .reduce: kind != .void && kind != .unknown
    }
  }
}

extension ValueKind {
  /// Whether a value may be null.
  fileprivate var isNullable: Bool {
    [.object, .classObject, .selector, .block, .pointer, .cString].contains(self)
  }

  /// Whether a value says yes or no: a bool, or the char that is one in older encodings.
  fileprivate var isTruthValue: Bool {
    [ValueKind(.bool), ValueKind(.int8), ValueKind(.uint8)].contains(self)
  }
}
