extension AAPCS64 {
  /// One to four equal floating-point or vector members, which travel in a vector register each (AAPCS64, section 5.9.5).
  struct HomogeneousMembers: Sendable, Hashable {
    /// The base type: floating-point types differ by kind, vectors only by size.
    var base: String
    /// The bytes of one member.
    var size: Int
    var count: Int
  }

  /// The members of a floating-point number, a vector, or a homogeneous aggregate; nil for any other type.
  static func homogeneousMembers(of type: TypeEncoding) -> HomogeneousMembers? { homogeneousMembers(of: type, as: .clang) }

  /// Refuses an aggregate that gcc and clang do not both take for homogeneous, or both not.
  static func refuseDisputed(_ type: TypeEncoding) throws(InvocationError) {
    guard homogeneousMembers(of: type, as: .gcc) != homogeneousMembers(of: type, as: .clang) else { return }
    throw InvocationError(
      .unsupportedType, "gcc and clang pass it differently, since they read an array without elements in it differently",
      encoding: type.description)
  }

  /// How members without bytes are read: clang skips structs of nothing but arrays without elements, gcc does not.
  private enum Reading { case gcc, clang }

  private static func homogeneousMembers(of type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    guard let size = type.size, size <= 64 else { return nil }
    if reading == .gcc, let members = wrappedMembers(of: type) { return members }
    guard let members = members(of: type, as: reading), (1...4).contains(members.count) else { return nil }
    return members
  }

  /// What gcc holds as its only member with bytes: a struct of one vector or complex number travels as that.
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

  /// The common base and the number of members of a type; a count of zero for a type without bytes.
  private static func members(of type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    switch type.kind {
    case .scalar(let scalar):
      return scalar.isInteger ? nil : HomogeneousMembers(base: scalar.cName, size: scalar.size, count: 1)
    case .complex(let part):
      return part.isInteger ? nil : HomogeneousMembers(base: part.cName, size: part.size, count: 2)
    case .vector(_, _, let size, _):
      return size == 8 || size == 16 ? HomogeneousMembers(base: "vector", size: size, count: 1) : nil
    case .array(let count, let element):
      // An array without elements ends the search, as both have it; one of empty structs does not.
      guard count > 0, var inner = members(of: element, as: reading) else { return nil }
      inner.count *= count
      return inner
    case .structure(let record):
      return joined(record, size: type.size, as: reading) { $0 + $1 }
    case .union(let record):
      return joined(record, size: type.size, as: reading) { max($0, $1) }
    case .void, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
      return nil
    }
  }

  private static func joined(
    _ record: TypeEncoding.Record, size: Int?, as reading: Reading, _ combine: (Int, Int) -> Int
  ) -> HomogeneousMembers? {
    var result = HomogeneousMembers(base: "", size: 0, count: 0)
    for field in record.fields ?? [] {
      if case .bitField(let bitField) = field.type.kind, bitField.width == 0 { continue }
      if reading == .clang, isEmpty(field.type) { continue }
      guard let inner = members(of: field.type, as: reading) else { return nil }
      if inner.count == 0 { continue }
      guard result.count == 0 || (result.base == inner.base && result.size == inner.size) else { return nil }
      result = HomogeneousMembers(base: inner.base, size: inner.size, count: combine(result.count, inner.count))
    }
    // Padding between or after the members makes the aggregate inhomogeneous.
    return result.count * result.size == size ? result : nil
  }

  /// Whether a type is a struct or union of nothing but such, arrays without elements, and bit-fields of width zero; or an array of one.
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

  /// The alignment that counts for passing: of a struct or union the largest of its members, whatever an attribute said of the whole.
  ///
  /// A packing lowers that of the members, and an attribute of a member's type raises it (AAPCS64, section 5.9).
  static func naturalAlignment(of type: TypeEncoding) -> Int {
    switch type.kind {
    case .structure(let record), .union(let record): naturalAlignment(of: record, packing: type.layoutOverride?.packing)
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .array,
      .bitField:
      type.alignment ?? 1
    }
  }

  private static func naturalAlignment(of record: TypeEncoding.Record, packing: Int?) -> Int {
    let largest = (record.fields ?? []).reduce(1) { largest, field in
      if case .bitField(let bitField) = field.type.kind { return max(largest, bitField.container.size) }
      return max(largest, field.type.alignment ?? 1)
    }
    return min(largest, packing ?? largest)
  }
}
