/// A function type, read from its metadata.
///
/// Source: the Swift repository's `include/swift/ABI/MetadataValues.h`, `FunctionTypeFlags`, `ParameterFlags` and
/// `ExtendedFunctionTypeFlags`.
package struct SwiftFunctionType: Sendable {
  /// How functions of the type are represented and called.
  package enum Convention: Int, Sendable {
    case swift = 0
    case block = 1
    case thin = 2
    case c = 3
  }

  package struct Parameter {
    package let type: SwiftMetadata
    package let isInOut: Bool
    /// Whether the function takes the ownership of the value.
    package let isConsuming: Bool
    fileprivate let traits: UInt32
  }

  private enum Flag: Int {
    case throwing = 0x0100_0000
    case hasParameterTraits = 0x0200_0000
    case escaping = 0x0400_0000
    case differentiable = 0x0800_0000
    case globalActor = 0x1000_0000
    case async = 0x2000_0000
    /// The type of the error, dynamic isolation, the isolation of the caller, or values that cannot be copied.
    case extended = 0x8000_0000
  }

  package let metadata: SwiftMetadata
  /// The number of parameters, the convention and the flags.
  package let flags: Int

  /// Nil for a type that is not one of functions.
  package init?(_ metadata: SwiftMetadata) {
    guard metadata.kind == .function else { return nil }
    self.metadata = metadata
    flags = metadata.word(1)
  }

  private func has(_ flag: Flag) -> Bool { flags & flag.rawValue != 0 }

  package var convention: Convention? { Convention(rawValue: flags >> 16 & 0xFF) }
  package var isAsync: Bool { has(.async) }
  package var isThrowing: Bool { has(.throwing) }
  package var isEscaping: Bool { has(.escaping) }
  /// Whether more than the parameters and the result is part of the metadata.
  package var hasMoreParts: Bool { has(.differentiable) || has(.globalActor) || has(.extended) }
  package var hasGlobalActor: Bool { has(.globalActor) }
  /// The flags of the type whose functions do not escape.
  package var nonEscapingFlags: Int { flags & ~Flag.escaping.rawValue }
  package var parameterCount: Int { flags & 0xFFFF }

  /// The address of the traits of the parameters; nil if none has any.
  package var parameterTraits: UnsafeRawPointer? {
    has(.hasParameterTraits) ? unsafe metadata.address + (3 + parameterCount) * 8 : nil
  }

  /// The global actor that functions of the type are isolated to, or nil.
  ///
  /// - Precondition: The type is not differentiable.
  package var globalActor: (any GlobalActor.Type)? {
    guard hasGlobalActor else { return nil }
    // The traits, of four bytes each, end at a word.
    let traits = has(.hasParameterTraits) ? (parameterCount + 1) / 2 : 0
    return metadata.metadata(3 + parameterCount + traits)?.type as? any GlobalActor.Type
  }

  package var result: SwiftMetadata { metadata.metadata(2) ?? metadata }

  package var parameters: [Parameter] {
    (0..<parameterCount).compactMap { index in
      guard let type = metadata.metadata(3 + index) else { return nil }
      let traits = unsafe parameterTraits?.load(fromByteOffset: 4 * index, as: UInt32.self) ?? 0
      // The low seven bits are the ownership: 0 for none that is stated, 1 for `inout`, 2 for `borrowing`.
      return Parameter(type: type, isInOut: traits & 0x7F == 1, isConsuming: traits & 0x7F > 2, traits: traits)
    }
  }

  /// Why functions of the type are not called with values of stated types, or nil.
  package var refusal: String? {
    let traits = parameters.map(\.traits)
    // The value of a variadic parameter has another type.
    if traits.contains(where: { $0 & 0x600 != 0 }) { return "a parameter of it is isolated or not differentiable" }
    if traits.contains(where: { $0 & 0x80 != 0 }) { return "it is variadic" }
    if has(.extended) { return "the type of its error or its isolation is stated in a way that is not supported" }
    return has(.differentiable) ? "it is differentiable" : nil
  }
}

extension SwiftMetadata {
  /// The type as one of functions with the Swift convention; nil for any other.
  package var swiftFunction: SwiftFunctionType? {
    guard let function = SwiftFunctionType(self), function.convention == .swift else { return nil }
    return function
  }
}
