extension TypeEncoding {
  /// The effect of compiler attributes on the layout of a struct or union, which a type encoding does not contain.
  ///
  /// Compilers write the same encoding, `{P=ci}`, for a packed struct as for any other struct. Apply the attribute to
  /// an encoding with ``TypeEncoding/packed(to:)`` or ``TypeEncoding/aligned(to:)``.
  public struct LayoutOverride: Sendable, Hashable, CustomStringConvertible {
    /// The largest alignment a member may have, a power of two: 1 for a packed struct.
    public let packing: Int?

    /// The minimum alignment of the whole type, a power of two.
    public let minimumAlignment: Int?

    /// The whole layout, if packing and alignment of the type do not give the layout that a declaration states.
    package let stated: StatedLayout?

    /// Creates a layout override.
    ///
    /// - Parameters:
    ///   - packing: The largest alignment that a member may have, a power of two up to 16; nil for no packing.
    ///   - minimumAlignment: The minimum alignment of the whole type, a power of two up to 4,096; nil for the alignment
    ///     that the members determine.
    /// - Throws: ``InvocationError`` `outOfRange` if a value is not a power of two in its range.
    public init(packing: Int? = nil, minimumAlignment: Int? = nil) throws(InvocationError) {
      if let packing {
        guard packing > 0, packing <= 16, packing & (packing - 1) == 0 else {
          throw InvocationError(.outOfRange, "a packing of \(packing) is not a power of two up to 16")
        }
      }
      if let minimumAlignment {
        guard minimumAlignment > 0, minimumAlignment <= 4096, minimumAlignment & (minimumAlignment - 1) == 0 else {
          throw InvocationError(.outOfRange, "an alignment of \(minimumAlignment) is not a power of two up to 4096")
        }
      }
      self.packing = packing
      self.minimumAlignment = minimumAlignment
      stated = nil
    }

    /// Creates the override of a type whose layout is known, such as a struct with an over-aligned member.
    package init(_ stated: StatedLayout) {
      (packing, minimumAlignment, self.stated) = (nil, nil, stated)
    }

    /// The attributes as text: `packed to 1, aligned to 16`.
    public var description: String {
      let parts = [packing.map { "packed to \($0)" }, minimumAlignment.map { "aligned to \($0)" }].compactMap(\.self)
      if let layout = stated?.layout { return "\(layout.size) bytes aligned to \(layout.alignment), as declared" }
      return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
  }

  /// The layout of a struct or union, and the first bit of each member.
  package struct StatedLayout: Sendable, Hashable {
    package let layout: Layout
    package let positions: [Int]

    package init(_ layout: Layout, positions: [Int]) { (self.layout, self.positions) = (layout, positions) }
  }

  /// Layout information about structs and unions that a type encoding does not contain, for use by the parser.
  ///
  ///     var hints = TypeEncoding.LayoutHints()
  ///     hints.records["Header"] = try TypeEncoding.LayoutOverride(packing: 1)
  ///     let types = try MethodTypes("v^{Header=CIQ}", hints: hints)
  public struct LayoutHints: Sendable, Hashable, CustomStringConvertible {
    /// The layout overrides by name of the struct or union.
    ///
    /// An override applies to each struct or union of the name that has members in the text.
    public var records: [String: LayoutOverride] = [:]

    /// The declared type of bit-fields in the NeXT form, which does not state it: an integer or a bool.
    ///
    /// If nil, the type is `unsigned int`, or `unsigned long long` above 32 bits. The GNU form states the type of each
    /// bit-field. Traps if set to a type that is neither an integer nor a bool.
    public var bitFieldType: Scalar? {
      willSet { precondition(newValue?.isInteger ?? true, "a bit-field is an integer or a bool") }
    }

    /// Creates an empty set of hints.
    public init() {}

    /// The number of names that have a layout, and the type of bit-fields: `2 layouts, bit-fields of UInt8`.
    public var description: String {
      records.count.counted("layout") + (bitFieldType.map { ", bit-fields of \($0.swiftName)" } ?? "")
    }
  }
}

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
    let stated = override?.stated
    var layout = RecordLayout(isUnion: isUnion, packing: override?.packing)
    var position = 0
    var fields: [Field] = []
    fields.reserveCapacity(members.count)
    var isComplete = true
    for (index, member) in members.enumerated() {
      let known = stated.flatMap { index < $0.positions.count ? $0.positions[index] : nil }
      let placed = layout.place(member.type, at: known)
      if placed == nil { isComplete = false }
      position = placed ?? known ?? position
      guard layout.occupied <= Limits.size else { throw Self.tooLarge }
      var bits: Range<Int>?
      if case .bitField(let field) = member.type.kind { bits = position..<position + field.width }
      fields.append(Field(name: member.name, type: member.type, offset: position / 8, bits: bits))
    }
    let finished = stated?.layout ?? layout.finish(minimumAlignment: override?.minimumAlignment ?? 1)
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
        .typeMismatch, "the layout comes from a declaration, which states the offset of each member", encoding: description)
    }
    let members = fields.map { (name: $0.name, type: $0.type) }
    return try TypeEncoding(record: record.name, isUnion: isUnion, members: members, qualifiers: qualifiers, override: override)
  }
}
