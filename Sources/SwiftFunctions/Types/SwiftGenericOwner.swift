internal import CallFrames
package import TypeEncodings

/// The generic type or protocol that contains a function, as far as calls of the function depend on it.
///
/// Source: the Swift repository's `docs/ABI/TypeMetadata.rst` and `include/swift/ABI/GenericContext.h`.
package struct SwiftGenericOwner: Sendable {
  package enum Kind: Sendable {
    /// A protocol, whose parameter is `Self`.
    case `protocol`
    /// A class: an object, or the class itself, tells a method what its parameters are.
    case `class`
    /// A struct or enum.
    case value
  }

  package let kind: Kind
  package let parameterCount: Int
  /// The number of conformances that the type requires of its parameters.
  package let conformanceCount: Int

  static let `protocol` = SwiftGenericOwner(kind: .protocol, parameterCount: 1, conformanceCount: 1)

  private init(kind: Kind, parameterCount: Int, conformanceCount: Int) {
    self.kind = kind
    self.parameterCount = parameterCount
    self.conformanceCount = conformanceCount
  }

  /// Reads the descriptor of a generic class, struct or enum.
  ///
  /// - Throws: `InvocationError` `unsupportedType` if it has other parameters than types that are passed by address.
  init(_ descriptor: SwiftRecord) throws(InvocationError) {
    kind = descriptor.isClassDescriptor ? .class : .value
    let header = descriptor.genericHeader
    parameterCount = Int(descriptor.half(header) & 0xFFFF)
    conformanceCount = Int(descriptor.half(header + 4) & 0xFFFF) - parameterCount
    let marks = descriptor.half(header + 4) >> 16
    // A pack or a number among the parameters; one that is equal to another type is not passed.
    let areTypes = (0..<parameterCount).allSatisfy {
      unsafe descriptor.address.load(fromByteOffset: header + 8 + $0, as: UInt8.self) == 0x80
    }
    guard marks & 0b101 == 0, areTypes else { throw Self.refused("a parameter of it is a pack or a value, or fixed") }
    let first = header + 8 + parameterCount.roundedUp(to: 4)
    for number in 0..<Int(descriptor.half(header) >> 16) {
      let requirement = first + number * 12
      // A superclass, `AnyObject`, equal types, or values that are not copied.
      guard descriptor.half(requirement) & 0x1F == 0 else { throw Self.refused("more is required of its parameters than protocols") }
      guard let conformed = descriptor.reference(at: requirement + 8), conformed.half(0) & 0x1_0000 != 0 else {
        throw Self.refused("a parameter of it is an object")
      }
    }
  }

  private static func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason) }
}

extension SwiftRecord {
  /// The offset of the numbers of generic parameters and requirements, after two addresses of the metadata cache.
  fileprivate var genericHeader: Int { isClassDescriptor ? 52 : 36 }
}

extension SwiftMetadata {
  /// The generic arguments of a struct, enum or class; none for another type, or for another number of arguments.
  package func genericArguments(_ count: Int) -> [SwiftMetadata] {
    guard [.structure, .enumeration, .optional, .object].contains(kind), let descriptor, descriptor.isGeneric,
      Int(descriptor.half(descriptor.genericHeader) & 0xFFFF) == count
    else { return [] }
    guard isClass else { return (2..<2 + count).compactMap { metadata($0) } }
    let areMembersNegative: UInt32 = 0x1000_0000
    guard descriptor.half(0) & areMembersNegative == 0, !descriptor.hasResilientSuperclass else { return [] }
    let first = Int(descriptor.half(28)) - Int(descriptor.half(32))
    return (first..<first + count).compactMap { metadata($0) }
  }

  /// The superclass of a class.
  package var superclass: SwiftMetadata? { isClass ? metadata(1) : nil }
}

extension SwiftTypeLayouts {
  /// Whether values of a generic struct or enum are passed by address in code that does not know the arguments of the type.
  ///
  /// - Returns: Nil if that is not known.
  /// - Throws: As ``layout(of:)``.
  package func isAddressOnlyUnbound(_ type: Any.Type) throws(InvocationError) -> Bool? {
    let metadata = SwiftMetadata(type)
    guard [.structure, .enumeration].contains(metadata.kind), let descriptor = metadata.descriptor, let fields = descriptor.fields else {
      return nil
    }
    switch SwiftModules.passing(of: metadata) {
    case .address: return true
    case .value: break
    case .unknown: if !assumesFixed { return nil }
    }
    var isKnown = true
    for field in fields where !field.isIndirect {
      guard let name = field.type else { continue }
      switch try unsafe isAddressOnly(field: name.mangledName, of: metadata, descriptor) {
      // A part that is passed by address makes the whole such a value.
      case true?: return true
      case nil: isKnown = false
      case false?: break
      }
    }
    return isKnown ? false : nil
  }

  /// Whether a field is passed by address, whatever the arguments of the type are; nil if that is not known.
  @unsafe
  private func isAddressOnly(
    field name: UnsafeBufferPointer<UInt8>, of metadata: SwiftMetadata, _ descriptor: SwiftRecord
  ) throws(InvocationError) -> Bool? {
    var text = unsafe Self.text(name)
    if text.hasSuffix("Xw") { return true }
    guard var type = unsafe metadata.type(named: name, in: descriptor).map({ SwiftMetadata($0) }) else { return nil }
    // No name of a type without generic parameters is taken for one with them, as these letters stand for parameters.
    guard text.contains(where: { "xqQ".contains($0) }) else { return try isAddressOnly(type.type) }
    while text.hasSuffix("Sg"), let wrapped = type.genericArguments(1).first {
      text.removeLast(2)
      type = wrapped
    }
    let isParameter = text == "x" || (text.hasPrefix("q") && text.hasSuffix("_") && text.dropFirst().dropLast().allSatisfy(\.isNumber))
    if isParameter { return true }
    if type.kind == .function { return false }
    // Types whose arguments are no generic types.
    guard let open = text.firstIndex(of: "y"), text.last == "G" else { return nil }
    let (nominal, arguments) = (text[..<open], text[text.index(after: open)...].dropLast())
    guard !arguments.contains(where: { "yG".contains($0) }) else { return nil }
    if ["Sa", "SD", "Sh"].contains(nominal) || type.isClass { return false }
    return arguments.allSatisfy { "xq_0123456789".contains($0) } ? try isAddressOnlyUnbound(type.type) : nil
  }

  /// A mangled name, in which one character stands for each address.
  @unsafe
  private static func text(_ name: UnsafeBufferPointer<UInt8>) -> String {
    var text = ""
    var index = 0
    while index < name.count {
      let byte = unsafe name[index]
      let isAddress = (0x01...0x1F).contains(byte)
      text.unicodeScalars.append(isAddress ? "\u{1}" : Unicode.Scalar(byte))
      index += isAddress ? (byte < 0x18 ? 5 : 9) : 1
    }
    return text
  }
}
