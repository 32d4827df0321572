extension DeclarationReader {
  /// Returns whether two types are compatible, as redeclarations must be.
  ///
  /// Source: C11, section 6.2.7. Qualifiers of a parameter are not compared.
  func isCompatible(_ left: QualifiedType, _ right: QualifiedType, ignoringQualifiers: Bool = false, depth: Int = 0) -> Bool {
    let qualifiers: QualifiedType.Flags = [.const, .volatile, .atomic]
    if !ignoringQualifiers, left.flags.intersection(qualifiers) != right.flags.intersection(qualifiers) { return false }
    if left.id == right.id { return true }
    // Deeper types were read within the bound of nesting; two that differ so far down are not worth a longer search.
    guard depth < Self.deepest else { return true }
    switch (types[Int(left.id.index)], types[Int(right.id.index)]) {
    case (.basic(let one), .basic(let other)), (.complex(let one), .complex(let other)): return one == other
    case (.vector(let one, let size), .vector(let other, let otherSize)): return one == other && size == otherSize
    case (.pointer(let one), .pointer(let other)), (.block(let one), .block(let other)):
      return isCompatible(one, other, depth: depth + 1)
    case (.array(let one, let count), .array(let other, let otherCount)):
      return (count == nil || otherCount == nil || count == otherCount) && isCompatible(one, other, depth: depth + 1)
    case (.function(let one), .function(let other)):
      return isCompatible(functions[Int(one)], functions[Int(other)], depth: depth + 1)
    case (.record(let one), .record(let other)): return one == other
    case (.enumeration(let one), .enumeration(let other)): return one == other
    case (.enumeration(let one), .basic(let other)), (.basic(let other), .enumeration(let one)):
      return enumerations[Int(one)].underlying.map { $0 == other } ?? true
    case (.unsupported(let one, _), .unsupported(let other, _)): return one == other
    default: return false
    }
  }

  private func isCompatible(_ left: FunctionNode, _ right: FunctionNode, depth: Int) -> Bool {
    guard isCompatible(left.result, right.result, ignoringQualifiers: true, depth: depth) else { return false }
    guard left.hasPrototype, right.hasPrototype else { return true }
    guard left.parameters.count == right.parameters.count, left.isVariadic == right.isVariadic else { return false }
    return zip(left.parameters, right.parameters).allSatisfy {
      isCompatible($0, $1, ignoringQualifiers: true, depth: depth)
    }
  }
}
