extension EncodedBytes {
  /// The number of parts: the members of a struct or union, the elements of an array or vector, 2 for a complex number,
  /// 0 for a scalar.
  public var count: Int {
    switch encoding.kind {
    case .structure(let record), .union(let record): record.fields?.count ?? 0
    case .array(let count, _): count
    case .vector(_, let count, _, _): count
    case .complex: 2
    case .void, .scalar, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: 0
    }
  }

  /// Returns a part as a boxed value; a bit-field is an integer or a bool.
  ///
  /// A part that is a reference is returned as its address: nothing keeps the object that it refers to alive.
  ///
  /// - Parameter index: The index of the part. Traps if it is negative or not less than ``count``.
  /// - Complexity: O(bytes of the part).
  public subscript(index: Int) -> BoxedValue {
    precondition(index >= 0 && index < count, "part \(index) of \(count)")
    switch encoding.kind {
    case .structure(let record), .union(let record):
      let field = (record.fields ?? [])[index]
      if case .bitField(let bitField) = field.type.kind { return self.bitField(bitField, field.bits ?? 0..<0) }
      return part(field.type, at: field.offset)
    case .array(_, let element): return part(element, at: index * (element.stride ?? 0))
    case .vector(let element, _, _, _), .complex(let element):
      return part(TypeEncoding(.scalar(element)), at: index * element.size)
    case .void, .scalar, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: return .null
    }
  }

  /// Returns the value of a type at an offset.
  func part(_ type: TypeEncoding, at offset: Int) -> BoxedValue {
    unsafe bytes.withUnsafeBytes { bytes in
      // An empty member has no bytes to read, and may have no address.
      guard let start = bytes.baseAddress, let size = type.size, size > 0 else {
        return .value(EncodedBytes(empty: type))
      }
      return unsafe Self.part(start + offset, type)
    }
  }

  private static func part(_ start: UnsafeRawPointer, _ type: TypeEncoding) -> BoxedValue {
    switch type.kind {
    case .cString, .atom, .object, .block, .classObject, .selector:
      unsafe UnsafeRawPointer(bitPattern: start.loadUnaligned(as: UInt.self)).map { unsafe .pointer($0) } ?? .null
    case .void, .scalar, .complex, .vector, .pointer, .unknown, .array, .structure, .union, .bitField:
      unsafe BoxedValue(reading: start, as: type)
    }
  }

  private init(empty encoding: TypeEncoding) {
    self.encoding = encoding
    bytes = []
  }

  /// Returns the value of a bit-field.
  func bitField(_ field: TypeEncoding.BitField, _ bits: Range<Int>) -> BoxedValue {
    // A bit-field without bits may be in a struct without bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe field.value(of: bits, in: bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped)
    }
  }

  /// The value as a box of its own case if the type is a scalar or a pointer, otherwise nil.
  var scalar: BoxedValue? {
    get throws(InvocationError) {
      switch encoding.kind {
      case .scalar, .pointer:
        return unsafe bytes.withUnsafeBytes { bytes in
          unsafe bytes.baseAddress.map { unsafe BoxedValue(reading: $0, as: encoding) }
        }
      case .cString, .atom, .object, .selector, .classObject, .block:
        throw InvocationError(
          .typeMismatch, "a reference in bytes has no owner; box it as what it is", encoding: encoding.description)
      case .void, .complex, .vector, .unknown, .array, .structure, .union, .bitField: return nil
      }
    }
  }
}
