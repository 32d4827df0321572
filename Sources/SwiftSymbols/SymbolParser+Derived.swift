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
