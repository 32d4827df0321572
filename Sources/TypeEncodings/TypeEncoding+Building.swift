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
