internal import SwiftSymbols

/// Whether the values of a struct or enum are passed by their parts or by their address.
///
/// In a module that was built for library evolution a public struct or enum that is not frozen is passed by address, in
/// calls inside the module too. No flag of the type states it. It follows from:
/// - for the modules of the toolchain, a table; it is part of the stable binary interface,
/// - a type that is private or comes from C: by its parts,
/// - the value witnesses, if the compiler wrote them: such a type is marked as addressable, like few others,
/// - the symbols of the library that contains the type (``SwiftBuildEvidence``).
///
/// What none of them states is unknown. The type's descriptor and its contexts name modules and types.
///
/// Source: the Swift repository's `include/swift/ABI/MetadataValues.h`, `ContextDescriptorKind` and `ValueWitnessFlags`.
package enum SwiftModules {
  package enum Passing: Equatable, Sendable {
    case value
    case address
    /// Unknown, with the reason.
    case unknown(String)
  }

  private static let known: Locked<[SwiftMetadata: Passing]> = Locked([:])

  /// Returns how the values of a struct or enum are passed.
  ///
  /// - Complexity: O(1). The first type of a library that its metadata does not decide reads the exported symbols of the
  ///   library.
  static func passing(of metadata: SwiftMetadata) -> Passing {
    if let passing = known.withLock({ $0[metadata] }) { return passing }
    let passing = decide(metadata)
    known.withLock { $0[metadata] = passing }
    return passing
  }

  private static func decide(_ metadata: SwiftMetadata) -> Passing {
    guard let descriptor = metadata.descriptor else { return .unknown("it has no descriptor") }
    let context = SwiftTypeContext(descriptor)
    guard let module = context.module else { return .unknown("its descriptor does not state its module") }
    if context.isPrivate || module.hasPrefix("__C") { return .value }
    if let path = context.path, let passing = SwiftToolchain.passing(of: path, in: module) { return passing }
    guard let evidence = SwiftBuildEvidence.of(descriptor) else {
      return .unknown("the file of its library cannot be read, and nothing else states whether its module was built for library evolution")
    }
    if evidence.marksAddressableTypes, metadata.hasStaticLayout, !metadata.isAddressable { return .value }
    return evidence.passing(of: descriptor, in: module)
  }
}

/// The module and the types that contain a type.
struct SwiftTypeContext {
  /// The name of the module that declares the type, as its binary interface has it.
  private(set) var module: String?
  /// The names of the types from the outermost one on, joined by periods, or nil if a name is not known.
  private(set) var path: String?
  /// Whether the type is private, or in a function.
  private(set) var isPrivate = false

  init(_ descriptor: SwiftRecord) {
    var names: [String]? = []
    var next: SwiftRecord? = descriptor
    while let context = next {
      switch context.contextKind {
      case .module: module = context.contextName
      case .extension:
        // The parent is the module of the extension; the extended type is referred to.
        let outer = context.extendedType.map { SwiftTypeContext($0).path } ?? context.extendedPath
        if let outer, let inner = names { names = [outer] + inner } else { names = nil }
      case .anonymous: isPrivate = true
      case .type: names?.insert(context.contextName, at: 0)
      case .other: break
      }
      next = context.parent
    }
    path = names?.joined(separator: ".")
  }
}

extension SwiftRecord {
  enum ContextKind {
    case module
    case `extension`
    case anonymous
    case type
    case other
  }

  var contextKind: ContextKind {
    switch half(0) & 0x1F {
    case 0: .module
    case 1: .extension
    case 2: .anonymous
    case 16...31: .type
    default: .other
    }
  }

  /// The context that contains a context, or nil for a module.
  var parent: SwiftRecord? { contextKind == .module ? nil : reference(at: 4) }

  /// The name of a module or a type.
  var contextName: String { record(at: 8)?.text ?? "" }

  /// The descriptor of the type that an extension extends, if its name refers to it.
  fileprivate var extendedType: SwiftRecord? {
    guard let name = record(at: 8) else { return nil }
    switch name.half(0) & 0xFF {
    case 1: return name.record(at: 1)
    case 2: return name.record(at: 1).flatMap { $0.pointee }
    default: return nil
    }
  }

  /// The names of the types of what an extension extends, if its mangled name spells them, as it does for `String`.
  ///
  /// They are the longest beginning of the name that is a struct, enum or class; generic arguments follow.
  fileprivate var extendedPath: String? {
    guard let name = record(at: 8) else { return nil }
    let mangled = unsafe name.mangledName
    var parser = SymbolParser()
    for end in mangled.indices.reversed() {
      guard let tree = try? unsafe parser.parse(type: mangled[...end]), tree.kind(tree.root).isNominal else { continue }
      return SymbolPrinter.text(of: tree).split(separator: ".", maxSplits: 1).last.map(String.init)
    }
    return nil
  }
}

extension SwiftMetadata {
  /// Whether the compiler wrote the value witnesses, and the runtime does not change them.
  var hasStaticLayout: Bool {
    guard let descriptor else { return false }
    // Bits 16 and 17 state how the metadata of a type without generic parameters is initialized.
    guard descriptor.isGeneric else { return descriptor.half(0) >> 16 & 3 == 0 }
    // The pattern of a generic type follows the cache in the generic header: two functions, flags and the witnesses.
    guard let pattern = descriptor.record(at: 32), let witnesses = pattern.reference(at: 12) else { return false }
    let isIncomplete: UInt32 = 0x40_0000
    return witnesses.half(80) & isIncomplete == 0
  }
}
