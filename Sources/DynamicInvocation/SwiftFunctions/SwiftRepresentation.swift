internal import TypeEncodings

/// Types whose values have another representation in generic code than in the function that is called.
///
/// The arguments of a call pass through generic code, in which a function value takes and returns everything by
/// address, and the metatype of a struct has a word. A function with a parameter of such a type expects the
/// representation of the type itself, and only the compiler can convert it. In a field of a struct or class the
/// representation is the same in both.
enum SwiftRepresentation {
  /// Throws `InvocationError` `unsupportedType` if values of a type cannot be passed for this reason.
  static func check(_ type: Any.Type, isParameter: Bool) throws(InvocationError) {
    try check(SwiftMetadata(type), isParameter: isParameter)
  }

  private static func check(_ metadata: SwiftMetadata, isParameter: Bool) throws(InvocationError) {
    switch metadata.kind {
    case .function:
      // Functions with the C convention are plain pointers.
      guard metadata.word(1) >> 16 & 0xFF == 0, !isSame(metadata) else { return }
      throw InvocationError(
        .unsupportedType,
        "\(metadata.name) cannot be passed: a closure is passed only as a field of a struct or class, or if it takes nothing and "
          + "returns nothing")
    case .tuple:
      for index in 0..<metadata.word(1) {
        if let element = metadata.metadata(3 + 2 * index) { try check(element, isParameter: isParameter) }
      }
    case .optional:
      if let payload = metadata.metadata(2) { try check(payload, isParameter: false) }
    case .metatype:
      // A parameter of the type of a struct has no bytes in either representation that would be passed.
      guard !isParameter, !(metadata.metadata(1)?.isClass ?? true) else { return }
      throw InvocationError(
        .unsupportedType, "\(metadata.name) cannot be passed: the metatype of a struct, enum or tuple has no bytes in a compiled call")
    case .structure, .enumeration, .object, .foreignReference, .builtin, .existential, .existentialMetatype, .extendedExistential, .other:
      break
    }
  }

  /// Whether a function type has the same representation in generic code: it has no parameters and no result.
  private static func isSame(_ metadata: SwiftMetadata) -> Bool {
    guard metadata.word(1) & 0xFFFF == 0, metadata.word(1) & 0x2000_0000 == 0, let result = metadata.metadata(2) else { return false }
    return result.kind == .tuple && result.word(1) == 0
  }
}
