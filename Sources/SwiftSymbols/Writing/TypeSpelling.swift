/// Spells a type of a symbol as a mangled name of its own, for the runtime's look-up of types.
///
/// The characters are taken from the symbol. References to other parts of the symbol are replaced by what they stand
/// for: substitutions, repetitions, and words of earlier identifiers. Parts that the runtime does not read are left
/// out: the conformances of generic arguments, and protocols without a descriptor.
package struct TypeSpelling {
  typealias Node = SymbolTree.Node

  private let tree: SymbolTree
  private var output: [UInt8] = []

  /// The mangled name of a type without prefix, or nil if no type is found by a name.
  ///
  /// How a parameter is passed is left out: `inout`, ownership, isolation, and that a closure does not escape or is made
  /// from an expression. `Self` is the class that states it.
  ///
  /// - Parameter isBound: Whether the type is looked up with what generic parameters stand for; otherwise a type that
  ///   depends on them has no name.
  package static func mangledName(of type: SymbolTree.Node, in tree: SymbolTree, isBound: Bool = false) -> [UInt8]? {
    var type = type
    while [.inOut, .owned, .shared, .sending, .isolated, .noDerivative, .compileTimeLiteral, .constantValue].contains(tree.kind(type)) {
      type = tree.child(type, 0)
    }
    guard tree.contents(type).isDisjoint(with: [.pack, .opaque, .signature, .unnamed]) else { return nil }
    guard isBound || !tree.contents(type).contains(.genericParameter) else { return nil }
    var spelling = TypeSpelling(tree: tree)
    switch tree.kind(type) {
    case .noEscapeFunctionType, .autoclosureType, .escapingAutoclosureType:
      spelling.writeOperands(of: type)
      spelling.write("c")
    default: spelling.write(type)
    }
    return spelling.output.count <= SymbolParser.longestName ? spelling.output : nil
  }

  private mutating func write(_ text: StaticString) { output += text.description.utf8 }

  private mutating func write(_ node: Node) {
    // Substitutions may repeat a name more often than any name is read.
    guard output.count <= SymbolParser.longestName else { return }
    switch tree.kind(node) {
    case .identifier: writeIdentifier(node)
    case .retroactiveConformance: break
    case .dynamicSelf: write(tree.child(node, 0))
    // A function without a result has no tuple.
    case .tuple where tree.childCount(node) == 0: write("yt")
    case .protocolList:
      writeProtocols(node)
      write("p")
    case .protocolListWithClass:
      writeProtocols(tree.child(node, 0))
      write(tree.child(node, 1))
      write("Xc")
    case .protocolListWithAnyObject:
      writeProtocols(tree.child(node, 0))
      write("Xl")
    default:
      writeOperands(of: node)
      let bytes = tree.spelling(node)?.operatorBytes ?? []
      // `S2i` is two integers.
      let isStandard = bytes.first == UInt8(ascii: "S")
      output += bytes.lazy.filter { !isStandard || !SymbolParser.isDigit($0) }
    }
  }

  private mutating func writeOperands(of node: Node) {
    for operand in tree.spelling(node)?.operands ?? [] { write(operand) }
  }

  private mutating func writeIdentifier(_ node: Node) {
    let bytes = tree.spelling(node)?.operatorBytes ?? []
    let hasWords = bytes.first == UInt8(ascii: "0") && bytes.dropFirst().first != UInt8(ascii: "0")
    guard hasWords else { return output += bytes }
    let name = tree.textBytes(node)
    output += "\(name.count)".utf8
    output += name
  }

  private mutating func writeProtocols(_ list: Node) {
    let protocols = tree.children(tree.child(list, 0)).filter { !Self.isMarker($0, in: tree) }
    if protocols.isEmpty { write("y") }
    for (position, conformed) in protocols.enumerated() {
      write(conformed)
      if position == 0 { write("_") }
    }
  }

  /// Whether a protocol has no requirements and no descriptor, so that types with and without it are the same type.
  package static func isMarker(_ conformed: SymbolTree.Node, in tree: SymbolTree) -> Bool {
    let module = tree.child(conformed, 0)
    guard tree.kind(module) == .module, tree.hasText(module, "Swift") else { return false }
    return markers.contains { tree.hasText(tree.child(conformed, 1), $0) }
  }

  private static let markers: [StaticString] = ["Sendable", "SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable"]
}

extension SwiftIdentifier {
  /// The mangled name of the existential type of a protocol that no type contains.
  package static func existentialName(ofProtocol name: SwiftIdentifier, in module: SwiftIdentifier) -> [UInt8] {
    module.mangled + name.mangled + "_p".utf8
  }

  private var mangled: [UInt8] {
    let name = symbolic
    // A raw identifier has other characters of ASCII, too.
    guard name.contains(where: { !$0.isASCII || !NameScanner.isWordPart($0) }) else { return Array("\(name.utf8.count)\(name)".utf8) }
    let encoded = Punycode.encode(name)
    let isAmbiguous = encoded.first.map { $0 == UInt8(ascii: "_") || SymbolParser.isDigit($0) } ?? false
    return Array("00\(encoded.count)\(isAmbiguous ? "_" : "")".utf8) + encoded
  }
}
