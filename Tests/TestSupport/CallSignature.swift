import CallExplanations
public import DynamicInvocation

/// The types of a C function to call in a test.
public struct CallSignature: Sendable, CustomStringConvertible {
  /// The types.
  public let types: MethodTypes
  /// The number of fixed arguments of a variadic function, or nil.
  public let fixedCount: Int?

  /// Creates a signature from its types.
  public init(_ result: TypeEncoding, _ arguments: [TypeEncoding], fixedCount: Int? = nil) {
    types = MethodTypes(result: result, arguments: arguments)
    self.fixedCount = fixedCount
  }

  /// The types as text, with the properties that encodings do not state in brackets.
  public var description: String {
    let overrides = ([types.result] + types.arguments).enumerated().compactMap { index, type in
      type.layoutOverride.map { "\(index): packing \($0.packing ?? 0) alignment \($0.minimumAlignment ?? 0)" }
    }
    return types.text() + (fixedCount.map { " fixed \($0)" } ?? "") + (overrides.isEmpty ? "" : " [\(overrides.joined(separator: ", "))]")
  }
}

extension CallSignature {
  /// Whether gcc and clang pass one of the types differently, such as one with certain arrays, which the engine rejects.
  public var isDisputed: Bool {
    let single = [MethodTypes(result: types.result, arguments: [])] + types.arguments.map { MethodTypes(result: "v", arguments: [$0]) }
    for types in single {
      do {
        _ = try MethodSignature(types)
      } catch {
        if error.reason.contains("gcc and clang") { return true }
      }
    }
    return false
  }

  /// Whether the compiler loses the upper half of a value.
  ///
  /// clang 21 moves an eightbyte of class SSE as a `float` or `_Float16` if its first member has that type, even if a
  /// different member of a union fills the whole eightbyte: `union { float f; _Float16 h[4]; }` loses h[2] and h[3]
  /// when it is passed to a function, in C too.
  public func isHalved(by compiler: CCompiler) -> Bool {
    guard compiler == .clang else { return false }
    return ([types.result] + types.arguments).contains { type in
      guard type.containsUnion, type.containsNarrowFloat else { return false }
      let explanation = CallExplanation(MethodTypes(result: type, arguments: []), abi: .sysv)
      return explanation.result.parts.contains { $0.place.hasPrefix("xmm") }
    }
  }
}

extension TypeEncoding {
  /// Whether gcc 12 reads a variadic argument of this type with an aligned load from an address that may be unaligned.
  ///
  /// This concerns a union in two general-purpose registers with an alignment of 16 bytes, also in calls from C.
  public var crashesGCC: Bool {
    switch kind {
    case .structure, .union: size == 16 && alignment == 16
    default: false
    }
  }

  /// Whether C promotes a variadic argument of this type to a wider type.
  public var isPromoted: Bool {
    guard case .scalar(let scalar) = kind else { return false }
    return [.int8, .uint8, .int16, .uint16, .bool, .float].contains(scalar)
  }

  /// Whether the type contains a floating-point number of less than eight bytes.
  public var containsNarrowFloat: Bool {
    switch kind {
    case .scalar(.float), .scalar(.float16), .complex(.float): true
    case .structure(let record), .union(let record): (record.fields ?? []).contains { $0.type.containsNarrowFloat }
    case .array(_, let element): element.containsNarrowFloat
    default: false
    }
  }

  /// Whether the type is or contains a union.
  public var containsUnion: Bool {
    switch kind {
    case .union: true
    case .structure(let record): (record.fields ?? []).contains { $0.type.containsUnion }
    case .array(_, let element): element.containsUnion
    default: false
    }
  }

  /// Whether a struct of packing 1 in it has a bit-field with the width of an integer.
  ///
  /// gcc treats such a struct differently if a pragma packs it than if the attribute does, and the type does not tell which did.
  public var hasPackedBitField: Bool {
    switch kind {
    case .structure(let record), .union(let record):
      (record.fields ?? []).contains { field in
        if case .bitField(let bitField) = field.type.kind {
          return layoutOverride?.packing == 1 && [16, 32, 64, 128].contains(bitField.width)
        }
        return field.type.hasPackedBitField
      }
    case .array(_, let element): element.hasPackedBitField
    default: false
    }
  }
}
