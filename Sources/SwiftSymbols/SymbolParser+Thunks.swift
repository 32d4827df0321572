extension SymbolParser {
  /// Reads `T`: thunks, attributes of functions, requirements of protocols and specializations.
  mutating func parseThunkOperator() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "c": return try derive("Tc", "curry thunk of ", try popEntity())
    case "j": return try derive("Tj", "dispatch thunk of ", try popEntity())
    case "q": return try derive("Tq", "method descriptor for ", try popEntity())
    case "o": return try attribute("To", "@objc ")
    case "O": return try attribute("TO", "@nonobjc ")
    case "D": return try attribute("TD", "dynamic ")
    case "d": return try attribute("Td", "super ")
    case "E": return try attribute("TE", "distributed thunk ")
    case "F": return try attribute("TF", "distributed accessor for ")
    case "A": return try attribute("TA", "partial apply forwarder for ")
    case "a": return try attribute("Ta", "partial apply ObjC forwarder for ")
    case "m": return try attribute("Tm", "merged ")
    case "X": return try attribute("TX", "dynamically replaceable variable for ")
    case "x": return try attribute("Tx", "dynamically replaceable key for ")
    case "I": return try attribute("TI", "dynamically replaceable thunk for ")
    case "u": return try attribute("Tu", "async function pointer to ")
    case "Y":
      let number = try index()
      return try numbered("TY", "(\(number)) suspend resume partial function for ")
    case "Q":
      let number = try index()
      return try numbered("TQ", "(\(number)) await resume partial function for ")
    case "w": return try parseSecondThunkOperator()
    case "V":
      let base = try popEntity()
      return try make(.derived, index: Self.operatorCode("TV".utf8), named: "vtable thunk for ", children: [base, try popEntity()])
    case "W":
      let entity = try popEntity()
      let parts = [entity, try popConformanceOrRequirement()]
      return try make(.derived, index: Self.operatorCode("TW".utf8), named: "protocol witness for ", children: parts)
    case "S": return try derive("TS", "protocol self-conformance witness for ", try popEntity())
    case "L": return try derive("TL", "protocol requirements base descriptor for ", try popProtocol())
    case "l": return try derive("Tl", "associated type descriptor for ", try popAssociatedTypeName())
    case "M": return try derive("TM", "default associated type metadata accessor for ", try popAssociatedTypeName())
    case "n": return try parseAssociatedConformance("Tn", "associated conformance descriptor for ")
    case "N": return try parseAssociatedConformance("TN", "default associated conformance accessor for ")
    case "b":
      let requirement = try popProtocol()
      return try derive("Tb", "base conformance descriptor for ", try popType(), requirement)
    case "g", "G", "B", "s", "i", "t":
      position -= 1
      return try parseSpecialization()
    case "f": throw unsupported("a function signature specialization")
    case "p", "P": throw unsupported("a partial specialization")
    case "R", "r", "y": throw unsupported("a reabstraction thunk")
    case "K", "k", "H", "h": throw unsupported("a key path thunk")
    case "J": throw unsupported("a derivative")
    case "v":
      let number = try index()
      return try numbered("Tv", "outlined variable #\(number) of ")
    case "z", "Z", "C", "U", "e": throw unsupported("a thunk")
    default: throw malformed
    }
  }

  private mutating func parseSecondThunkOperator() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "b": return try attribute("Twb", "back deployment thunk for ")
    case "B": return try attribute("TwB", "back deployment fallback for ")
    case "S": return try attribute("TwS", "#_hasSymbol query for ")
    case "c": return try attribute("Twc", "coro function pointer to ")
    case "d": return try attribute("Twd", "default override of ")
    default: throw malformed
    }
  }

  private mutating func numbered(_ code: StaticString, _ words: String) throws(SymbolRefusal) -> Node {
    let text = tree.store(words.utf8)
    return try make(.attribute, index: Self.operatorCode(code.description.utf8), text: text, children: [])
  }

  mutating func make(
    _ kind: SymbolNodeKind, index: Int, named name: StaticString, children: [Node]
  ) throws(SymbolRefusal) -> Node {
    let text = tree.store(name.description.utf8)
    return try make(kind, index: index, text: text, children: children)
  }

  /// Reads the conformance that a protocol requires of an associated type.
  private mutating func parseAssociatedConformance(_ code: StaticString, _ words: StaticString) throws(SymbolRefusal) -> Node {
    let requirement = try popProtocol()
    // A path of associated types, or a type that begins with a generic parameter.
    let subject: Node
    if let last = stack.last, tree.kind(last).isType, tree.kind(last) != .protocol {
      subject = stack.removeLast()
    } else {
      subject = try popAssociatedTypePath()
    }
    let owner = try popType()
    let text = tree.store(words.description.utf8)
    return try make(
      .derived, index: Self.operatorCode(code.description.utf8), text: text, children: [owner, subject, requirement])
  }

  /// Reads the specialization of a generic function: the dropped arguments, the kind and the pass that made it.
  private mutating func parseSpecialization() throws(SymbolRefusal) -> Node {
    while take("t") { _ = try natural() }
    let words: String
    switch Unicode.Scalar(try takeByte()) {
    case "g": words = "generic specialization"
    case "G": words = "generic not re-abstracted specialization"
    case "B": words = "generic specialization in resilience domain"
    case "s": words = "generic pre-specialization"
    case "i": words = "inlined generic function"
    default: throw malformed
    }
    let isSerialized = take("q")
    _ = take("a")
    _ = take("r")
    guard Self.isDigit(try takeByte()) else { throw malformed }
    let types = try popList { (parser) throws(SymbolRefusal) in try parser.popType() }
    let text = tree.store((words + (isSerialized ? " <serialized, " : " <")).utf8)
    return try make(.attribute, index: Self.operatorCode("Tg".utf8), text: text, children: types)
  }
}
