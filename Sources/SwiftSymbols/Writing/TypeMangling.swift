/// Writes the mangled name of a type in a tree, for the runtime's look-up of types.
///
/// The name has no substitutions, so it is valid outside of the symbol it was part of. What has no metadata that a
/// look-up can find is refused: generic parameters, packs, opaque types, `any P<T>`, types in functions.
package struct TypeMangling {
  typealias Node = SymbolTree.Node

  private let tree: SymbolTree
  private var output: [UInt8] = []
  private var isRefused = false

  private init(_ tree: SymbolTree) { self.tree = tree }

  /// The mangled name of a type without prefix, or nil.
  ///
  /// How a parameter is passed is left out: `inout`, ownership, isolation, and that a closure does not escape or is made
  /// from an expression. `Self` is the class that states it.
  package static func mangledName(of type: SymbolTree.Node, in tree: SymbolTree) -> [UInt8]? {
    var mangling = TypeMangling(tree)
    let value = mangling.valueType(of: type)
    switch tree.kind(value) {
    case .noEscapeFunctionType, .autoclosureType, .escapingAutoclosureType: mangling.writeFunction(value, "c")
    default: mangling.writeType(value)
    }
    return mangling.isRefused ? nil : mangling.output
  }

  /// The mangled name of the existential type of a protocol that no type contains.
  package static func existentialName(ofProtocol name: SwiftIdentifier, in module: SwiftIdentifier) -> [UInt8] {
    var mangling = TypeMangling(SymbolTree())
    mangling.writeIdentifier(Array(module.symbolic.utf8)[...])
    mangling.writeIdentifier(Array(name.symbolic.utf8)[...])
    mangling.write("_p")
    return mangling.output
  }

  /// The type of the value, without how it is passed.
  private func valueType(of type: Node) -> Node {
    var type = type
    while [.inOut, .owned, .shared, .sending, .isolated, .noDerivative, .compileTimeLiteral, .constantValue].contains(tree.kind(type)) {
      type = tree.child(type, 0)
    }
    return type
  }

  private mutating func refuse() { isRefused = true }

  private mutating func write(_ text: StaticString) { output += text.description.utf8 }

  private mutating func writeType(_ type: Node) {
    guard !isRefused else { return }
    let kind = tree.kind(type)
    if kind.isNominal || kind == .boundGeneric { return writeNominal(type) }
    if kind.isFunctionType { return writeFunction(type) }
    switch kind {
    case .builtin: writeBuiltin(tree.textBytes(type))
    case .builtinFixedArray:
      writeType(tree.child(type, 0))
      writeType(tree.child(type, 1))
      write("BV")
    case .integer:
      let value = tree.index(type)
      output += (value < 0 ? "$n" : "$").utf8
      output += (abs(value) == 0 ? "_" : "\(abs(value) - 1)_").utf8
    case .tuple: writeTuple(type)
    case .inOut: writeSuffixed(type, "z")
    case .shared: writeSuffixed(type, "h")
    case .owned: writeSuffixed(type, "n")
    case .sending: writeSuffixed(type, "Yu")
    case .isolated: writeSuffixed(type, "Yi")
    case .noDerivative: writeSuffixed(type, "Yk")
    case .dynamicSelf: writeType(tree.child(type, 0))
    case .metatype: writeMetatype(type, "m", "XM")
    case .existentialMetatype: writeMetatype(type, "Xp", "Xm")
    case .protocolList:
      writeProtocols(type)
      write("p")
    case .protocolListWithClass:
      writeProtocols(tree.child(type, 0))
      writeType(tree.child(type, 1))
      write("Xc")
    case .protocolListWithAnyObject:
      writeProtocols(tree.child(type, 0))
      write("Xl")
    default: refuse()
    }
  }

  private mutating func writeSuffixed(_ type: Node, _ suffix: StaticString) {
    writeType(tree.child(type, 0))
    write(suffix)
  }

  private mutating func writeMetatype(_ type: Node, _ plain: StaticString, _ represented: StaticString) {
    writeType(tree.child(type, 0))
    guard tree.index(type) != 0 else { return write(plain) }
    write(represented)
    output.append(UInt8(truncatingIfNeeded: tree.index(type)))
  }

  private mutating func writeTuple(_ type: Node) {
    if tree.childCount(type) == 0 { write("y") }
    for (position, element) in tree.children(type).enumerated() {
      writeType(tree.child(element, 0))
      let label = tree.textBytes(element)
      if !label.isEmpty { writeIdentifier(label) }
      if tree.index(element) == 1 { write("d") }
      if position == 0 { write("_") }
    }
    write("t")
  }

  private mutating func writeFunction(_ type: Node) {
    switch tree.kind(type) {
    case .functionType: writeFunction(type, "c")
    case .noEscapeFunctionType: writeFunction(type, "XE")
    case .autoclosureType: writeFunction(type, "XK")
    case .escapingAutoclosureType: writeFunction(type, "XA")
    case .thinFunctionType: writeFunction(type, "Xf")
    case .blockType: writeFunction(type, "XB")
    case .escapingBlockType: writeFunction(type, "XL")
    case .cFunctionType: writeFunction(type, "XC")
    default: refuse()
    }
  }

  private mutating func writeFunction(_ type: Node, _ representation: StaticString) {
    let parts = tree.children(type)
    writeFunctionPart(parts[parts.endIndex - 1])
    writeFunctionPart(parts[parts.endIndex - 2])
    for mark in parts.dropLast(2).reversed() { writeMark(mark) }
    write(representation)
  }

  private mutating func writeFunctionPart(_ type: Node) {
    if tree.kind(type) == .tuple, tree.childCount(type) == 0 { write("y") } else { writeType(type) }
  }

  private mutating func writeMark(_ mark: Node) {
    switch tree.kind(mark) {
    case .asyncMark: write("Ya")
    case .sendableMark: write("Yb")
    case .throwsMark: write("K")
    case .typedThrowsMark:
      writeType(tree.child(mark, 0))
      write("YK")
    case .globalActorMark:
      writeType(tree.child(mark, 0))
      write("Yc")
    case .isolatedAnyMark: write("YA")
    case .callerIsolatedMark: write("YC")
    case .sendingResultMark: write("YT")
    case .differentiableMark:
      write("Yj")
      output.append(UInt8(truncatingIfNeeded: tree.index(mark)))
    default: refuse()
    }
  }
}

// MARK: - Nominal types

extension TypeMangling {
  /// Writes a nominal type, with the generic arguments of it and of the types that contain it.
  private mutating func writeNominal(_ type: Node) {
    var lists: [Node?] = []
    var level: Node? = type
    while let current = level {
      let isBound = tree.kind(current) == .boundGeneric
      let nominal = isBound ? tree.child(current, 0) : current
      lists.append(isBound ? tree.child(current, 1) : nil)
      var context = tree.child(nominal, 0)
      if tree.kind(context) == .extension { context = tree.child(context, 1) }
      level = tree.kind(context).isType ? context : nil
    }
    writeDeclaration(type)
    guard lists.contains(where: { $0 != nil }) else { return }
    write("y")
    for (position, list) in lists.reversed().enumerated() {
      if position > 0 { write("_") }
      if let list { for argument in tree.children(list) { writeType(argument) } }
    }
    write("G")
  }

  /// Writes a nominal type without generic arguments.
  private mutating func writeDeclaration(_ type: Node) {
    let nominal = tree.kind(type) == .boundGeneric ? tree.child(type, 0) : type
    writeContextAndName(nominal)
    switch tree.kind(nominal) {
    case .structure: write("V")
    case .class: write("C")
    case .enumeration: write("O")
    case .protocol: write("P")
    default: refuse()
    }
  }

  private mutating func writeContextAndName(_ nominal: Node) {
    writeContext(tree.child(nominal, 0))
    writeName(tree.child(nominal, 1))
  }

  private mutating func writeContext(_ context: Node) {
    let kind = tree.kind(context)
    if kind.isNominal || kind == .boundGeneric { return writeDeclaration(context) }
    switch kind {
    case .module: writeModule(context)
    case .extension where tree.childCount(context) == 2:
      writeDeclaration(tree.child(context, 1))
      writeModule(tree.child(context, 0))
      write("E")
    default: refuse()
    }
  }

  private mutating func writeModule(_ module: Node) {
    if tree.hasText(module, "Swift") { return write("s") }
    if tree.hasText(module, "__C") { return write("So") }
    if tree.hasText(module, "__C_Synthesized") { return write("SC") }
    writeIdentifier(tree.textBytes(module))
  }

  private mutating func writeName(_ name: Node) {
    switch tree.kind(name) {
    case .identifier: writeIdentifier(tree.textBytes(name))
    case .privateName where tree.childCount(name) == 2:
      writeName(tree.child(name, 1))
      writeIdentifier(tree.textBytes(tree.child(name, 0)))
      write("LL")
    case .relatedName:
      writeName(tree.child(name, 0))
      write("L")
      output += tree.textBytes(name)
    default: refuse()
    }
  }

  private mutating func writeIdentifier(_ name: ArraySlice<UInt8>) {
    // A raw identifier has other characters of ASCII, too.
    guard String(decoding: name, as: UTF8.self).contains(where: { !$0.isASCII || !NameScanner.isWordPart($0) }) else {
      output += "\(name.count)".utf8
      output += name
      return
    }
    let encoded = Punycode.encode(String(decoding: name, as: UTF8.self))
    output += "00\(encoded.count)".utf8
    if let first = encoded.first, first == UInt8(ascii: "_") || SymbolParser.isDigit(first) { write("_") }
    output += encoded
  }

  private mutating func writeProtocols(_ list: Node) {
    let protocols = tree.children(tree.child(list, 0)).filter { !isMarker($0) }
    if protocols.isEmpty { write("y") }
    for (position, conformed) in protocols.enumerated() {
      guard tree.kind(conformed) == .protocol else { return refuse() }
      writeContextAndName(conformed)
      if position == 0 { write("_") }
    }
  }

  /// Whether a protocol has no requirements and no descriptor, so that types with and without it are the same type.
  private func isMarker(_ conformed: Node) -> Bool {
    let module = tree.child(conformed, 0)
    guard tree.kind(module) == .module, tree.hasText(module, "Swift") else { return false }
    return Self.markers.contains { tree.hasText(tree.child(conformed, 1), $0) }
  }

  private static let markers: [StaticString] = ["Sendable", "SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable"]

  private mutating func writeBuiltin(_ name: ArraySlice<UInt8>) {
    let text = String(decoding: name.dropFirst("Builtin.".utf8.count), as: UTF8.self)
    if let letter = Self.builtinLetters[text] {
      output += "B\(letter)".utf8
    } else if text.hasPrefix("FPIEEE"), let size = Int(text.dropFirst(6)) {
      output += "Bf\(size)_".utf8
    } else if text.hasPrefix("Int"), let size = Int(text.dropFirst(3)) {
      output += "Bi\(size)_".utf8
    } else if text.hasPrefix("Vec"), let x = text.firstIndex(of: "x"), let count = Int(text[..<x].dropFirst(3)) {
      writeBuiltin(Array("Builtin.\(text[text.index(after: x)...])".utf8)[...])
      output += "Bv\(count)_".utf8
    } else {
      refuse()
    }
  }

  private static let builtinLetters: [String: String] = [
    "BridgeObject": "b", "UnsafeValueBuffer": "B", "RawUnsafeContinuation": "c", "DefaultActorStorage": "D", "Executor": "e",
    "NonDefaultDistributedActorStorage": "d", "Job": "j", "UnknownObject": "O", "NativeObject": "o", "RawPointer": "p", "Word": "w",
  ]
}
