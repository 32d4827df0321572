extension SymbolPrinter {
  mutating func printType(_ type: Node) {
    let kind = tree.kind(type)
    if kind.isFunctionType { return printFunctionType(type, labels: nil) }
    switch kind {
    case .boundGeneric: printBoundGeneric(type)
    case .builtin, .error: if kind == .error { write("<ERROR TYPE>") } else { writeText(of: type) }
    case .builtinFixedArray:
      write("Builtin.FixedArray<")
      printList(tree.children(type))
      write(">")
    case .tuple:
      write("(")
      printList(tree.children(type))
      write(")")
    case .inOut: printPrefixed("inout ", type)
    case .shared: printPrefixed("__shared ", type)
    case .owned: printPrefixed("__owned ", type)
    case .sending: printPrefixed("sending ", type)
    case .isolated: printPrefixed("isolated ", type)
    case .noDerivative: printPrefixed("@noDerivative ", type)
    case .compileTimeLiteral: printPrefixed("_const ", type)
    case .constantValue: printPrefixed("@const ", type)
    case .weak: printPrefixed("weak ", type)
    case .unowned: printPrefixed("unowned ", type)
    case .unmanaged: printPrefixed("unowned(unsafe) ", type)
    case .silBox: printPrefixed("@box ", type)
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
    case .dependentMember, .associatedTypeOf:
      print(tree.child(type, 0))
      write(".")
      print(tree.child(type, 1))
    case .genericType:
      print(tree.child(type, 0))
      if needsSpace(before: tree.child(type, 1)) { write(" ") }
      print(tree.child(type, 1))
    case .packExpansion: printPrefixed("repeat ", type)
    case .pack:
      write("Pack{")
      printList(tree.children(type))
      write("}")
    case .packElement: printPrefixed("/* level: \(tree.index(type)) */ each ", type)
    case .opaqueResult: write("some")
    case .opaqueType:
      print(tree.child(type, 0))
      write(".\(tree.index(type))")
    case .integer: write("\(tree.index(type))")
    default: break
    }
  }

  private mutating func printPrefixed(_ words: String, _ type: Node) {
    write(words)
    print(tree.child(type, 0))
  }

  /// Prints what is part of a type or of a conformance.
  mutating func printPart(_ node: Node) {
    switch tree.kind(node) {
    case .typeList, .requirementList: printList(tree.children(node))
    case .tupleElement:
      let label = tree.textBytes(node)
      if !label.isEmpty { write(String(decoding: label, as: UTF8.self) + ": ") }
      print(tree.child(node, 0))
      if tree.index(node) == 1 { write("...") }
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
    case .associatedTypePath: printList(tree.children(node), separator: ".")
    case .genericSignature: printSignature(node)
    case .conformance:
      print(tree.child(node, 0))
      write(" : ")
      print(tree.child(node, 1))
      if tree.childCount(node) > 2 {
        write(" in ")
        print(tree.child(node, 2))
      }
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
      .unmanaged, .genericType, .constrainedExistential, .protocolListWithClass, .packElement, .constrainedExistentialSelf, .integer,
      .packExpansion, .builtinFixedArray, .silBox, .opaqueType:
      return false
    case .protocolList: return tree.childCount(tree.child(type, 0)) <= 1
    case .protocolListWithAnyObject: return tree.childCount(tree.child(tree.child(type, 0), 0)) == 0
    default: return true
    }
  }

  private mutating func printMetatype(_ type: Node) {
    switch tree.index(type) {
    case Int(UInt8(ascii: "t")): write("@thin ")
    case Int(UInt8(ascii: "T")): write("@thick ")
    case Int(UInt8(ascii: "o")): write("@objc_metatype ")
    default: break
    }
    let instance = tree.child(type, 0)
    if tree.kind(type) == .metatype { printInParentheses(instance) } else { print(instance) }
    switch tree.kind(instance) {
    case .protocolList, .protocolListWithClass, .protocolListWithAnyObject, .constrainedExistential, .existentialMetatype:
      write(tree.kind(type) == .metatype ? ".Protocol" : ".Type")
    default: write(".Type")
    }
  }
}
