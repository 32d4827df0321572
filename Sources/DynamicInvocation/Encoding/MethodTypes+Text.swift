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
    var writer = TypeEncodingWriter(dialect: dialect, options: options)
    writer.write(result)
    if frameOffsets { writer.write(offset: arguments.reduce(0) { $0 + Self.statedSize($1) }) }
    var offset = 0
    for argument in arguments {
      writer.write(argument)
      if frameOffsets { writer.write(offset: offset) }
      offset += Self.statedSize(argument)
    }
    return writer.text
  }

  /// The types as one text, cut after some hundred bytes, for messages; only what is shown is worked out.
  package var shortText: String {
    var writer = TypeEncodingWriter(dialect: nil, options: .all, limit: 128)
    writer.write(self)
    return writer.text.utf8.count <= 120 ? writer.text : String(writer.text.unicodeScalars.prefix(117)) + "..."
  }

  /// The bytes that compilers count for an argument in the frame offsets they write.
  private static func statedSize(_ type: TypeEncoding) -> Int {
    switch type.kind {
    // An array argument is passed as a pointer to its first element.
    case .array: 8
    case .scalar(let scalar): scalar.isInteger ? max(scalar.size, 4) : scalar.size
    case .void, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .structure,
      .union, .bitField:
      type.size ?? 0
    }
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
