public import DynamicInvocation

extension TypeEncoding {
  /// Whether gcc 12 reads a variadic argument of this type by an aligned load from a place that need not be aligned.
  ///
  /// It happens with a union in two general-purpose registers that is aligned to 16 bytes, called from C as well.
  public var crashesGCC: Bool {
    switch kind {
    case .structure, .union: size == 16 && alignment == 16
    default: false
    }
  }

  /// Whether C passes a variadic argument of this type as a wider one.
  public var isPromoted: Bool {
    guard case .scalar(let scalar) = kind else { return false }
    return [.int8, .uint8, .int16, .uint16, .bool, .float, .float16].contains(scalar)
  }

  /// Whether a number of less than eight bytes is among the type's floating-point numbers.
  public var containsNarrowFloat: Bool {
    switch kind {
    case .scalar(.float), .scalar(.float16), .complex(.float): true
    case .structure(let record), .union(let record): (record.fields ?? []).contains { $0.type.containsNarrowFloat }
    case .array(_, let element): element.containsNarrowFloat
    default: false
    }
  }

  /// Whether the type is a union or has one within.
  public var containsUnion: Bool {
    switch kind {
    case .union: true
    case .structure(let record): (record.fields ?? []).contains { $0.type.containsUnion }
    case .array(_, let element): element.containsUnion
    default: false
    }
  }
}
