extension CallingConvention {
  /// Refuses a vector that gcc and clang pass differently, or only with a processor extension, anywhere in the type.
  static func refuseUnsettled(_ type: TypeEncoding) throws(InvocationError) {
    switch type.kind {
    case .vector(let element, let count, let size, _):
      guard size == 8 || size == 16, count > 1, element.size <= 8 else {
        throw InvocationError(
          .unsupportedType, "a vector of \(count) \(element.cName) in \(size) bytes has no settled way to be passed",
          encoding: type.description)
      }
    case .array(_, let element): try refuseUnsettled(element)
    case .structure(let record), .union(let record):
      if type.qualifiers.contains(.atomic) {
        throw InvocationError(
          .unsupportedType, "an atomic struct may be padded in a way the encoding does not tell", encoding: type.description)
      }
      for field in record.fields ?? [] { try refuseUnsettled(field.type) }
    case .void, .scalar, .complex, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: break
    }
  }
}
