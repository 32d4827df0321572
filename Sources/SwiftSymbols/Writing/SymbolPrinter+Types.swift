extension SymbolPrinter {
  mutating func printType(_ type: Node) {
    let kind = tree.kind(type)
    if kind.isFunctionType { return printFunctionType(type, labels: nil) }
    if let word = Self.prefixes[kind] { return printPrefixed(word, type) }
    switch kind {
    case .boundGeneric: printBoundGeneric(type)
    case .builtin, .unnamedBuiltin: writeText(of: type)
    case .builtinFixedArray:
      write("Builtin.FixedArray<")
      printList(tree.children(type))
      write(">")
    case .tuple:
      write("(")
      printList(tree.children(type))
      write(")")
    case .dynamicSelf: write("Self")
    case .metatype, .existentialMetatype: printMetatype(type)
    case .protocolList:
      let protocols = tree.children(tree.child(type, 0))
      if protocols.isEmpty { write("Any") } else { printList(protocols, separator: " & ") }
    case .protocolListWithClass:
      print(tree.child(type, 1))
      write(" & ")
      printList(tree.children(tree.child(tree.child(type, 0), 0)), separator: " & ")
    case .protocolListWithAnyObject:
      let protocols = tree.children(tree.child(tree.child(type, 0), 0))
      printList(protocols, separator: " & ")
      write(protocols.isEmpty ? "Swift.AnyObject" : " & Swift.AnyObject")
    case .constrainedExistential:
      write("any ")
      print(tree.child(type, 0))
      write("<")
      printList(tree.children(tree.child(type, 1)))
      write(">")
    case .constrainedExistentialSelf: write("Self")
    case .genericParameter: write(Self.parameterName(tree.index(type)))
    case .dependentMember, .associatedTypeOf: printList(tree.children(type), separator: ".")
    case .genericType:
      print(tree.child(type, 0))
      if needsSpace(before: tree.child(type, 1)) { write(" ") }
      print(tree.child(type, 1))
    case .pack:
      write("Pack{")
      printList(tree.children(type))
      write("}")
    case .opaqueResult: write("some")
    case .opaqueType:
      print(tree.child(type, 0))
      write(".\(tree.index(type))")
    case .integer: write("\(tree.index(type))")
    default: break
    }
  }

  /// The words before types.
  private static let prefixes: [SymbolNodeKind: String] = [
    .inOut: "inout ", .shared: "__shared ", .owned: "__owned ", .sending: "sending ", .isolated: "isolated ",
    .noDerivative: "@noDerivative ", .compileTimeLiteral: "_const ", .constantValue: "@const ", .weak: "weak ", .unowned: "unowned ",
    .unmanaged: "unowned(unsafe) ", .packExpansion: "repeat ",
  ]

  private mutating func printPrefixed(_ words: String, _ type: Node) {
    write(words)
    print(tree.child(type, 0))
  }

  /// Prints what is part of a type.
  mutating func printPart(_ node: Node) {
    switch tree.kind(node) {
    case .typeList, .requirementList: printList(tree.children(node))
    case .tupleElement:
      let label = tree.textBytes(node)
      if !label.isEmpty { write(String(decoding: label, as: UTF8.self) + ": ") }
      printElement(node)
    case .opaqueResultOf:
      write("<<opaque return type of ")
      print(tree.child(node, 0))
      write(">>")
    case .associatedTypeReference:
      if tree.childCount(node) > 1 {
        print(tree.child(node, 1))
        write(".")
      }
      print(tree.child(node, 0))
    case .genericSignature: printSignature(node)
    default: printRequirement(node)
    }
  }

  private mutating func printBoundGeneric(_ type: Node) {
    let nominal = tree.child(type, 0)
    let arguments = tree.children(tree.child(type, 1))
    switch sugar(of: nominal, argumentCount: arguments.count) {
    case "Optional":
      printInParentheses(arguments[arguments.startIndex])
      write("?")
    case "Array":
      write("[")
      print(arguments[arguments.startIndex])
      write("]")
    case "Dictionary":
      write("[")
      print(arguments[arguments.startIndex])
      write(" : ")
      print(arguments[arguments.startIndex + 1])
      write("]")
    default:
      if tree.kind(nominal) == .protocol {
        printList(arguments)
        write(" as ")
        print(nominal)
      } else {
        print(nominal)
        write("<")
        printList(arguments)
        write(">")
      }
    }
  }

  /// The name of a type of the standard library that has a short form in the source.
  private func sugar(of nominal: Node, argumentCount: Int) -> String? {
    let module = tree.child(nominal, 0)
    let name = tree.child(nominal, 1)
    guard tree.kind(module) == .module, tree.hasText(module, "Swift"), tree.kind(name) == .identifier else { return nil }
    switch (tree.kind(nominal), argumentCount) {
    case (.enumeration, 1) where tree.hasText(name, "Optional"): return "Optional"
    case (.structure, 1) where tree.hasText(name, "Array"): return "Array"
    case (.structure, 2) where tree.hasText(name, "Dictionary"): return "Dictionary"
    default: return nil
    }
  }

  private mutating func printInParentheses(_ type: Node) {
    let isSimple = isSimple(type)
    if !isSimple { write("(") }
    print(type)
    if !isSimple { write(")") }
  }

  /// Whether a type can be followed by a suffix without parentheses.
  private func isSimple(_ type: Node) -> Bool {
    let kind = tree.kind(type)
    if kind.isFunctionType { return false }
    switch kind {
    case .inOut, .shared, .owned, .sending, .isolated, .noDerivative, .compileTimeLiteral, .constantValue, .weak, .unowned,
      .unmanaged, .genericType, .constrainedExistential, .protocolListWithClass, .constrainedExistentialSelf, .integer,
      .packExpansion, .builtinFixedArray, .opaqueType:
      return false
    case .protocolList: return tree.childCount(tree.child(type, 0)) <= 1
    case .protocolListWithAnyObject: return tree.childCount(tree.child(tree.child(type, 0), 0)) == 0
    default: return true
    }
  }

  private mutating func printMetatype(_ type: Node) {
    let instance = tree.child(type, 0)
    if tree.kind(type) == .metatype { printInParentheses(instance) } else { print(instance) }
    switch tree.kind(instance) {
    case .protocolList, .protocolListWithClass, .protocolListWithAnyObject, .constrainedExistential, .existentialMetatype:
      write(tree.kind(type) == .metatype ? ".Protocol" : ".Type")
    default: write(".Type")
    }
  }
}

// MARK: - Functions

extension SymbolPrinter {
  /// Prints a function type: its attributes, parameters with labels, effects and result.
  mutating func printFunctionType(_ type: Node, labels: Node?) {
    let kind = tree.kind(type)
    guard kind.isFunctionType else { return printType(type) }
    switch kind {
    case .autoclosureType, .escapingAutoclosureType: write("@autoclosure ")
    case .blockType: write("@convention(block) ")
    case .cFunctionType: write("@convention(c) ")
    default: break
    }
    let parts = tree.children(type)
    let marks = parts.dropLast(2)
    for mark in marks {
      switch tree.kind(mark) {
      case .isolatedAnyMark: write("@isolated(any) ")
      case .callerIsolatedMark: write("nonisolated(nonsending) ")
      case .globalActorMark:
        write("@")
        print(tree.child(mark, 0))
        write(" ")
      case .differentiableMark: write(Self.differentiability(tree.index(mark)))
      default: break
      }
    }
    if contains(.sendableMark, marks) { write("@Sendable ") }
    printParameters(parts[parts.endIndex - 2], labels: labels)
    if contains(.asyncMark, marks) { write(" async") }
    if contains(.throwsMark, marks) { write(" throws") }
    if let error = marks.first(where: { tree.kind($0) == .typedThrowsMark }) {
      write(" throws(")
      print(tree.child(error, 0))
      write(")")
    }
    write(" -> ")
    if contains(.sendingResultMark, marks) { write("sending ") }
    print(parts[parts.endIndex - 1])
  }

  private func contains(_ kind: SymbolNodeKind, _ marks: ArraySlice<Node>) -> Bool { marks.contains { tree.kind($0) == kind } }

  private static func differentiability(_ letter: Int) -> String {
    switch letter {
    case 0x66: "@differentiable(_forward) "
    case 0x72: "@differentiable(reverse) "
    case 0x6C: "@differentiable(_linear) "
    default: "@differentiable "
    }
  }

  /// Prints the type of an element of a tuple, or of a parameter.
  private mutating func printElement(_ node: Node) {
    print(tree.child(node, 0))
    if tree.index(node) == 1 { write("...") }
  }

  private mutating func printParameters(_ parameters: Node, labels: Node?) {
    write("(")
    defer { write(")") }
    guard tree.kind(parameters) == .tuple else {
      if let labels, tree.childCount(labels) > 0 { writeLabel(tree.child(labels, 0)) }
      print(parameters)
      return
    }
    var isFirst = true
    for (position, element) in tree.children(parameters).enumerated() {
      if !isFirst { write(", ") }
      isFirst = false
      guard let labels, tree.kind(element) == .tupleElement else {
        print(element)
        continue
      }
      // The labels of a declaration are in its list: a label of the tuple is not a label of the function.
      if tree.childCount(labels) > position { writeLabel(tree.child(labels, position)) }
      printElement(element)
    }
  }

  private mutating func writeLabel(_ label: Node) {
    if tree.kind(label) == .identifier { writeText(of: label) } else { write("_") }
    write(": ")
  }

  /// The name of a generic parameter: a letter for its number, and its depth.
  static func parameterName(_ index: Int) -> String {
    let (depth, position) = (index >> 16, index & 0xFFFF)
    var name = ""
    var rest = position
    repeat {
      name.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "A") + UInt8(rest % 26)))
      rest /= 26
    } while rest > 0
    return depth == 0 ? name : "\(name)\(depth)"
  }

  mutating func printSignature(_ signature: Node) {
    let parts = tree.children(signature)
    let counts = parts.prefix { tree.kind($0) == .genericParameterCount }
    let markers = parts.filter { tree.kind($0) == .packMarker || tree.kind($0) == .valueMarker }
    let requirements = parts.dropFirst(counts.count).drop { tree.kind($0) == .packMarker || tree.kind($0) == .valueMarker }
    write("<")
    for (depth, count) in counts.enumerated() {
      if depth > 0 { write("><") }
      for position in 0..<tree.index(count) {
        if position > 0 { write(", ") }
        if position >= 128 {
          write("...")
          break
        }
        let number = depth << 16 | position
        let marker = markers.first { tree.index(tree.child($0, 0)) == number }
        switch marker.map({ tree.kind($0) }) {
        case .packMarker?: write("each ")
        case .valueMarker?: write("let ")
        default: break
        }
        write(Self.parameterName(number))
        if let marker, tree.kind(marker) == .valueMarker {
          write(": ")
          print(tree.child(marker, 1))
        }
      }
    }
    if !requirements.isEmpty {
      write(" where ")
      printList(requirements)
    }
    write(">")
  }

  mutating func printRequirement(_ node: Node) {
    switch tree.kind(node) {
    case .conformanceRequirement: printList(tree.children(node), separator: ": ")
    case .sameTypeRequirement: printList(tree.children(node), separator: " == ")
    case .sameShapeRequirement:
      printList(tree.children(node), separator: ".shape == ")
      write(".shape")
    case .inverseRequirement:
      print(tree.child(node, 0))
      switch tree.index(node) {
      case 0: write(": ~Swift.Copyable")
      case 1: write(": ~Swift.Escapable")
      default: write(": ~Swift.<bit \(tree.index(node))>")
      }
    case .layoutRequirement:
      print(tree.child(node, 0))
      write(": AnyObject")
    case .packMarker, .valueMarker: print(tree.child(node, 0))
    default: for child in tree.children(node) { print(child) }
    }
  }
}
