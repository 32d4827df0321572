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
