extension SymbolParser {
  /// Reads the number of a generic parameter: its depth and its position.
  func makeIndex(depth: Int, position: Int) throws(SymbolRefusal) -> Int {
    guard depth < 0x4000, position < 0xFFFF else { throw malformed }
    return depth << 16 | position
  }

  mutating func parseGenericParameterIndex() throws(SymbolRefusal) -> Node {
    if take("d") {
      let depth = try index() + 1
      return try make(.genericParameter, index: try makeIndex(depth: depth, position: try index()))
    }
    if take("z") { return try make(.genericParameter) }
    if take("s") { return try make(.constrainedExistentialSelf) }
    return try make(.genericParameter, index: try makeIndex(depth: 0, position: try index() + 1))
  }

  /// Takes the name of an associated type, with the protocol if it is stated.
  mutating func popAssociatedTypeName() throws(SymbolRefusal) -> Node {
    let owner = popOptionalType()
    if let owner, tree.kind(owner) != .protocol { throw malformed }
    guard let name = pop(.identifier) else { throw malformed }
    return try make(.associatedTypeReference, name, owner)
  }

  private mutating func dependentMember(of base: Node) throws(SymbolRefusal) -> Node {
    addSubstitution(try make(.dependentMember, base, try popAssociatedTypeName()))
  }

  /// Makes a member of a member: the list of names is on the stack.
  private mutating func dependentMembers(of base: Node) throws(SymbolRefusal) -> Node {
    let names = try popList { (parser) throws(SymbolRefusal) in try parser.popAssociatedTypeName() }
    var type = base
    for name in names { type = try make(.dependentMember, type, name) }
    return addSubstitution(type)
  }

  /// Reads `Q`: dependent members, opaque types and packs.
  mutating func parseArchetype() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "a":
      guard let name = pop(.identifier) else { throw malformed }
      return addSubstitution(try make(.associatedTypeOf, try popType(), name))
    case "O": return try make(.opaqueResultOf, try popContext())
    case "o": return try parseOpaqueType()
    case "r": return try make(.opaqueResult)
    case "R": return try make(.opaqueResult, index: try index() + 1)
    case "u": return try make(.opaqueResult)
    case "U": return try make(.opaqueResult, index: try index() + 1)
    case "x":
      let name = try popAssociatedTypeName()
      return addSubstitution(try make(.dependentMember, try popType(), name))
    case "X":
      let names = try popList { (parser) throws(SymbolRefusal) in try parser.popAssociatedTypeName() }
      var type = try popType()
      for name in names { type = try make(.dependentMember, type, name) }
      return addSubstitution(type)
    case "y": return try dependentMember(of: try parseGenericParameterIndex())
    case "Y": return try dependentMembers(of: try parseGenericParameterIndex())
    case "z": return try dependentMember(of: try make(.genericParameter))
    case "Z": return try dependentMembers(of: try make(.genericParameter))
    case "p":
      let count = try popType()
      return try make(.packExpansion, try popType(), count)
    case "e":
      let pack = try popType()
      return try make(.packElement, index: try index(), pack)
    case "P":
      if pop(.emptyList) != nil { return try make(.pack) }
      return try make(.pack, children: try popList { (parser) throws(SymbolRefusal) in try parser.popType() })
    case "S": throw unsupported("a SIL pack")
    default: throw malformed
    }
  }

  private mutating func parseOpaqueType() throws(SymbolRefusal) -> Node {
    let ordinal = try index()
    while pop(.retroactiveConformance) != nil {}
    var lists: [Node] = []
    repeat {
      var types: [Node] = []
      while let type = popOptionalType() { types.append(type) }
      lists.append(try make(.typeList, children: types.reversed()))
      if pop(.emptyList) != nil { break }
      guard pop(.firstElement) != nil else { throw malformed }
    } while true
    guard let declaration = pop(.opaqueResultOf) else { throw malformed }
    return addSubstitution(try make(.opaqueType, index: ordinal, children: [declaration] + lists.reversed()))
  }

  /// Reads `R`: a requirement of a generic signature, or the mark of a pack or value parameter.
  mutating func parseRequirement() throws(SymbolRefusal) -> Node {
    let start = position
    let letter = try takeByte()
    switch Unicode.Scalar(letter) {
    case "v": return try make(.packMarker, try parseGenericParameterIndex())
    case "V":
      let subject = try parseGenericParameterIndex()
      return try make(.valueMarker, subject, try popType())
    case "h":
      let subject = try parseGenericParameterIndex()
      return try make(.sameShapeRequirement, subject, try popType())
    case "b", "c", "C", "B":
      let subject = try requirementSubject(letter, "b", "c", "C")
      return try make(.conformanceRequirement, subject, try popType())
    case "s", "t", "T", "S":
      let subject = try requirementSubject(letter, "s", "t", "T")
      return try make(.sameTypeRequirement, subject, try popType())
    case "l", "m", "M", "L":
      let subject = try requirementSubject(letter, "l", "m", "M")
      let text = tree.store(try layoutConstraint().utf8)
      return try make(.layoutRequirement, text: text, children: [subject])
    case "i", "j", "J", "I":
      let bit = try index()
      return try make(.inverseRequirement, index: bit, try requirementSubject(letter, "i", "j", "J"))
    case "p", "P", "Q":
      let subject = try requirementSubject(letter, "_", "p", "P")
      return try make(.conformanceRequirement, subject, try popProtocol())
    default:
      position = start
      let subject = try parseGenericParameterIndex()
      return try make(.conformanceRequirement, subject, try popProtocol())
    }
  }

  /// Reads the subject of a requirement: a parameter, a member of one, a member of a member, or a repeated type.
  private mutating func requirementSubject(
    _ letter: UInt8, _ parameter: Unicode.Scalar, _ member: Unicode.Scalar, _ deepMember: Unicode.Scalar
  ) throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(letter) {
    case parameter: try parseGenericParameterIndex()
    case member: try dependentMember(of: try parseGenericParameterIndex())
    case deepMember: try dependentMembers(of: try parseGenericParameterIndex())
    default: try popType()
    }
  }

  private mutating func layoutConstraint() throws(SymbolRefusal) -> String {
    switch Unicode.Scalar(try takeByte()) {
    case "U": return "_UnknownLayout"
    case "R": return "_RefCountedObject"
    case "N": return "_NativeRefCountedObject"
    case "C": return "AnyObject"
    case "D": return "_NativeClass"
    case "T": return "_Trivial"
    case "B": return "_BridgeObject"
    case "E": return "_Trivial(\(try index()), \(try index()))"
    case "e": return "_Trivial(\(try index()))"
    case "M": return "_TrivialAtMost(\(try index()), \(try index()))"
    case "m": return "_TrivialAtMost(\(try index()))"
    case "S": return "_TrivialStride(\(try index()))"
    default: throw malformed
    }
  }

  /// Reads a generic signature: the number of parameters of each depth; the requirements are on the stack.
  mutating func parseGenericSignature(countsStated: Bool) throws(SymbolRefusal) -> Node {
    var parts: [Node] = []
    if countsStated {
      while !take("l") {
        let count = take("z") ? 0 : try index() + 1
        parts.append(try make(.genericParameterCount, index: count))
      }
    } else {
      parts.append(try make(.genericParameterCount, index: 1))
    }
    var requirements: [Node] = []
    while let requirement = pop(where: { $0.isRequirement }) { requirements.append(requirement) }
    return try make(.genericSignature, children: parts + requirements.reversed())
  }

  mutating func parseGenericType() throws(SymbolRefusal) -> Node {
    guard let signature = pop(.genericSignature) else { throw malformed }
    return try make(.genericType, signature, try popType())
  }
}
