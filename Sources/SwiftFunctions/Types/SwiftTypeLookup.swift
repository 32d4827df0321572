internal import SwiftSymbols
internal import TypeEncodings

/// Finds types by their mangled names.
package enum SwiftTypeLookup {
  /// Returns the type with a mangled name without prefix, or nil if the runtime has none.
  ///
  /// The runtime searches all loaded libraries.
  ///
  /// - Parameter arguments: What the generic parameters in the name stand for, at most ``mostArguments``.
  package static func type(mangled name: [UInt8], _ arguments: [Any.Type] = []) -> Any.Type? {
    // The runtime takes a length, but it reads names from compiled code too, which end in a zero byte.
    let terminated = name + [0]
    return unsafe terminated.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      guard !arguments.isEmpty else {
        return unsafe _getTypeByMangledNameInContext(start, UInt(name.count), genericContext: nil, genericArguments: nil)
      }
      let missing = Array(repeating: Void.self as Any.Type, count: max(0, mostArguments - arguments.count))
      let context = SwiftMetadata(Parameters<Void, Void, Void, Void, Void, Void>.self).descriptor
      return unsafe (arguments + missing).withUnsafeBytes { arguments in
        unsafe _getTypeByMangledNameInContext(
          start, UInt(name.count), genericContext: context?.address, genericArguments: arguments.baseAddress)
      }
    }
  }

  /// The number of generic arguments with which a type is looked up at most.
  package static let mostArguments: Int = 6

  /// A type whose generic parameters stand for those of a function.
  private struct Parameters<A, B, C, D, E, F> {}

  /// Whether a type that the runtime does not find is generic: it is found with generic arguments.
  ///
  /// False also for a generic type of more than four parameters, or whose requirements neither `Int` nor `[Int]` meets.
  ///
  /// - Parameter name: The mangled name without prefix and without generic arguments.
  static func isGeneric(mangled name: [UInt8]) -> Bool {
    for argument in ["Si", "SaySiG"] {
      for count in 1...4 {
        let arguments = "y" + String(repeating: argument, count: count)
        // Those of a type that contains the type end with an underscore.
        for end in ["G", "_G"] where type(mangled: name + Array((arguments + end).utf8)) != nil { return true }
      }
    }
    return false
  }

  /// Why the type of a symbol cannot be looked up, or nil.
  static func refusal(of type: SwiftSymbol.TypeName) -> String? {
    if type.contents.contains(.pack) { return "'\(type.text)' contains a parameter pack" }
    if type.contents.contains(.genericParameter) || type.contents.contains(.signature) {
      return "'\(type.text)' depends on generic parameters"
    }
    if type.contents.contains(.opaque) { return "'\(type.text)' is an opaque type, which a symbol does not name" }
    return type.mangled == nil ? "'\(type.text)' is a type that no name finds" : nil
  }
}

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
      guard metadata.word(1) >> 16 & 0xFF == 0, let plan = try SwiftClosurePlan.plan(metadata, layouts) else { return }
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
