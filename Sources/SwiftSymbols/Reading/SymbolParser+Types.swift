extension SymbolParser {
  /// Reads the kind of a nominal type, whose name and context are on the stack.
  mutating func parseNominal(_ kind: SymbolNodeKind) throws(SymbolRefusal) -> Node {
    let name = try popName()
    let context = try popContext()
    return addSubstitution(try make(kind, context, name))
  }

  /// Reads `B`: a type of the module Builtin.
  mutating func parseBuiltin() throws(SymbolRefusal) -> Node {
    let name: String
    var kind = SymbolNodeKind.builtin
    switch Unicode.Scalar(try takeByte()) {
    case "A": (name, kind) = ("ImplicitActor", .unnamedBuiltin)
    case "b": name = "BridgeObject"
    case "B": name = "UnsafeValueBuffer"
    case "c": name = "RawUnsafeContinuation"
    case "D": name = "DefaultActorStorage"
    case "d": name = "NonDefaultDistributedActorStorage"
    case "e": name = "Executor"
    case "f": name = "FPIEEE\(try index() - 1)"
    case "i": name = "Int\(try index() - 1)"
    case "I": (name, kind) = ("IntLiteral", .unnamedBuiltin)
    case "j": name = "Job"
    case "O": name = "UnknownObject"
    case "o": name = "NativeObject"
    case "P": (name, kind) = ("PackIndex", .unnamedBuiltin)
    case "p": name = "RawPointer"
    case "t": (name, kind) = ("SILToken", .unnamedBuiltin)
    case "w": name = "Word"
    case "v":
      let count = try index() - 1
      let element = try popType()
      let prefix = "Builtin."
      // A vector of vectors does not exist, and its name would grow with each level.
      guard tree.kind(element) == .builtin, tree.textBytes(element).count <= 32 else { throw malformed }
      name = "Vec\(count)x" + String(decoding: tree.textBytes(element).dropFirst(prefix.utf8.count), as: UTF8.self)
    case "V":
      let element = try popType()
      let size = try popType()
      return try make(.builtinFixedArray, size, element)
    default: throw malformed
    }
    return try make(kind, named: "Builtin.\(name)")
  }

  /// Reads `X`: types that are rare in declarations.
  mutating func parseSpecialType() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "A": return try popFunctionType(.escapingAutoclosureType)
    case "B": return try popFunctionType(.blockType)
    case "C": return try popFunctionType(.cFunctionType)
    case "E": return try popFunctionType(.noEscapeFunctionType)
    case "K": return try popFunctionType(.autoclosureType)
    case "o": return try make(.unowned, try popType())
    case "u": return try make(.unmanaged, try popType())
    case "w": return try make(.weak, try popType())
    case "D": return try make(.dynamicSelf, try popType())
    case "p": return try make(.existentialMetatype, try popType())
    case "P":
      let requirements = try popList { (parser) throws(SymbolRefusal) in
        guard let requirement = parser.pop(where: { $0.isRequirement }) else { throw parser.malformed }
        return requirement
      }
      let base = try popType()
      return try make(.constrainedExistential, base, try make(.requirementList, children: requirements))
    case "c":
      let superclass = try popType()
      return try make(.protocolListWithClass, try parseProtocolList(), superclass)
    case "l": return try make(.protocolListWithAnyObject, try parseProtocolList())
    case "Y": return try parseNominal(.otherNominal)
    case "S": throw unsupported("a type in the form of the source")
    case "g", "G", "j": throw unsupported("the shape of an existential")
    case "b", "f", "F", "L", "m", "M", "U", "x", "X": throw unsupported("a SIL type")
    case "e": throw unsupported("a type that is an error")
    case "Z": throw unsupported("a local declaration")
    case "z": throw unsupported("a C type")
    default: throw malformed
    }
  }

  /// Reads `Y`: an annotation of a function type or parameter.
  mutating func parseTypeAnnotation() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "a": return try make(.asyncMark)
    case "A": return try make(.isolatedAnyMark)
    case "b": return try make(.sendableMark)
    case "c": return try make(.globalActorMark, try popType())
    case "C": return try make(.callerIsolatedMark)
    case "i": return try make(.isolated, try popType())
    case "j": return try make(.differentiableMark, index: Int(try takeByte()))
    case "k": return try make(.noDerivative, try popType())
    case "K": return try make(.typedThrowsMark, try popType())
    case "t": return try make(.compileTimeLiteral, try popType())
    case "g": return try make(.constantValue, try popType())
    case "T": return try make(.sendingResultMark)
    case "u": return try make(.sending, try popType())
    default: throw malformed
    }
  }

  /// Takes the parts of a function type: its marks, the parameters and the result.
  mutating func popFunctionType(_ kind: SymbolNodeKind) throws(SymbolRefusal) -> Node {
    var parts: [Node] = []
    while let mark = pop(where: { $0.isFunctionMark }) {
      parts.append(mark)
      guard parts.count <= 8 else { throw malformed }
    }
    parts.append(try popParameters())
    parts.append(try popParameters())
    return try make(kind, children: parts)
  }

  private mutating func popParameters() throws(SymbolRefusal) -> Node {
    if pop(.emptyList) != nil { return try make(.tuple) }
    return try popType()
  }

  mutating func parseTuple() throws(SymbolRefusal) -> Node {
    if pop(.emptyList) != nil { return try make(.tuple) }
    let elements = try popList { (parser) throws(SymbolRefusal) in
      let isVariadic = parser.pop(.variadicMark) != nil
      let label = parser.pop(.identifier).map { parser.tree.textRange($0) }
      let type = try parser.popType()
      return try parser.make(.tupleElement, index: isVariadic ? 1 : 0, text: label ?? 0..<0, type)
    }
    return try make(.tuple, children: elements)
  }

  mutating func parseProtocolList() throws(SymbolRefusal) -> Node {
    if pop(.emptyList) != nil { return try make(.protocolList, try make(.typeList)) }
    let protocols = try popList { (parser) throws(SymbolRefusal) in try parser.popProtocol() }
    return try make(.protocolList, try make(.typeList, children: protocols))
  }

  /// Reads `G`: the generic arguments of a type, one list for each level of nesting.
  mutating func parseBoundGeneric() throws(SymbolRefusal) -> Node {
    let lists = try popArgumentLists()
    let nominal = try popType()
    guard tree.kind(nominal).isNominal else { throw malformed }
    return addSubstitution(try bind(nominal, lists[...]))
  }

  /// Takes the lists of generic arguments, the last one first.
  private mutating func popArgumentLists() throws(SymbolRefusal) -> [Node] {
    while pop(.retroactiveConformance) != nil {}
    var lists: [Node] = []
    while true {
      var types: [Node] = []
      while let type = popOptionalType() { types.append(type) }
      lists.append(try make(.typeList, children: types.reversed()))
      if pop(.emptyList) != nil { return lists }
      guard pop(.firstElement) != nil else { throw malformed }
    }
  }

  /// Binds generic arguments to a type and the types that contain it; the first list is the innermost type's.
  ///
  /// The recursion is bounded by the depth of the tree.
  private mutating func bind(_ nominal: Node, _ lists: ArraySlice<Node>) throws(SymbolRefusal) -> Node {
    guard let arguments = lists.first, tree.childCount(nominal) > 0 else { throw malformed }
    let rest = lists.dropFirst()
    var bound = nominal
    if !rest.isEmpty {
      let context = tree.child(nominal, 0)
      let isExtended = tree.kind(context) == .extension
      let outer = isExtended ? tree.child(context, 1) : context
      guard tree.kind(outer).isNominal else { throw malformed }
      var parent = try bind(outer, rest)
      if isExtended {
        var parts = Array(tree.children(context))
        parts[1] = parent
        parent = try make(.extension, children: parts)
      }
      bound = try make(tree.kind(nominal), parent, tree.child(nominal, 1))
    }
    return tree.childCount(arguments) > 0 ? try make(.boundGeneric, bound, arguments) : bound
  }
}

// MARK: - Generics

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
    case "O": return try make(.opaqueResultOf, try popDeclaration())
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
    case "P":
      if pop(.emptyList) != nil { return try make(.pack) }
      return try make(.pack, children: try popList { (parser) throws(SymbolRefusal) in try parser.popType() })
    case "S", "e": throw unsupported("a pack in a body")
    default: throw malformed
    }
  }

  private mutating func parseOpaqueType() throws(SymbolRefusal) -> Node {
    let ordinal = try index()
    let lists = try popArgumentLists()
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
      guard take("C") else { throw unsupported("the layout of a specialization") }
      return try make(.layoutRequirement, subject)
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
