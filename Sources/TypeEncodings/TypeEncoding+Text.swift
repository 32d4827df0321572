extension TypeEncoding {
  /// The parts of an encoding that its text includes.
  public struct TextOptions: OptionSet, Sendable, CustomStringConvertible {
    /// One bit for each option.
    public let rawValue: UInt8

    /// Creates options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Names of structs and unions.
    ///
    /// Without this option each name is `?`.
    public static let structNames: TextOptions = TextOptions(rawValue: 1)
    /// Quoted names of members.
    package static let fieldNames: TextOptions = TextOptions(rawValue: 2)
    /// Quoted annotations of objects, and signatures of blocks.
    package static let annotations: TextOptions = TextOptions(rawValue: 4)
    /// Qualifiers such as const.
    public static let qualifiers: TextOptions = TextOptions(rawValue: 8)
    /// Explicit packing and alignment, which no dialect can express, as `%p1` or `%a16` after the struct.
    package static let layoutOverrides: TextOptions = TextOptions(rawValue: 16)
    /// `A` before an atomic part of a struct or union, which is not passed as the type without the qualifier.
    package static let atomicParts: TextOptions = TextOptions(rawValue: 32)
    /// How a bit-field is declared, as `%d1` after it.
    package static let bitFieldDeclarations: TextOptions = TextOptions(rawValue: 64)

    /// All parts that a dialect can express.
    public static let all: TextOptions = [.structNames, .fieldNames, .annotations, .qualifiers]

    /// The options by name: `[structNames, qualifiers]`.
    public var description: String {
      text([
        (.structNames, "structNames"), (.fieldNames, "fieldNames"), (.annotations, "annotations"), (.qualifiers, "qualifiers"),
        (.layoutOverrides, "layoutOverrides"), (.atomicParts, "atomicParts"),
        (.bitFieldDeclarations, "bitFieldDeclarations"),
      ])
    }
  }

  /// Returns the text of the encoding in a dialect.
  ///
  /// Converting to the NeXT dialect drops the position and type of a bit-field. A `long` is written by its width, so
  /// that its encoding is the same in both dialects.
  ///
  /// - Complexity: O(*n*), where *n* is the number of parts.
  public func text(dialect: Dialect, options: TextOptions = .all) -> String {
    var writer = TypeEncodingWriter(dialect: dialect, options: options)
    writer.write(self)
    return writer.text
  }

  /// The normalized text of the encoding: with struct names and members, without qualifiers, field names or
  /// annotations, bit-fields in GNU form.
  ///
  /// Equal encodings have equal canonical texts.
  package var canonicalText: String { text(dialect: .gnu, options: .structNames) }

  /// The description truncated to 120 bytes or fewer, for messages.
  ///
  /// Only the text that is shown is generated.
  package var shortText: String { TypeEncodingWriter.shortText { $0.write(self) } }

  /// The text that equality compares: the canonical text with layout overrides.
  var identity: String { text(dialect: .gnu, options: [.structNames, .layoutOverrides]) }
}

extension TypeEncoding: CustomStringConvertible {
  /// The encoding with everything that was parsed.
  ///
  /// Each bit-field has the form that it was parsed from.
  public var description: String {
    var writer = TypeEncodingWriter(dialect: nil, options: .all)
    writer.write(self)
    return writer.text
  }
}

extension TypeEncoding: Hashable {
  /// Returns whether two encodings describe the same type; ``TypeEncoding`` documents what is compared.
  public static func == (left: TypeEncoding, right: TypeEncoding) -> Bool {
    left.node === right.node || left.identity == right.identity
  }

  /// Hashes the components that equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  /// Returns whether two types have the same scalars at the same offsets, regardless of struct names and nesting.
  ///
  /// `{CGRect={CGPoint=dd}{CGSize=dd}}` has the same layout as `{Box=dddd}`: a call passes both in the same way.
  public func hasSameLayout(as other: TypeEncoding) -> Bool { valueKind == other.valueKind }

  /// Returns whether two encodings describe the same type when the names of structs and unions are ignored.
  ///
  /// Unlike ``hasSameLayout(as:)`` it compares the nesting and the pointee types of pointers.
  public func isEqualIgnoringNames(to other: TypeEncoding) -> Bool {
    text(dialect: .gnu, options: .layoutOverrides) == other.text(dialect: .gnu, options: .layoutOverrides)
  }
}

extension TypeEncoding {
  /// Parses the encoding of one type.
  ///
  /// The grammar is the one of Apple's and the GNU runtimes, with `![16,16f]` and `<4f>` for vectors. Quoted field names,
  /// class names and C++ names that contain brackets are supported.
  ///
  /// Use this initializer for a string that is computed or read at run time. With a string literal as the only argument
  /// Swift selects the literal initializer, which traps if the text is malformed.
  ///
  /// - Parameters:
  ///   - text: The encoding of exactly one type, without a frame offset.
  ///   - dialect: The dialect, which decides what `l` and `L` mean.
  ///   - blankIsFloat16: Whether a blank is parsed as `_Float16`, as clang writes it.
  /// - Throws: ``InvocationError`` with the byte offset and the reason if the text is malformed or exceeds ``Limits``.
  /// - Complexity: O(*n*), where *n* is the length of the text in bytes; allocates memory for each part.
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
  /// Traps if the literal is malformed: a malformed literal is a programming error.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
