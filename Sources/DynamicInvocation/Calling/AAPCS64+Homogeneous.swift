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
  static func homogeneousMembers(of type: TypeEncoding) -> HomogeneousMembers? {
    guard let size = type.size, size <= 64, let members = members(of: type), (1...4).contains(members.count) else { return nil }
    // Padding between or after the members makes the aggregate inhomogeneous.
    return members.count * members.size == size ? members : nil
  }

  /// The common base and the number of members of a type; a count of zero for a type without bytes.
  private static func members(of type: TypeEncoding) -> HomogeneousMembers? {
    switch type.kind {
    case .scalar(let scalar):
      return scalar.isInteger ? nil : HomogeneousMembers(base: scalar.cName, size: scalar.size, count: 1)
    case .complex(let part):
      return part.isInteger ? nil : HomogeneousMembers(base: part.cName, size: part.size, count: 2)
    case .vector(_, _, let size, _):
      return size == 8 || size == 16 ? HomogeneousMembers(base: "vector", size: size, count: 1) : nil
    case .array(let count, let element):
      // An array without elements ends the search, as compilers have it; one of empty structs does not.
      guard count > 0 else { return nil }
      guard element.size != 0 else { return HomogeneousMembers(base: "", size: 0, count: 0) }
      guard var inner = members(of: element) else { return nil }
      inner.count *= count
      return inner
    case .structure(let record):
      return joined(record) { $0 + $1 }
    case .union(let record):
      return joined(record) { max($0, $1) }
    default:
      return nil
    }
  }

  private static func joined(_ record: TypeEncoding.Record, _ combine: (Int, Int) -> Int) -> HomogeneousMembers? {
    var result = HomogeneousMembers(base: "", size: 0, count: 0)
    for field in record.fields ?? [] {
      guard let inner = members(of: field.type) else { return nil }
      if inner.count == 0 { continue }
      guard result.count == 0 || (result.base == inner.base && result.size == inner.size) else { return nil }
      result = HomogeneousMembers(base: inner.base, size: inner.size, count: combine(result.count, inner.count))
    }
    return result
  }

  /// The alignment that counts for passing: that of the members, whatever an attribute said of the whole (section 5.9).
  static func naturalAlignment(of type: TypeEncoding) -> Int {
    switch type.kind {
    case .structure(let record), .union(let record):
      return (record.fields ?? []).reduce(1) { largest, field in
        if case .bitField(let bitField) = field.type.kind { return max(largest, bitField.container.size) }
        return max(largest, naturalAlignment(of: field.type))
      }
    case .array(_, let element): return naturalAlignment(of: element)
    default: return type.alignment ?? 1
    }
  }
}
