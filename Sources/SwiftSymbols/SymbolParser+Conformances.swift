extension SymbolParser {
  /// Takes a conformance: a type, a protocol, the module that declares it, and its generic signature.
  mutating func popConformance() throws(SymbolRefusal) -> Node {
    let signature = pop(.genericSignature)
    let module = try popModule()
    let conformed = try popProtocol()
    var type = try popType()
    if let signature { type = try make(.genericType, signature, type) }
    return try make(.conformance, children: [type, conformed, module])
  }

  /// Takes a conformance with module, or for a generic parameter one without.
  mutating func popConformanceOrRequirement() throws(SymbolRefusal) -> Node {
    if let last = stack.last, [.genericSignature, .identifier, .module].contains(tree.kind(last)) { return try popConformance() }
    let conformed = try popProtocol()
    return try make(.conformance, try popType(), conformed)
  }

  /// Reads `H`: the conformances of generic arguments, and the records of a library.
  mutating func parseConformanceOperator() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "P", "p": return try witness("", try popProtocol())
    case "C":
      let conditional = try popConformanceList()
      let reference: Node
      if let found = pop(.conformanceWitness) {
        reference = found
      } else {
        let module = try popModule()
        reference = try make(.conformanceWitness, try popProtocol(), module)
      }
      return try make(.conformanceWitness, children: [try popType(), reference, conditional])
    case "D":
      let number = try index()
      let conformed = try popProtocol()
      return try make(.conformanceWitness, index: number, try popType(), conformed)
    case "I":
      let number = try index()
      let conformed = try popProtocol()
      return try make(.conformanceWitness, index: number, try popWitness(), conformed)
    case "A":
      let number = try index()
      let conformed = try popProtocol()
      let subject = try popType()
      return try make(.conformanceWitness, index: number, children: [try popWitness(), subject, conformed])
    case "O":
      let type = try popType()
      return try make(.conformanceWitness, try popWitness(), type)
    case "X": return try make(.conformanceWitness, try popConformanceList())
    case "c": return try derive("Hc", "protocol conformance descriptor runtime record for ", try popConformance())
    case "n": return try derive("Hn", "nominal type descriptor runtime record for ", try popType())
    case "o":
      guard let opaque = pop(.opaqueResultOf) else { throw malformed }
      return try derive("Ho", "opaque type descriptor runtime record for ", opaque)
    case "r": return try derive("Hr", "protocol descriptor runtime record for ", try popProtocol())
    case "F": return try attribute("HF", "accessible function runtime record for ")
    default: throw malformed
    }
  }

  private mutating func witness(_ words: StaticString, _ subject: Node) throws(SymbolRefusal) -> Node {
    try make(.conformanceWitness, subject)
  }

  private mutating func popWitness() throws(SymbolRefusal) -> Node {
    guard let witness = pop(.conformanceWitness) else { throw malformed }
    return witness
  }

  private mutating func popConformanceList() throws(SymbolRefusal) -> Node {
    if pop(.emptyList) != nil { return try make(.conformanceList) }
    return try make(.conformanceList, children: try popList { (parser) throws(SymbolRefusal) in try parser.popWitness() })
  }

  /// Reads `g`: the conformance of a generic argument that a third module declares.
  mutating func parseRetroactiveConformance() throws(SymbolRefusal) -> Node {
    let number = try index()
    return try make(.retroactiveConformance, index: number, try popWitness())
  }
}
