extension SymbolParser {
  /// Reads one operator and pushes its node.
  mutating func parseOperator() throws(SymbolRefusal) {
    let letter = try takeByte()
    switch letter {
    case UInt8(ascii: "A"): push(try parseSubstitutions())
    case UInt8(ascii: "B"): push(try parseBuiltin())
    case UInt8(ascii: "C"): push(try parseNominal(.class))
    case UInt8(ascii: "D"): push(try derive("D", "", try popType()))
    case UInt8(ascii: "E"): push(try parseExtension())
    case UInt8(ascii: "F"): push(try parseFunction())
    case UInt8(ascii: "G"): push(try parseBoundGeneric())
    case UInt8(ascii: "H"): push(try parseConformanceOperator())
    case UInt8(ascii: "I"): throw unsupported("a SIL function type")
    case UInt8(ascii: "K"): push(try make(.throwsMark))
    case UInt8(ascii: "L"): push(try parseLocalName())
    case UInt8(ascii: "M"): push(try parseMetadataOperator())
    case UInt8(ascii: "N"): push(try derive("N", "type metadata for ", try popType()))
    case UInt8(ascii: "O"): push(try parseNominal(.enumeration))
    case UInt8(ascii: "P"): push(try parseNominal(.protocol))
    case UInt8(ascii: "Q"): push(try parseArchetype())
    case UInt8(ascii: "R"): push(try parseRequirement())
    case UInt8(ascii: "S"): push(try parseStandardSubstitution())
    case UInt8(ascii: "T"): push(try parseThunkOperator())
    case UInt8(ascii: "V"): push(try parseNominal(.structure))
    case UInt8(ascii: "W"): push(try parseWitnessOperator())
    case UInt8(ascii: "X"): push(try parseSpecialType())
    case UInt8(ascii: "Y"): push(try parseTypeAnnotation())
    case UInt8(ascii: "Z"): push(try make(.static, try popEntity()))
    case UInt8(ascii: "a"): push(try parseNominal(.typeAlias))
    case UInt8(ascii: "c"): push(try popFunctionType(.functionType))
    case UInt8(ascii: "d"): push(try make(.variadicMark))
    case UInt8(ascii: "f"): push(try parseFunctionEntity())
    case UInt8(ascii: "g"): push(try parseRetroactiveConformance())
    case UInt8(ascii: "h"): push(try make(.shared, try popType()))
    case UInt8(ascii: "i"): push(try parseSubscript())
    case UInt8(ascii: "l"): push(try parseGenericSignature(countsStated: false))
    case UInt8(ascii: "m"): push(try make(.metatype, try popType()))
    case UInt8(ascii: "n"): push(try make(.owned, try popType()))
    case UInt8(ascii: "o"): push(try parseOperatorName())
    case UInt8(ascii: "p"): push(try parseProtocolList())
    case UInt8(ascii: "q"): push(try parseGenericParameterIndex())
    case UInt8(ascii: "r"): push(try parseGenericSignature(countsStated: true))
    case UInt8(ascii: "s"): push(try make(.module, named: "Swift"))
    case UInt8(ascii: "t"): push(try parseTuple())
    case UInt8(ascii: "u"): push(try parseGenericType())
    case UInt8(ascii: "v"): push(try parseAccessor(of: try parseEntity(.variable)))
    case UInt8(ascii: "w"): push(try parseValueWitness())
    case UInt8(ascii: "x"): push(try make(.genericParameter))
    case UInt8(ascii: "y"): push(try make(.emptyList))
    case UInt8(ascii: "z"): push(try make(.inOut, try popType()))
    case UInt8(ascii: "_"): push(try make(.firstElement))
    case UInt8(ascii: "$"): push(try parseInteger())
    case UInt8(ascii: "."): push(try parseUnmangledSuffix())
    case 0x30...0x39:
      position -= 1
      push(try parseIdentifier())
    case 1...0x1F: throw unsupported("a symbolic reference")
    default:
      position -= 1
      throw malformed
    }
  }

  /// Makes the node of something that is derived from another, with the words for it.
  mutating func derive(_ code: StaticString, _ words: StaticString, _ subject: Node, _ other: Node? = nil) throws(SymbolRefusal) -> Node {
    let text = tree.store(words.description.utf8)
    let children = other.map { [subject, $0] } ?? [subject]
    return try make(.derived, index: Self.operatorCode(code.description.utf8), text: text, children: children)
  }

  /// Makes the node of an attribute, which applies to all that is before it in the mangled name.
  mutating func attribute(_ code: StaticString, _ words: StaticString) throws(SymbolRefusal) -> Node {
    let text = tree.store(words.description.utf8)
    return try make(.attribute, index: Self.operatorCode(code.description.utf8), text: text, children: [])
  }

  /// The letters of an operator as a number.
  static func operatorCode(_ letters: some Sequence<UInt8>) -> Int { letters.reduce(0) { $0 << 8 | Int($1) } }

  private mutating func parseInteger() throws(SymbolRefusal) -> Node {
    let isNegative = take("n")
    let value = try index()
    return try make(.integer, index: isNegative ? -value : value)
  }

  /// Reads a suffix that LLVM or the linker appended, such as `.cold`.
  private mutating func parseUnmangledSuffix() throws(SymbolRefusal) -> Node {
    let suffix = tree.store(text[(position - 1)...])
    position = text.count
    return try make(.unmangledSuffix, text: suffix, children: [])
  }
}
