/// The rules by which a platform passes arguments and results in registers and stack words.
///
/// A convention is pure: it computes the same layout on every host, so that a call for one processor can be explained
/// and tested on another.
package protocol CallingConvention: Sendable {
  /// The short name, as used on the command line: `sysv`, `aapcs64`.
  var name: String { get }

  /// Assigns locations to the arguments and the result of a call.
  ///
  /// - Parameters:
  ///   - types: The types; an array argument is passed as a pointer to its first element.
  ///   - fixedCount: The number of fixed arguments of a variadic function; nil for a function that is not variadic.
  /// - Throws: `InvocationError` that identifies the argument if a type has no size or the convention cannot pass it.
  /// - Complexity: O(*n*), where *n* is the number of parts of the types.
  func layout(of types: MethodTypes, fixedCount: Int?) throws(InvocationError) -> CallLayout
}

extension CallingConvention {
  /// Assigns locations to the arguments and the result of a call of a function that is not variadic.
  package func layout(of types: MethodTypes) throws(InvocationError) -> CallLayout { try layout(of: types, fixedCount: nil) }

  /// Places the result and then each argument with its index; an error names the one that it is about.
  func layout(
    of types: MethodTypes, result placeResult: (TypeEncoding, inout CallLayout) throws(InvocationError) -> CallLayout.Placement,
    argument placeArgument: (Int, TypeEncoding, inout CallLayout) throws(InvocationError) -> CallLayout.Placement
  ) throws(InvocationError) -> CallLayout {
    var layout = CallLayout()
    do throws(InvocationError) {
      layout.result = try placeResult(try returnedType(types.result), &layout)
    } catch {
      throw error.at(.result)
    }
    layout.arguments.reserveCapacity(types.arguments.count)
    for (index, argument) in types.arguments.enumerated() {
      do throws(InvocationError) {
        let placement = try placeArgument(index, try passedType(argument), &layout)
        layout.arguments.append(placement)
      } catch {
        throw error.at(.index(index))
      }
    }
    return layout
  }

  /// Returns the type as it is passed as an argument: an array as a pointer, any other type unchanged.
  ///
  /// Throws an error for a type that cannot be passed by value.
  func passedType(_ type: TypeEncoding) throws(InvocationError) -> TypeEncoding {
    if case .array(_, let element) = type.kind { return TypeEncoding(.pointer(element)) }
    try requireSize(type)
    return type
  }

  /// Returns the type of a result.
  ///
  /// Throws an error for a type that C cannot return.
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
  /// Throws an error if the type contains a vector that gcc and clang pass differently or that requires a processor
  /// extension, or an atomic struct or union.
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
