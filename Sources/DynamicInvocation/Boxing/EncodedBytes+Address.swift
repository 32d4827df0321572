extension EncodedBytes {
  /// Returns the address of the bytes, for an argument that points to a value of this type.
  ///
  /// The bytes stay at the address as long as nothing else accesses the value: during a call with `&`, as the elements of
  /// an array do.
  ///
  /// - Throws: `InvocationError` `typeMismatch` when the argument points to something else, or the type has references.
  mutating func address(for parameter: TypeEncoding, _ kind: ValueKind) throws(InvocationError) -> UInt64 {
    guard kind == .pointer || kind == .cString, PointeeComparison.matches(encoding, parameter) else {
      throw InvocationError(.typeMismatch, "a value of type \(encoding.shortText) is not what is pointed to")
    }
    try encoding.requireNoReferences()
    let address = unsafe bytes.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    // An array of bytes is allocated for types of the default alignment.
    guard address % UInt(encoding.alignment ?? 1) == 0 else {
      throw InvocationError(.typeMismatch, "the bytes are not aligned to \(encoding.alignment ?? 1); allocate memory for the value")
    }
    return UInt64(address)
  }
}

extension PointeeComparison {
  /// Returns whether a pointer to an encoded type can be passed for a parameter of a pointer type.
  static func matches(_ pointee: TypeEncoding, _ parameter: TypeEncoding) -> Bool {
    switch parameter.kind {
    case .pointer(let target): isStored(pointee, as: target)
    case .array(_, let element): isStored(pointee, as: element)
    case .cString, .atom: isStored(pointee, as: TypeEncoding(.scalar(.int8))) || isStored(pointee, as: TypeEncoding(.scalar(.uint8)))
    default: false
    }
  }

  /// Returns whether memory of a target type stores a value of an encoded type, or its first element if it is an array.
  private static func isStored(_ type: TypeEncoding, as target: TypeEncoding) -> Bool {
    switch target.kind {
    case .void, .unknown: return true
    case .structure(let record) where (record.fields ?? []).isEmpty, .union(let record) where (record.fields ?? []).isEmpty:
      // The layout of an opaque type is not known; its name is.
      return record.name != "?" && record.name == type.recordName
    default:
      if type.valueKind == target.valueKind, target.valueKind != .unknown { return true }
      guard case .array(_, let element) = type.kind else { return false }
      return isStored(element, as: target)
    }
  }
}

extension TypeEncoding {
  /// The name of a struct or union; nil without one, and for any other type.
  fileprivate var recordName: String? {
    switch kind {
    case .structure(let record), .union(let record): record.name
    default: nil
    }
  }
}
