import TypeEncodings

extension DeclarationReader {
  /// Returns whether two types are compatible, as redeclarations must be.
  ///
  /// Source: C11, section 6.2.7. Qualifiers of a parameter are not compared.
  ///
  /// - Throws: `limitExceeded` if all comparisons together take more steps than there are tokens, and 100,000. The result
  ///   for a pair is stored, so that types that are parts of many others are compared once.
  mutating func isCompatible(
    _ left: QualifiedType, _ right: QualifiedType, ignoringQualifiers: Bool = false
  ) throws(SyntaxFailure) -> Bool {
    let qualifiers: QualifiedType.Flags = [.const, .volatile, .atomic]
    if !ignoringQualifiers, left.flags.intersection(qualifiers) != right.flags.intersection(qualifiers) { return false }
    if left.id == right.id { return true }
    comparisons -= 1
    guard comparisons >= 0 else { throw failure("too many parts of types are compared", code: .limitExceeded) }
    switch (node(left), node(right)) {
    case (.basic(let one), .basic(let other)), (.complex(let one), .complex(let other)): return one == other
    case (.vector(let one, let size), .vector(let other, let otherSize)): return one == other && size == otherSize
    case (.record(let one), .record(let other)): return one == other
    case (.enumeration(let one), .enumeration(let other)): return one == other
    case (.enumeration(let one), .basic(let other)), (.basic(let other), .enumeration(let one)):
      return enumerations[Int(one)].underlying.map { $0 == other } ?? true
    case (.unsupported(let one, _), .unsupported(let other, _)): return one == other
    default: break
    }
    let pair = TypePair(left: left.id, right: right.id)
    if let known = compatible[pair] { return known }
    let result = try areDerivedCompatible(node(left), node(right))
    compatible[pair] = result
    return result
  }

  private mutating func areDerivedCompatible(_ left: TypeNode, _ right: TypeNode) throws(SyntaxFailure) -> Bool {
    switch (left, right) {
    case (.pointer(let one), .pointer(let other)), (.block(let one), .block(let other)): return try isCompatible(one, other)
    case (.array(let one, let count), .array(let other, let otherCount)):
      guard count == nil || otherCount == nil || count == otherCount else { return false }
      return try isCompatible(one, other)
    case (.function(let one), .function(let other)):
      let (one, other) = (functions[Int(one)], functions[Int(other)])
      guard try isCompatible(one.result, other.result, ignoringQualifiers: true) else { return false }
      guard one.hasPrototype, other.hasPrototype else { return true }
      guard one.parameters.count == other.parameters.count, one.isVariadic == other.isVariadic else { return false }
      for (left, right) in zip(one.parameters, other.parameters) {
        guard try isCompatible(left, right, ignoringQualifiers: true) else { return false }
      }
      return true
    default: return false
    }
  }
}

/// Two types that are compared.
struct TypePair: Hashable, Sendable {
  var left: TypeID
  var right: TypeID
}
