extension MethodTypes {
  /// Returns the types as one text.
  ///
  /// With frame offsets it is the form compilers write: after the return type the total of the sizes, after each argument the sum of those before it, integers
  /// smaller than `int` counted as four bytes and nothing added for alignment.
  ///
  /// - Complexity: O(parts).
  public func text(
    dialect: TypeEncoding.Dialect = .next, options: TypeEncoding.TextOptions = .all, frameOffsets: Bool = false
  ) -> String {
    func size(_ type: TypeEncoding) -> Int {
      // An array argument is passed as a pointer to its first element.
      if case .array = type.kind { return 8 }
      return max(type.size ?? 0, 4)
    }
    var text = result.text(dialect: dialect, options: options)
    if frameOffsets { text += "\(arguments.reduce(0) { $0 + size($1) })" }
    var offset = 0
    for argument in arguments {
      text += argument.text(dialect: dialect, options: options)
      if frameOffsets { text += "\(offset)" }
      offset += size(argument)
    }
    return text
  }
}

extension MethodTypes: Hashable {
  /// Returns whether all types are equal, as ``TypeEncoding`` compares them; frame offsets do not count.
  public static func == (left: MethodTypes, right: MethodTypes) -> Bool {
    left.result == right.result && left.arguments == right.arguments
  }

  /// Feeds what equality compares into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(arguments)
  }
}
