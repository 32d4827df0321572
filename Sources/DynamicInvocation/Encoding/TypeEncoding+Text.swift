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

extension TypeEncoding {
  /// Reads one type.
  ///
  /// The grammar is that of Apple's and the GNU runtimes, with `![16,16f]` and `<4f>` for vectors; field names in quotes, class names, C++ names
  /// with brackets in them are understood.
  ///
  /// Give it a text that is data. A string literal alone in the parentheses is taken as the literal of an encoding, which traps when malformed.
  ///
  /// - Parameters:
  ///   - text: The encoding of exactly one type, without a frame offset.
  ///   - dialect: The dialect, which decides what `l` and `L` mean.
  ///   - blankIsFloat16: Whether a blank is read as `_Float16`, as clang writes it.
  /// - Throws: ``InvocationError`` with the byte offset and the reason when the text is malformed or beyond ``Limits``.
  /// - Complexity: O(bytes); allocates for each part.
  public init(_ text: String, dialect: Dialect = .next, blankIsFloat16: Bool = false) throws(InvocationError) {
    var parser = try TypeEncodingParser(text, dialect: dialect, blankIsFloat16: blankIsFloat16)
    let type = try parser.type()
    guard parser.isAtEnd else { throw parser.failure("the type ends here, the text does not") }
    self = type
  }
}

extension TypeEncoding: ExpressibleByStringLiteral {
  /// Creates a type encoding from a literal.
  ///
  /// A user struct declares its encoding this way: `static let typeEncoding: TypeEncoding = "{Pair=id}"`.
  ///
  /// Traps when the literal is malformed: it is part of the program, not data.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
