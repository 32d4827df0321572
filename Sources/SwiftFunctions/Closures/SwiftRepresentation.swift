package import TypeEncodings

/// Values that have another representation in generic code than in the function that is called.
///
/// The arguments of a call pass through generic code, in which a closure takes and returns everything by address, and the
/// metatype of a struct has a word. A function with a parameter of such a type expects the representation of the type
/// itself. A closure is replaced by a ``SwiftClosureAdapter``. In a field of a struct or class the representation is the
/// same in both.
package enum SwiftRepresentation {
  /// A closure in a value, which is replaced.
  package struct Closure: Sendable {
    /// The offset in the value.
    package let offset: Int
    package let plan: SwiftClosurePlan
  }

  /// Where a value is.
  package enum Role {
    case parameter
    case result
    /// A variable or a part of another value, which is not converted.
    case stored
  }

  /// Returns the closures in a value of a type that are replaced.
  ///
  /// - Throws: `InvocationError` `unsupportedType` if values of the type cannot be passed for this reason.
  package static func closures(in type: Any.Type, as role: Role, _ layouts: SwiftTypeLayouts) throws(InvocationError) -> [Closure] {
    var closures: [Closure] = []
    try add(SwiftMetadata(type), at: 0, as: role, layouts, to: &closures)
    return closures
  }

  /// Throws `InvocationError` `unsupportedType` if values of a type have two representations.
  static func requireSame(_ type: SwiftMetadata, _ layouts: SwiftTypeLayouts) throws(InvocationError) {
    var closures: [Closure] = []
    try add(type, at: 0, as: .stored, layouts, to: &closures)
  }

  private static func add(
    _ metadata: SwiftMetadata, at offset: Int, as role: Role, _ layouts: SwiftTypeLayouts, to closures: inout [Closure]
  ) throws(InvocationError) {
    switch metadata.kind {
    case .function:
      // Functions with the C convention are plain pointers.
      guard let function = metadata.swiftFunction, let plan = try SwiftClosurePlan.plan(function, layouts) else { return }
      guard role != .stored else {
        throw InvocationError(
          .unsupportedType, "\(metadata.name) cannot be passed here: a closure is converted as an argument or result, not in a variable")
      }
      closures.append(Closure(offset: offset, plan: plan))
    case .tuple:
      for element in metadata.elements { try add(element.type, at: offset + element.offset, as: role, layouts, to: &closures) }
    case .optional:
      guard let payload = metadata.metadata(2) else { return }
      // An optional closure is the closure, or null. In other optionals nothing is converted.
      try add(payload, at: offset, as: payload.kind == .function ? role : .stored, layouts, to: &closures)
    case .metatype:
      // A parameter of the type of a struct has no bytes in either representation that would be passed.
      guard role != .parameter, metadata.isEmptyMetatype else { return }
      throw InvocationError(
        .unsupportedType, "\(metadata.name) cannot be passed: the metatype of a struct, enum or tuple has no bytes in a compiled call")
    case .structure, .enumeration, .object, .foreignReference, .builtin, .existential, .existentialMetatype, .extendedExistential, .other:
      break
    }
  }
}
