extension TypeEncoding {
  /// The parts of an encoding that its text includes.
  public struct TextOptions: OptionSet, Sendable {
    /// One bit for each option.
    public let rawValue: UInt8

    /// Creates options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Names of structs and unions.
    ///
    /// Without this option each name is `?`.
    public static let structNames: TextOptions = TextOptions(rawValue: 1)
    /// Quoted names of members.
    public static let fieldNames: TextOptions = TextOptions(rawValue: 2)
    /// Quoted annotations of objects, and signatures of blocks.
    public static let annotations: TextOptions = TextOptions(rawValue: 4)
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
  public var canonicalText: String { text(dialect: .gnu, options: .structNames) }

  /// The description truncated to 120 bytes or fewer, for messages.
  ///
  /// Only the text that is shown is generated.
  package var shortText: String {
    var writer = TypeEncodingWriter(dialect: nil, options: .all, limit: 128)
    writer.write(self)
    return writer.text.utf8.count <= 120 ? writer.text : String(writer.text.unicodeScalars.prefix(117)) + "..."
  }

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
  /// The grammar is that of Apple's and the GNU runtimes, with `![16,16f]` and `<4f>` for vectors. Quoted field names,
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

// MARK: - Descriptions

// Short descriptions of the parts of a type. Quoted encodings are truncated, so that the cost of a description is
// bounded by the length of its text.

extension TypeEncoding.Kind: CustomStringConvertible {
  /// The kind as text: `Int32`, `struct Rect`, `array of 4 i`, `pointer to {Point=dd}`.
  public var description: String {
    switch self {
    case .void: "void"
    case .scalar(let scalar): scalar.swiftName
    case .complex(let part): "complex \(part.swiftName)"
    case .vector(let element, let count, _, _): "vector of \(count) \(element.swiftName)"
    case .cString: "C string"
    case .atom: "atom"
    case .object(let annotation): annotation.map { "object of \($0)".shortened(to: 120).escaped } ?? "object"
    case .block(let types): types.map { "block '\($0.shortText)'" } ?? "block"
    case .classObject: "class"
    case .selector: "selector"
    case .pointer(let target): "pointer to \(target.shortText)"
    case .unknown: "unknown"
    case .array(let count, let element): "array of \(count) \(element.shortText)"
    case .structure(let record): "struct \(record)"
    case .union(let record): "union \(record)"
    case .bitField(let field): "\(field)"
    }
  }
}

extension TypeEncoding.Record: CustomStringConvertible {
  /// The name and the number of members: `Rect with 2 members`.
  public var description: String {
    "\(name.shortened(to: 120).escaped) " + (fields.map { "with " + $0.count.counted("member") } ?? "without a layout")
  }
}

extension TypeEncoding.Field: CustomStringConvertible {
  /// The name, the type and the offset: `origin {Point=dd} at byte 0`, `b3 at bit 5`.
  public var description: String {
    let place = bits.map { "bit \($0.lowerBound)" } ?? "byte \(offset)"
    return (name.map { $0.shortened(to: 120).escaped + " " } ?? "") + "\(type.shortText) at \(place)"
  }
}

extension TypeEncoding.BitField: CustomStringConvertible {
  /// The width and the declared type: `3 bits of UInt32`.
  public var description: String { width.counted("bit") + " of \(container.swiftName)" }
}

extension TypeEncoding.LayoutOverride: CustomStringConvertible {
  /// The attributes as text: `packed to 1, aligned to 16`.
  public var description: String {
    let parts = [packing.map { "packed to \($0)" }, minimumAlignment.map { "aligned to \($0)" }].compactMap(\.self)
    if let stated { return "\(stated.size) bytes aligned to \(stated.alignment), as declared" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}

extension TypeEncoding.LayoutHints: CustomStringConvertible {
  /// The number of names that have a layout, and the type of bit-fields: `2 layouts, bit-fields of UInt8`.
  public var description: String {
    records.count.counted("layout") + (bitFieldType.map { ", bit-fields of \($0.swiftName)" } ?? "")
  }
}

extension TypeEncoding.Qualifiers: CustomStringConvertible {
  /// The qualifiers by name: `[const, out]`.
  public var description: String {
    text([
      (.const, "const"), (.in, "in"), (.inout, "inout"), (.out, "out"), (.byCopy, "byCopy"), (.byReference, "byReference"),
      (.oneway, "oneway"), (.atomic, "atomic"), (.collectorInvisible, "collectorInvisible"),
    ])
  }
}

extension TypeEncoding.TextOptions: CustomStringConvertible {
  /// The options by name: `[structNames, qualifiers]`.
  public var description: String {
    text([
      (.structNames, "structNames"), (.fieldNames, "fieldNames"), (.annotations, "annotations"), (.qualifiers, "qualifiers"),
      (.layoutOverrides, "layoutOverrides"), (.atomicParts, "atomicParts"),
      (.bitFieldDeclarations, "bitFieldDeclarations"),
    ])
  }
}

extension MethodTypes: CustomStringConvertible {
  /// The encoding of the types, with everything that was parsed except the frame offsets.
  public var description: String { text() }
}

extension ValueKind: CustomStringConvertible {
  /// The character of a scalar or a reference (`d`, `@`), or the number of a layout (`layout 256`).
  public var description: String {
    guard !isAggregate, let scalar = Unicode.Scalar(rawValue) else { return "layout \(rawValue)" }
    return self == .block ? "@?" : String(scalar).escaped
  }
}

// MARK: - Building

extension TypeEncoding {
  /// Creates a type that is neither a struct, a union nor an array.
  package init(_ kind: Kind, qualifiers: Qualifiers = []) {
    node = Node(kind: kind, qualifiers: qualifiers, override: nil, layout: Self.layout(of: kind, qualifiers))
  }

  /// Creates a struct or union and computes its layout.
  ///
  /// - Throws: `limitExceeded` if the type is larger than ``Limits/size``.
  package init(
    record name: String, isUnion: Bool, members: [(name: String?, type: TypeEncoding)]?, qualifiers: Qualifiers = [],
    override: LayoutOverride? = nil
  ) throws(InvocationError) {
    guard let members else {
      let record = Record(name: name, fields: nil)
      node = Node(kind: isUnion ? .union(record) : .structure(record), qualifiers: qualifiers, override: override, layout: nil)
      return
    }
    var layout = RecordLayout(isUnion: isUnion, override: override)
    var fields: [Field] = []
    fields.reserveCapacity(members.count)
    var isComplete = true
    for member in members {
      if !layout.add(member.type) { isComplete = false }
      guard layout.occupied <= Limits.size else { throw Self.tooLarge }
      var bits: Range<Int>?
      if case .bitField(let field) = member.type.kind { bits = layout.position..<layout.position + field.width }
      fields.append(Field(name: member.name, type: member.type, offset: layout.position / 8, bits: bits))
    }
    let finished = layout.finish()
    guard finished.size <= Limits.size else { throw Self.tooLarge }
    let record = Record(name: name, fields: fields)
    node = Node(
      kind: isUnion ? .union(record) : .structure(record), qualifiers: qualifiers, override: override,
      layout: isComplete ? finished : nil)
  }

  /// Creates an array.
  ///
  /// - Throws: `limitExceeded` if the type is larger than ``Limits/size``.
  package init(arrayOf element: TypeEncoding, count: Int, qualifiers: Qualifiers = []) throws(InvocationError) {
    var layout: Layout?
    if let inner = element.node.layout {
      let (size, overflow) = inner.size.multipliedReportingOverflow(by: count)
      guard !overflow, size <= Limits.size else { throw Self.tooLarge }
      layout = Layout(size: size, alignment: inner.alignment)
    }
    node = Node(kind: .array(count: count, element: element), qualifiers: qualifiers, override: nil, layout: layout)
  }

  static var tooLarge: InvocationError { InvocationError(.limitExceeded, "the type is larger than \(Limits.size) bytes") }

  /// The layout of a type that is not an array, a struct or a union; nil for a type without a size.
  private static func layout(of kind: Kind, _ qualifiers: Qualifiers) -> Layout? {
    switch kind {
    case .scalar(let scalar): Layout(size: scalar.size, alignment: scalar.size)
    // An atomic number of at most 16 bytes is aligned to its size.
    case .complex(let scalar):
      Layout(size: 2 * scalar.size, alignment: qualifiers.contains(.atomic) && scalar.size <= 8 ? 2 * scalar.size : scalar.size)
    case .vector(_, _, let size, let alignment): Layout(size: size, alignment: alignment)
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: Layout(size: 8, alignment: 8)
    case .void, .unknown, .bitField, .array, .structure, .union: nil
    }
  }
}

extension TypeEncoding {
  /// Returns the struct or union with the layout of `#pragma pack`: no member is aligned to more than `packing` bytes.
  ///
  /// `packed(to: 1)` corresponds to GCC's attribute `packed`. With any packing, a bit-field is placed at the next free
  /// bit, even if it crosses a storage unit.
  ///
  /// - Parameter packing: A power of two, at most 16.
  /// - Throws: ``InvocationError`` if the type is not a complete struct or union, or `packing` is out of range.
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func packed(to packing: Int = 1) throws(InvocationError) -> TypeEncoding {
    try relaid(LayoutOverride(packing: packing, minimumAlignment: layoutOverride?.minimumAlignment))
  }

  /// Returns the struct or union with at least the given alignment, as with C's `_Alignas` or GCC's attribute
  /// `aligned`.
  ///
  /// - Parameter alignment: A power of two, at most 4,096.
  /// - Throws: ``InvocationError`` if the type is not a complete struct or union, or `alignment` is out of range.
  /// - Complexity: O(*n*), where *n* is the number of members.
  public func aligned(to alignment: Int) throws(InvocationError) -> TypeEncoding {
    try relaid(LayoutOverride(packing: layoutOverride?.packing, minimumAlignment: alignment))
  }

  private func relaid(_ override: LayoutOverride) throws(InvocationError) -> TypeEncoding {
    let isUnion: Bool
    let record: Record
    switch kind {
    case .structure(let structure): (isUnion, record) = (false, structure)
    case .union(let union): (isUnion, record) = (true, union)
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .array,
      .bitField:
      throw InvocationError(.typeMismatch, "only a struct or a union has a layout of its own", encoding: description)
    }
    guard let fields = record.fields, size != nil else {
      throw InvocationError(.typeMismatch, "an incomplete type has no layout", encoding: description)
    }
    guard layoutOverride?.stated == nil else {
      throw InvocationError(
        .typeMismatch, "the layout is that of a declaration, which states the offset of each member", encoding: description)
    }
    let members = fields.map { (name: $0.name, type: $0.type) }
    return try TypeEncoding(record: record.name, isUnion: isUnion, members: members, qualifiers: qualifiers, override: override)
  }
}
