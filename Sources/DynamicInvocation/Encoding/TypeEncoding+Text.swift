extension TypeEncoding {
  /// What a text of the encoding keeps.
  public struct TextOptions: OptionSet, Sendable {
    /// One bit for each option.
    public let rawValue: UInt8

    /// Creates options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Names of structs and unions; without it each is `?`.
    public static let structNames: TextOptions = TextOptions(rawValue: 1)
    /// Quoted names of members.
    public static let fieldNames: TextOptions = TextOptions(rawValue: 2)
    /// What is quoted after an object, and signatures of blocks.
    public static let annotations: TextOptions = TextOptions(rawValue: 4)
    /// Qualifiers such as const.
    public static let qualifiers: TextOptions = TextOptions(rawValue: 8)
    /// Explicit packing and alignment, which no dialect can say, as `%p1` or `%a16` after the struct.
    static let layoutOverrides: TextOptions = TextOptions(rawValue: 16)

    /// Everything that was written.
    public static let all: TextOptions = [.structNames, .fieldNames, .annotations, .qualifiers]
  }

  /// Returns the encoding as a text of a dialect.
  ///
  /// Converting to the NeXT dialect drops the position and type of a bit-field; a long is written by its width, so that both dialects agree on it.
  ///
  /// - Complexity: O(parts).
  public func text(dialect: Dialect, options: TextOptions = .all) -> String {
    var writer = TypeEncodingWriter(dialect: dialect, options: options)
    writer.write(self)
    return writer.text
  }

  /// The one text that all equal encodings share: struct names and members, no qualifiers, field names or annotations; bit-fields in GNU form.
  public var canonicalText: String { text(dialect: .gnu, options: .structNames) }

  /// The description, cut after some hundred bytes, for messages; only what is shown is worked out.
  package var shortText: String {
    var writer = TypeEncodingWriter(dialect: nil, options: .all, limit: 128)
    writer.write(self)
    return writer.text.utf8.count <= 120 ? writer.text : String(writer.text.unicodeScalars.prefix(117)) + "..."
  }

  /// What equality compares: the canonical text, and layout overrides.
  var identity: String { text(dialect: .gnu, options: [.structNames, .layoutOverrides]) }
}

extension TypeEncoding: CustomStringConvertible {
  /// The encoding with everything that was written; each bit-field keeps the form it was read in.
  public var description: String {
    var writer = TypeEncodingWriter(dialect: nil, options: .all)
    writer.write(self)
    return writer.text
  }
}

extension TypeEncoding: Hashable {
  /// Returns whether two encodings say the same type; see the type's description for what counts.
  public static func == (left: TypeEncoding, right: TypeEncoding) -> Bool {
    left.node === right.node || left.identity == right.identity
  }

  /// Feeds what equality compares into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  /// Returns whether two types have the same scalars at the same places, whatever their structs are called and however they nest.
  ///
  /// `{CGRect={CGPoint=dd}{CGSize=dd}}` has the same layout as `{Box=dddd}`: a call passes them alike.
  public func hasSameLayout(as other: TypeEncoding) -> Bool { valueKind == other.valueKind }

  /// Returns whether two encodings say the same type when the names of structs and unions do not count.
  ///
  /// Unlike ``hasSameLayout(as:)`` it compares the nesting and what pointers point to.
  public func isEqualIgnoringNames(to other: TypeEncoding) -> Bool {
    text(dialect: .gnu, options: .layoutOverrides) == other.text(dialect: .gnu, options: .layoutOverrides)
  }
}
