public import DynamicInvocation

extension TypeEncoding {
  /// Whether gcc 12 reads a variadic argument of this type with an aligned load from an address that may be unaligned.
  ///
  /// This concerns a union in two general-purpose registers with an alignment of 16 bytes, also in calls from C.
  public var crashesGCC: Bool {
    switch kind {
    case .structure, .union: size == 16 && alignment == 16
    default: false
    }
  }

  /// Whether C promotes a variadic argument of this type to a wider type.
  public var isPromoted: Bool {
    guard case .scalar(let scalar) = kind else { return false }
    return [.int8, .uint8, .int16, .uint16, .bool, .float].contains(scalar)
  }

  /// Whether the type contains a floating-point number of less than eight bytes.
  public var containsNarrowFloat: Bool {
    switch kind {
    case .scalar(.float), .scalar(.float16), .complex(.float): true
    case .structure(let record), .union(let record): (record.fields ?? []).contains { $0.type.containsNarrowFloat }
    case .array(_, let element): element.containsNarrowFloat
    default: false
    }
  }

  /// Whether the type is or contains a union.
  public var containsUnion: Bool {
    switch kind {
    case .union: true
    case .structure(let record): (record.fields ?? []).contains { $0.type.containsUnion }
    case .array(_, let element): element.containsUnion
    default: false
    }
  }

  /// Whether a struct of packing 1 in it has a bit-field with the width of an integer.
  ///
  /// gcc treats it differently if a pragma packs it than if the attribute does, and the type does not tell which.
  public var hasPackedBitField: Bool {
    switch kind {
    case .structure(let record), .union(let record):
      (record.fields ?? []).contains { field in
        if case .bitField(let bitField) = field.type.kind {
          return layoutOverride?.packing == 1 && [16, 32, 64, 128].contains(bitField.width)
        }
        return field.type.hasPackedBitField
      }
    case .array(_, let element): element.hasPackedBitField
    default: false
    }
  }
}
