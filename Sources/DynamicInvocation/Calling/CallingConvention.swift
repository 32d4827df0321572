/// The rules by which a platform passes arguments and results: which register or stack word each value travels in.
///
/// A convention is pure: it computes the same on every host, so that a call for one machine can be explained and tested on another.
public protocol CallingConvention: Sendable {
  /// The short name, as the command line writes it: `sysv`, `aapcs64`.
  var name: String { get }

  /// Places the arguments and the result of a call.
  ///
  /// - Parameter types: The types; an array argument is passed as a pointer to its first element.
  /// - Throws: ``InvocationError`` with the argument concerned when a type has no size or the convention cannot pass it.
  /// - Complexity: O(parts of the types).
  func layout(of types: MethodTypes) throws(InvocationError) -> CallLayout
}

extension CallingConvention {
  /// Refuses what no convention passes by value, and gives back the type as an argument is passed: an array as a pointer.
  func passedType(_ type: TypeEncoding) throws(InvocationError) -> TypeEncoding {
    if case .array(_, let element) = type.kind { return TypeEncoding(.pointer(element)) }
    try requireSize(type)
    return type
  }

  /// Refuses a result that C has no way to return.
  func returnedType(_ type: TypeEncoding) throws(InvocationError) -> TypeEncoding {
    switch type.kind {
    case .void: return type
    case .array: throw InvocationError(.unsupportedType, "C cannot return an array", encoding: type.description)
    case .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .structure,
      .union, .bitField:
      try requireSize(type)
      return type
    }
  }

  private func requireSize(_ type: TypeEncoding) throws(InvocationError) {
    guard type.size == nil else { return }
    let reason =
      switch type.kind {
      case .void: "void is no argument"
      case .bitField: "a bit-field is passed only as a member of a struct"
      case .unknown: "a function is passed only by a pointer to it: ^?"
      case .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .array, .structure, .union:
        "an incomplete type cannot be passed by value"
      }
    throw InvocationError(.unsupportedType, reason, encoding: type.description)
  }
}

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
