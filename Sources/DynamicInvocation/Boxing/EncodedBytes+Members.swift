import CallFrames
public import TypeEncodings

extension EncodedBytes {
  /// Creates a value whose bytes are all zero.
  ///
  ///     var point = try EncodedBytes(zero: "{Point=\"x\"d\"y\"d}")
  ///     try point.setMember("x", to: 1.5)
  ///
  /// - Throws: `InvocationError` as ``init(_:bytes:)`` does.
  public init(zero encoding: TypeEncoding) throws(InvocationError) {
    try self.init(encoding, bytes: Array(repeating: 0, count: encoding.size ?? 0))
  }

  /// Returns a member of a struct or union by its name, which the encoding must state; nil if there is none.
  ///
  /// The members of a struct without a name are members of the outer one, as in C. A C string is returned as its
  /// address. ``setMember(_:to:options:)`` sets a member.
  ///
  /// - Complexity: O(members).
  public subscript(member: String) -> BoxedValue? {
    guard let (field, offset) = encoding.member(named: member) else { return nil }
    if case .bitField(let bitField) = field.type.kind {
      return self.bitField(bitField, (field.bits ?? 0..<0).shifted(by: 8 * offset))
    }
    return part(field.type, at: offset + field.offset)
  }

  /// Stores a value in a member of a struct or union.
  ///
  ///     try hints.setMember("ai_socktype", to: 1)
  ///     try hints.setMember("ai_canonname", to: nil)
  ///
  /// - Parameters:
  ///   - member: The name of the member.
  ///   - value: The value, which is converted to the type of the member. For a struct, a union or an array it is another
  ///     ``EncodedBytes`` as ``BoxedValue/value(_:)``, for a pointer or a C string an address or null.
  ///   - options: The conversion options.
  /// - Throws: `InvocationError` `indexOutOfRange` with the names of the members if there is none of this name, and as
  ///   setting an argument does. A string is an error, because nothing would own its copy: keep a buffer of characters
  ///   alive, and set its address. The value is unchanged after an error.
  public mutating func setMember(_ member: String, to value: BoxedValue, options: ConversionOptions = []) throws(InvocationError) {
    guard let (field, offset) = encoding.member(named: member) else {
      throw InvocationError(
        .indexOutOfRange, "there is no member '\(member)', only \(encoding.memberNames.joined(separator: ", "))",
        encoding: encoding.description)
    }
    if case .bitField(let bitField) = field.type.kind {
      return try setBits((field.bits ?? 0..<0).shifted(by: 8 * offset), of: bitField, to: value, options)
    }
    var failure: InvocationError?
    unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      do throws(InvocationError) {
        unsafe try value.write(to: start + offset + field.offset, as: field.type, options: options)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private mutating func setBits(
    _ bits: Range<Int>, of field: TypeEncoding.BitField, to value: BoxedValue, _ options: ConversionOptions
  ) throws(InvocationError) {
    guard case .word(let word) = try value.converted(to: TypeEncoding(.scalar(field.container)), options) else {
      throw InvocationError(.unsupportedType, "a bit-field of more than 64 bits is not written")
    }
    let unused = UInt64(64 - min(bits.count, 64))
    let fits =
      field.container.isSigned
      ? Int64(bitPattern: word << unused) >> Int64(unused) == field.signExtended(word) : (word << unused) >> unused == word
    guard fits || options.contains(.truncating) else {
      throw InvocationError(.outOfRange, "\(value) does not fit \(bits.count) bits")
    }
    for (index, bit) in bits.enumerated() where index < 64 && bit / 8 < bytes.count {
      let mask = UInt8(1) << UInt8(bit % 8)
      if word >> UInt64(index) & 1 != 0 { bytes[bit / 8] |= mask } else { bytes[bit / 8] &= ~mask }
    }
  }
}

extension TypeEncoding.BitField {
  /// The value of the low bytes of a word, as the declared type reads them.
  fileprivate func signExtended(_ word: UInt64) -> Int64 {
    let unused = 64 - 8 * min(container.size, 8)
    return Int64(bitPattern: word << UInt64(unused)) >> Int64(unused)
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}

extension TypeEncoding {
  /// Returns a member and the offset of the record that contains it, also of a struct without a name.
  fileprivate func member(named name: String) -> (field: Field, offset: Int)? {
    guard let fields = recordFields else { return nil }
    for field in fields {
      if field.name == name { return (field, 0) }
      if field.name == nil, let (inner, offset) = field.type.member(named: name) { return (inner, offset + field.offset) }
    }
    return nil
  }

  /// The names of the members, also of structs without a name.
  fileprivate var memberNames: [String] {
    (recordFields ?? []).flatMap { field in field.name.map { [$0] } ?? field.type.memberNames }
  }

  private var recordFields: [Field]? {
    switch kind {
    case .structure(let record), .union(let record): record.fields
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .array,
      .bitField:
      nil
    }
  }
}
