extension AAPCS64 {
  /// One to four equal floating-point or vector members, each of which is passed in a vector register (AAPCS64, section
  /// 5.9.5).
  struct HomogeneousMembers: Sendable, Hashable {
    /// The base type.
    ///
    /// Floating-point types are compared by type, vectors only by size.
    var base: String
    /// The size of one member in bytes.
    var size: Int
    var count: Int
  }

  /// Returns the members of a floating-point number, a vector, or a homogeneous aggregate; nil for any other type.
  static func homogeneousMembers(of type: TypeEncoding) -> HomogeneousMembers? { homogeneousMembers(of: type, as: .clang) }

  /// Throws an error for an aggregate that only one of gcc and clang treats as homogeneous, or that they divide
  /// differently.
  static func refuseDisputed(_ type: TypeEncoding) throws(InvocationError) {
    guard homogeneousMembers(of: type, as: .gcc) != homogeneousMembers(of: type, as: .clang) else { return }
    throw InvocationError(
      .unsupportedType,
      "gcc and clang pass it differently, since they treat arrays without elements, unnamed bit-fields and atomic parts differently",
      encoding: type.description)
  }

  /// The treatment of members of size zero and of atomic ones.
  ///
  /// clang skips structs that contain only arrays without elements, gcc does not. To gcc a bit-field of width zero in a union is an integer, and to clang an atomic number is
  /// no base type.
  enum Reading { case gcc, clang }

  private static func homogeneousMembers(of type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    guard let size = type.size, size <= 64 else { return nil }
    if reading == .gcc, let members = wrappedMembers(of: type) { return members }
    guard let members = members(of: type, as: reading), (1...4).contains(members.count) else { return nil }
    return members
  }

  /// Returns the members of the only member that has bytes: gcc passes a struct of a single vector or complex number as
  /// that member.
  private static func wrappedMembers(of type: TypeEncoding) -> HomogeneousMembers? {
    switch type.kind {
    case .complex, .vector: return members(of: type, as: .gcc)
    case .array(1, let element): return wrappedMembers(of: element)
    case .structure(let record):
      guard let field = record.fields?.last(where: { $0.type.size == type.size }) else { return nil }
      return wrappedMembers(of: field.type)
    case .void, .scalar, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .array, .union, .bitField:
      return nil
    }
  }

  /// Returns the common base type and the number of members of a type, with a count of zero for a type of size zero.
  private static func members(of type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    switch type.kind {
    case .scalar(let scalar):
      return scalar.isInteger ? nil : HomogeneousMembers(base: scalar.cName, size: scalar.size, count: 1)
    case .complex(let part):
      return part.isInteger ? nil : HomogeneousMembers(base: part.cName, size: part.size, count: 2)
    case .vector(_, _, let size, _):
      return size == 8 || size == 16 ? HomogeneousMembers(base: "vector", size: size, count: 1) : nil
    case .array(let count, let element):
      // An array without elements makes the type inhomogeneous in both compilers. An array of empty structs does not.
      guard count > 0, var inner = part(element, as: reading) else { return nil }
      inner.count *= count
      return inner
    case .structure(let record):
      return joined(record, isUnion: false, size: type.size, as: reading) { $0 + $1 }
    case .union(let record):
      return joined(record, isUnion: true, size: type.size, as: reading) { max($0, $1) }
    case .void, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
      return nil
    }
  }

  /// Returns the members of a member of a struct or union, or of an element of an array.
  private static func part(_ type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    if reading == .clang, type.qualifiers.contains(.atomic) { return nil }
    return members(of: type, as: reading)
  }

  private static func joined(
    _ record: TypeEncoding.Record, isUnion: Bool, size: Int?, as reading: Reading, _ combine: (Int, Int) -> Int
  ) -> HomogeneousMembers? {
    var result = HomogeneousMembers(base: "", size: 0, count: 0)
    for field in record.fields ?? [] {
      if case .bitField(let bitField) = field.type.kind, bitField.width == 0, reading == .clang || !isUnion { continue }
      if reading == .clang, isEmpty(field.type) { continue }
      guard let inner = part(field.type, as: reading) else { return nil }
      if inner.count == 0 { continue }
      guard result.count == 0 || (result.base == inner.base && result.size == inner.size) else { return nil }
      result = HomogeneousMembers(base: inner.base, size: inner.size, count: combine(result.count, inner.count))
    }
    // Padding between or after the members makes the aggregate inhomogeneous.
    return result.count * result.size == size ? result : nil
  }

  /// Whether a type is a struct or union that contains only empty types, arrays without elements and bit-fields of
  /// width zero, or an array of such a type.
  private static func isEmpty(_ type: TypeEncoding) -> Bool {
    switch type.kind {
    case .array(let count, let element): return count > 0 && isEmpty(element)
    case .structure(let record), .union(let record):
      return (record.fields ?? []).allSatisfy { field in
        switch field.type.kind {
        case .bitField(let bitField): bitField.width == 0
        case .array(0, _): true
        case _: isEmpty(field.type)
        }
      }
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
      return false
    }
  }

  /// Returns the alignment used for passing.
  ///
  /// For a struct or union it is that of its members, regardless of an alignment attribute of the whole type. A packing
  /// lowers the alignment of the members, and an attribute of a member or of its type raises it (AAPCS64, section 5.9).
  /// A packing does not lower that of a bit-field of width zero; to gcc 12, that of no bit-field.
  static func naturalAlignment(of type: TypeEncoding, as reading: Reading) -> Int {
    let alignment = type.memberAlignment ?? 1
    guard case .structure(let record) = type.kind else {
      guard case .union(let record) = type.kind else { return alignment }
      return max(alignment, containerAlignment(in: record, as: reading))
    }
    return max(alignment, containerAlignment(in: record, as: reading))
  }

  private static func containerAlignment(in record: TypeEncoding.Record, as reading: Reading) -> Int {
    (record.fields ?? []).reduce(1) { largest, field in
      guard case .bitField(let bitField) = field.type.kind, reading == .gcc || bitField.width == 0 else { return largest }
      return max(largest, bitField.container.size)
    }
  }
}
