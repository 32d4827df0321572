extension SymbolParser {
  /// Reads `F`: a function or method.
  mutating func parseFunction() throws(SymbolRefusal) -> Node {
    let signature = pop(.genericSignature)
    let function = try popFunctionType(.functionType)
    let labels = try popLabels(for: function)
    let type = try signature.map { (signature) throws(SymbolRefusal) in try make(.genericType, signature, function) } ?? function
    let name = try popName()
    let context = try popContext()
    return try make(.function, children: [context, name] + (labels.map { [$0] } ?? []) + [type])
  }

  /// Takes the name, labels and type of a declaration.
  mutating func parseEntity(_ kind: SymbolNodeKind) throws(SymbolRefusal) -> Node {
    let type = try popType()
    let labels = try popLabels(for: type)
    let name = try popName()
    let context = try popContext()
    return try make(kind, children: [context, name] + (labels.map { [$0] } ?? []) + [type])
  }

  /// Takes the argument labels of a declaration with a function type.
  ///
  /// There is one for each parameter, or the mark that no parameter has one. Nil if there is no parameter.
  mutating func popLabels(for type: Node) throws(SymbolRefusal) -> Node? {
    if pop(.emptyList) != nil { return try make(.labels) }
    guard let parameters = parameterTypes(of: type), !parameters.isEmpty else { return nil }
    var labels: [Node] = []
    for _ in parameters {
      guard let label = pop(.identifier) ?? pop(.firstElement) else { throw malformed }
      labels.append(label)
    }
    if labels.allSatisfy({ tree.kind($0) == .firstElement }) { labels = [] }
    return try make(.labels, children: labels.reversed())
  }

  /// The parameters of a function type, as tuple elements or as one type; nil for other types.
  private func parameterTypes(of type: Node) -> ArraySlice<Node>? {
    var function = type
    if tree.kind(function) == .genericType { function = tree.child(function, 1) }
    guard tree.kind(function) == .functionType || tree.kind(function) == .noEscapeFunctionType else { return nil }
    let parameters = tree.child(function, tree.childCount(function) - 2)
    return tree.kind(parameters) == .tuple ? tree.children(parameters) : [parameters]
  }

  /// Reads `i`: a subscript and its accessor.
  mutating func parseSubscript() throws(SymbolRefusal) -> Node {
    let name = pop(.privateName)
    let type = try popType()
    let labels = try popLabels(for: type)
    let context = try popContext()
    let parts = [context] + (labels.map { [$0] } ?? []) + [type] + (name.map { [$0] } ?? [])
    return try parseAccessor(of: try make(.subscript, children: parts))
  }

  /// Reads the letter of an accessor; `p` is the variable or subscript itself.
  mutating func parseAccessor(of storage: Node) throws(SymbolRefusal) -> Node {
    var code = Int(try takeByte())
    let words: StaticString
    switch Unicode.Scalar(UInt8(code)) {
    case "p": return storage
    case "g": words = "getter"
    case "G": words = "getter"
    case "s": words = "setter"
    case "m": words = "materializeForSet"
    case "w": words = "willset"
    case "W": words = "didset"
    case "r": words = "read"
    case "M": words = "modify"
    case "x": words = "modify2"
    case "y": words = "read2"
    case "b": words = "borrow"
    case "z": words = "mutate"
    case "i": words = "init"
    case "a", "l":
      let isMutable = code == Int(UInt8(ascii: "a"))
      let owner = try takeByte()
      code = code << 8 | Int(owner)
      switch Unicode.Scalar(owner) {
      case "u": words = isMutable ? "unsafeMutableAddressor" : "unsafeAddressor"
      case "O": words = isMutable ? "owningMutableAddressor" : "owningAddressor"
      case "o": words = isMutable ? "nativeOwningMutableAddressor" : "nativeOwningAddressor"
      case "p": words = isMutable ? "nativePinningMutableAddressor" : "nativePinningAddressor"
      default: throw malformed
      }
    default: throw malformed
    }
    return try make(.accessor, index: code, named: words, storage)
  }

  /// Reads `f`: initializers, deinitializers, closures and default arguments.
  mutating func parseFunctionEntity() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "C": return try parseInitializer(.allocatingInitializer)
    case "c": return try parseInitializer(.initializer)
    case "D": return try make(.contextMember, index: 0x44, named: "__deallocating_deinit", try popContext())
    case "d": return try make(.contextMember, index: 0x64, named: "deinit", try popContext())
    case "Z": return try make(.contextMember, index: 0x5A, named: "__isolated_deallocating_deinit", try popContext())
    case "E": return try make(.contextMember, index: 0x45, named: "__ivar_destroyer", try popContext())
    case "e": return try make(.contextMember, index: 0x65, named: "__ivar_initializer", try popContext())
    case "i": return try make(.contextMember, index: 0x69, named: "variable initialization expression", try popContext())
    case "P": return try make(.contextMember, index: 0x50, named: "property wrapper backing initializer", try popContext())
    case "F": return try make(.contextMember, index: 0x46, named: "property wrapped field init accessor", try popContext())
    case "W": return try make(.contextMember, index: 0x57, named: "property wrapper init from projected value", try popContext())
    case "a": return try make(.contextMember, index: 0x61, named: "runtime attribute generator", try popContext())
    case "A":
      let number = try index()
      return try make(.defaultArgument, index: number, try popContext())
    case "U": return try parseClosure("closure #")
    case "u": return try parseClosure("implicit closure #")
    case "m": return try parseEntity(.macro)
    case "p": return try parseEntity(.genericParameterDeclaration)
    case "M": throw unsupported("a macro expansion")
    default: throw malformed
    }
  }

  private mutating func parseInitializer(_ kind: SymbolNodeKind) throws(SymbolRefusal) -> Node {
    let name = pop(.privateName)
    let type = try popType()
    let labels = try popLabels(for: type)
    let context = try popContext()
    return try make(kind, children: [context] + (labels.map { [$0] } ?? []) + [type] + (name.map { [$0] } ?? []))
  }

  private mutating func parseClosure(_ words: StaticString) throws(SymbolRefusal) -> Node {
    let number = try index()
    let type = try popType()
    let context = try popContext()
    let text = tree.store(words.description.utf8)
    return try make(.closure, index: number, text: text, children: [context, type])
  }

  /// Reads `E`: a context that is an extension of a type of another module, or with constraints.
  mutating func parseExtension() throws(SymbolRefusal) -> Node {
    let signature = pop(.genericSignature)
    let module = try popModule()
    let type = try popType()
    guard tree.kind(type).isNominal else { throw malformed }
    return try make(.extension, children: [module, type] + (signature.map { [$0] } ?? []))
  }
}

// MARK: - Conformances

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

// MARK: - Derived

extension SymbolParser {
  /// Reads `M`: metadata and descriptors of types.
  mutating func parseMetadataOperator() throws(SymbolRefusal) -> Node {
    let letter = try takeByte()
    switch Unicode.Scalar(letter) {
    case "a": return try derive("Ma", "type metadata accessor for ", try popType())
    case "A": return try derive("MA", "reflection metadata associated type descriptor ", try popConformance())
    case "b": return try derive("Mb", "canonical specialized generic type metadata accessor for ", try popType())
    case "B": return try derive("MB", "reflection metadata builtin descriptor ", try popType())
    case "c": return try derive("Mc", "protocol conformance descriptor for ", try popConformance())
    case "C": return try derive("MC", "reflection metadata superclass descriptor ", try popType())
    case "D": return try derive("MD", "demangling cache variable for type metadata for ", try popType())
    case "f": return try derive("Mf", "full type metadata for ", try popType())
    case "F": return try derive("MF", "reflection metadata field descriptor ", try popType())
    case "g": return try derive("Mg", "opaque type descriptor accessor for ", try popAny())
    case "h": return try derive("Mh", "opaque type descriptor accessor impl for ", try popAny())
    case "i": return try derive("Mi", "type metadata instantiation function for ", try popType())
    case "I": return try derive("MI", "type metadata instantiation cache for ", try popType())
    case "j": return try derive("Mj", "opaque type descriptor accessor key for ", try popAny())
    case "k": return try derive("Mk", "opaque type descriptor accessor var for ", try popAny())
    case "l": return try derive("Ml", "type metadata singleton initialization cache for ", try popType())
    case "L": return try derive("ML", "lazy cache variable for type metadata for ", try popType())
    case "m": return try derive("Mm", "metaclass for ", try popType())
    case "n": return try derive("Mn", "nominal type descriptor for ", try popType())
    case "o": return try derive("Mo", "class metadata base offset for ", try popType())
    case "p": return try derive("Mp", "protocol descriptor for ", try popProtocol())
    case "P": return try derive("MP", "generic type metadata pattern for ", try popType())
    case "Q": return try derive("MQ", "opaque type descriptor for ", try popAny())
    case "r": return try derive("Mr", "type metadata completion function for ", try popType())
    case "s": return try derive("Ms", "ObjC resilient class stub for ", try popType())
    case "S": return try derive("MS", "protocol self-conformance descriptor for ", try popProtocol())
    case "t": return try derive("Mt", "full ObjC resilient class stub for ", try popType())
    case "u": return try derive("Mu", "method lookup function for ", try popType())
    case "U": return try derive("MU", "ObjC metadata update function for ", try popType())
    case "V": return try derive("MV", "property descriptor for ", try popEntity())
    case "z": return try derive("Mz", "flag for loading of canonical specialized generic type metadata for ", try popAny())
    case "N": return try derive("MN", "noncanonical specialized generic type metadata for ", try popType())
    case "J": return try derive("MJ", "cache variable for noncanonical specialized generic type metadata for ", try popType())
    case "K": return try derive("MK", "metadata instantiation cache for ", try popAny())
    case "M": return try derive("MM", "canonical specialized generic type metadata caching token for ", try popType())
    case "q": return try derive("Mq", "uniquable ", try popAny())
    case "X": return try parsePrivateDescriptor()
    default: throw malformed
    }
  }

  private mutating func parsePrivateDescriptor() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "M": return try derive("MXM", "module descriptor ", try popModule())
    case "E": return try derive("MXE", "extension descriptor ", try popContext())
    case "X": return try derive("MXX", "anonymous descriptor ", try popContext())
    default: throw unsupported("an anonymous context's descriptor")
    }
  }

  private mutating func popAny() throws(SymbolRefusal) -> Node {
    guard let node = stack.popLast() else { throw malformed }
    return node
  }

  /// Reads `W`: witness tables, value witnesses and offsets.
  mutating func parseWitnessOperator() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "C": return try derive("WC", "enum case for ", try popEntity())
    case "V": return try derive("WV", "value witness table for ", try popType())
    case "v":
      switch Unicode.Scalar(try takeByte()) {
      case "d": return try derive("Wvd", "direct field offset for ", try popEntity())
      case "i": return try derive("Wvi", "indirect field offset for ", try popEntity())
      default: throw malformed
      }
    case "S": return try derive("WS", "protocol self-conformance witness table for ", try popProtocol())
    case "P": return try derive("WP", "protocol witness table for ", try popConformance())
    case "p": return try derive("Wp", "protocol witness table pattern for ", try popConformance())
    case "G": return try derive("WG", "generic protocol witness table for ", try popConformance())
    case "I": return try derive("WI", "instantiation function for generic protocol witness table for ", try popConformance())
    case "r": return try derive("Wr", "resilient protocol witness table for ", try popConformance())
    case "a": return try derive("Wa", "protocol witness table accessor for ", try popConformance())
    case "l":
      let conformance = try popConformance()
      return try derive("Wl", "lazy protocol witness table accessor for type ", try popType(), conformance)
    case "L":
      let conformance = try popConformance()
      return try derive("WL", "lazy protocol witness table cache variable for type ", try popType(), conformance)
    case "b":
      let base = try popProtocol()
      return try derive("Wb", "base witness table accessor for ", base, try popConformance())
    case "t":
      guard let name = pop(.identifier) else { throw malformed }
      return try derive("Wt", "associated type metadata accessor for ", name, try popConformance())
    case "T":
      let conformed = try popProtocol()
      let path = try popAssociatedTypePath()
      let conformance = try popConformance()
      let subject = try make(.conformance, path, conformed)
      return try derive("WT", "associated type witness table accessor for ", subject, conformance)
    case "Z", "z":
      let isToken = text[position - 1] == UInt8(ascii: "z")
      let names = try popList { (parser) throws(SymbolRefusal) in try parser.popName() }
      let context = try popContext()
      let variables = try make(.typeList, children: names)
      return isToken
        ? try derive("Wz", "one-time initialization token for ", variables, context)
        : try derive("WZ", "one-time initialization function for ", variables, context)
    case "O": return try parseOutlined()
    case "J": throw unsupported("a differentiability witness")
    default: throw malformed
    }
  }

  private mutating func parseOutlined() throws(SymbolRefusal) -> Node {
    let letter = try takeByte()
    _ = pop(.genericSignature)
    let type = try popType()
    switch Unicode.Scalar(letter) {
    case "y": return try derive("WOy", "outlined copy of ", type)
    case "e": return try derive("WOe", "outlined consume of ", type)
    case "r": return try derive("WOr", "outlined retain of ", type)
    case "s": return try derive("WOs", "outlined release of ", type)
    case "b", "B": return try derive("WOb", "outlined init with take of ", type)
    case "c", "C": return try derive("WOc", "outlined init with copy of ", type)
    case "d", "D": return try derive("WOd", "outlined assign with take of ", type)
    case "f", "F": return try derive("WOf", "outlined assign with copy of ", type)
    case "h", "H": return try derive("WOh", "outlined destroy of ", type)
    case "i":
      _ = try index()
      return try derive("WOi", "outlined enum tag store of ", type)
    case "j":
      _ = try index()
      return try derive("WOj", "outlined enum project data of ", type)
    case "g": return try derive("WOg", "outlined enum get tag of ", type)
    default: throw malformed
    }
  }

  mutating func popAssociatedTypePath() throws(SymbolRefusal) -> Node {
    let names = try popList { (parser) throws(SymbolRefusal) in try parser.popAssociatedTypeName() }
    return try make(.associatedTypePath, children: names)
  }

  /// Reads `w`: a value witness.
  mutating func parseValueWitness() throws(SymbolRefusal) -> Node {
    let code = Int(try takeByte()) << 8 | Int(try takeByte())
    guard let words = Self.valueWitnesses[code] else { throw malformed }
    let text = tree.store("\(words) value witness for ".utf8)
    return try make(.derived, index: code, text: text, children: [try popType()])
  }

  private static let valueWitnesses: [Int: String] = {
    let all: KeyValuePairs = [
      "al": "allocateBuffer", "ca": "assignWithCopy", "ta": "assignWithTake", "de": "deallocateBuffer", "xx": "destroy",
      "XX": "destroyBuffer", "Xx": "destroyArray", "CP": "initializeBufferWithCopyOfBuffer", "Cp": "initializeBufferWithCopy",
      "cp": "initializeWithCopy", "TK": "initializeBufferWithTakeOfBuffer", "Tk": "initializeBufferWithTake",
      "tk": "initializeWithTake", "pr": "projectBuffer", "xs": "storeExtraInhabitant", "xg": "getExtraInhabitantIndex",
      "Cc": "initializeArrayWithCopy", "Tt": "initializeArrayWithTakeFrontToBack", "tT": "initializeArrayWithTakeBackToFront",
      "ug": "getEnumTag", "up": "destructiveProjectEnumData", "ui": "destructiveInjectEnumTag", "et": "getEnumTagSinglePayload",
      "st": "storeEnumTagSinglePayload",
    ]
    return Dictionary(uniqueKeysWithValues: all.map { (operatorCode($0.key.utf8), $0.value) })
  }()
}

// MARK: - Thunks

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
