extension TypeEncoding {
  /// The members of a struct, or the elements of an array, a vector or a complex number: what a value is written as.
  ///
  /// Each part is made when it is asked for, since an array may have millions. A bit-field of width zero is no part. Other
  /// types, unions included, have no parts.
  @_spi(Tools) public struct Parts: RandomAccessCollection, Sendable {
    /// Zero.
    public let startIndex: Int = 0
    /// The number of parts.
    public let endIndex: Int
    private let fields: [Field]
    private let element: (type: TypeEncoding, stride: Int)?

    fileprivate init(fields: [Field]) {
      (self.fields, element, endIndex) = (fields, nil, fields.count)
    }

    fileprivate init(_ count: Int, _ element: TypeEncoding, stride: Int) {
      (fields, self.element, endIndex) = ([], (element, stride), count)
    }

    /// The part at an index.
    public subscript(index: Int) -> Field {
      element.map { Field(name: nil, type: $0.type, offset: index * $0.stride, bits: nil) } ?? fields[index]
    }
  }

  /// The parts of a value of the type.
  @_spi(Tools) public var parts: Parts {
    switch kind {
    case .structure(let record): Parts(fields: (record.fields ?? []).filter { $0.bits.map { !$0.isEmpty } ?? true })
    case .array(let count, let element): Parts(count, element, stride: element.stride ?? 0)
    case .vector(let scalar, let count, _, _): Parts(count, TypeEncoding(.scalar(scalar)), stride: scalar.size)
    case .complex(let scalar): Parts(2, TypeEncoding(.scalar(scalar)), stride: scalar.size)
    case .void, .scalar, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .union, .bitField:
      Parts(fields: [])
    }
  }

  /// The members of a struct or union in C.
  ///
  /// A bit-field without a name is not a member. Only a declaration, or an encoding with names, tells which bit-fields have no name.
  @_spi(Tools) public var valueMembers: [Field] {
    let fields = if case .union(let record) = kind { record.fields ?? [] } else { Array(parts) }
    let hasNames = fields.contains { $0.name != nil }
    return fields.filter { field in
      guard case .bitField(let bitField) = field.type.kind, field.name == nil else { return true }
      return bitField.declaration.map { !$0.contains(.unnamed) } ?? !hasNames
    }
  }

  /// Creates an array, such as the buffer that a pointer leads to.
  ///
  /// - Throws: `InvocationError` `limitExceeded` if it is larger than ``Limits/size``.
  @_spi(Tools) public init(count: Int, of element: TypeEncoding) throws(InvocationError) {
    try self.init(arrayOf: element, count: count)
  }
}
