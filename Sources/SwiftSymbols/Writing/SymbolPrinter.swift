/// Writes a tree as the text of a declaration, in the form of `swift demangle`.
package struct SymbolPrinter {
  typealias Node = SymbolTree.Node

  /// How the type of a declaration follows its name.
  enum TypeStyle {
    case none
    case withColon
    case function
  }

  let tree: SymbolTree
  var output = ""

  package init(_ tree: SymbolTree) { self.tree = tree }

  /// The text of the whole symbol.
  package static func text(of tree: SymbolTree) -> String {
    var printer = SymbolPrinter(tree)
    printer.print(tree.root)
    return printer.output
  }

  /// The text of one node.
  package static func text(of node: SymbolTree.Node, in tree: SymbolTree) -> String {
    var printer = SymbolPrinter(tree)
    printer.print(node)
    return printer.output
  }

  mutating func write(_ text: String) { output += text }

  mutating func writeText(of node: Node) { output += String(decoding: tree.textBytes(node), as: UTF8.self) }

  mutating func printList(_ nodes: some Sequence<Node>, separator: String = ", ") {
    var isFirst = true
    for node in nodes {
      if !isFirst { write(separator) }
      isFirst = false
      print(node)
    }
  }

  /// Prints a node.
  ///
  /// As the prefix of a name, a context that can't be written before a period is returned instead; the caller prints
  /// it after the name.
  @discardableResult
  mutating func print(_ node: Node, asPrefix: Bool = false) -> Node? {
    let kind = tree.kind(node)
    if kind.isType {
      if kind.isNominal { return printEntity(node, asPrefix: asPrefix, style: .none, name: tree.child(node, 1)) }
      printType(node)
      return nil
    }
    switch kind {
    case .module, .identifier: writeText(of: node)
    case .unmangledSuffix: write(" with unmangled suffix \"\(tree.text(node))\"")
    case .privateName, .localName, .relatedName, .infixOperator, .prefixOperator, .postfixOperator: printName(node)
    case .global: for child in tree.children(node) { print(child) }
    case .static:
      write("static ")
      print(tree.child(node, 0))
    case .extension:
      write("(extension in ")
      print(tree.child(node, 0))
      write("):")
      print(tree.child(node, 1))
      if tree.childCount(node) > 2 { print(tree.child(node, 2)) }
    case .function, .boundFunction:
      let function = kind == .boundFunction ? tree.child(node, 0) : node
      return printEntity(
        function, asPrefix: asPrefix, style: .function, name: tree.child(function, 1),
        arguments: kind == .boundFunction ? tree.child(node, 1) : nil)
    case .macro: return printEntity(node, asPrefix: asPrefix, style: .function, name: tree.child(node, 1))
    case .variable, .genericParameterDeclaration:
      return printEntity(node, asPrefix: asPrefix, style: .withColon, name: tree.child(node, 1))
    case .subscript: return printEntity(node, asPrefix: asPrefix, style: .function, overwrite: "subscript")
    case .accessor: return printAccessor(node, asPrefix: asPrefix)
    case .allocatingInitializer:
      return printEntity(node, asPrefix: asPrefix, style: .function, extra: isMemberOfClass(node) ? "__allocating_init" : "init")
    case .initializer: return printEntity(node, asPrefix: asPrefix, style: .function, extra: "init")
    case .contextMember:
      let isDeinit = tree.index(node) == Int(UInt8(ascii: "D")) && !isMemberOfClass(node)
      return printEntity(node, asPrefix: asPrefix, style: .none, extra: isDeinit ? "deinit" : tree.text(node))
    case .defaultArgument: return printEntity(node, asPrefix: asPrefix, style: .none, extra: "default argument \(tree.index(node))")
    case .closure: return printEntity(node, asPrefix: asPrefix, style: .function, extra: "\(tree.text(node))\(tree.index(node) + 1)")
    case .anonymousContext:
      print(tree.child(node, 1))
      write(".")
      print(tree.child(node, 0))
    case .derived: printDerived(node)
    case .attribute:
      writeText(of: node)
      if tree.childCount(node) > 0 {
        printList(tree.children(node))
        write("> of ")
      }
    default: printPart(node)
    }
    return nil
  }

  private func isMemberOfClass(_ node: Node) -> Bool { tree.kind(tree.child(node, 0)) == .class }

  private mutating func printName(_ node: Node) {
    switch tree.kind(node) {
    case .privateName:
      write("(")
      if tree.childCount(node) > 1 {
        print(tree.child(node, 1))
        write(" ")
      }
      write("in ")
      print(tree.child(node, 0))
      write(")")
    case .localName:
      print(tree.child(node, 0))
      write(" #\(tree.index(node) + 1)")
    case .relatedName:
      write("related decl '")
      writeText(of: node)
      write("' for ")
      print(tree.child(node, 0))
    case .infixOperator:
      writeText(of: node)
      write(" infix")
    case .prefixOperator:
      writeText(of: node)
      write(" prefix")
    default:
      writeText(of: node)
      write(" postfix")
    }
  }

  private mutating func printDerived(_ node: Node) {
    writeText(of: node)
    let parts = tree.children(node)
    guard let first = parts.first else { return }
    switch tree.index(node) {
    case SymbolParser.operatorCode("TV".utf8):
      print(tree.child(node, 1))
      write(" dispatching to ")
      print(first)
    case SymbolParser.operatorCode("TW".utf8):
      print(first)
      write(" in conformance ")
      print(tree.child(node, 1))
    case SymbolParser.operatorCode("Tn".utf8), SymbolParser.operatorCode("TN".utf8):
      print(first)
      write(".")
      print(tree.child(node, 1))
      write(": ")
      print(tree.child(node, 2))
    case SymbolParser.operatorCode("Wb".utf8), SymbolParser.operatorCode("Wt".utf8), SymbolParser.operatorCode("WT".utf8):
      print(first)
      write(" in ")
      print(tree.child(node, 1))
    case SymbolParser.operatorCode("Tb".utf8):
      print(first)
      write(": ")
      print(tree.child(node, 1))
    case SymbolParser.operatorCode("Wl".utf8), SymbolParser.operatorCode("WL".utf8):
      print(first)
      write(" and conformance ")
      print(tree.child(node, 1))
    default: print(first)
    }
  }
}

// MARK: - Entities

extension SymbolPrinter {
  /// Prints a getter, setter or another accessor: the name of the storage, the accessor, the type.
  mutating func printAccessor(_ node: Node, asPrefix: Bool) -> Node? {
    let storage = tree.child(node, 0)
    let words = tree.text(node)
    switch tree.kind(storage) {
    case .variable: return printEntity(storage, asPrefix: asPrefix, style: .withColon, name: tree.child(storage, 1), extra: words)
    default: return printEntity(storage, asPrefix: asPrefix, style: .withColon, extra: words, overwrite: "subscript")
    }
  }

  /// Prints a declaration: context, name, type.
  ///
  /// A context with a type of its own can't be a prefix; then it is returned as with ``print(_:asPrefix:)``.
  mutating func printEntity(
    _ entity: Node, asPrefix: Bool, style: TypeStyle, name: Node? = nil, extra: String = "", overwrite: String = "",
    arguments: Node? = nil
  ) -> Node? {
    var extra = extra
    let isSpoken = extra.contains(" ") || name.map { tree.kind($0) == .localName } ?? false
    if asPrefix, style != .none || isSpoken { return entity }
    let context = tree.child(entity, 0)
    var contextAfter: Node?
    if isSpoken {
      contextAfter = context
    } else {
      let length = output.utf8.count
      contextAfter = print(context, asPrefix: true)
      if output.utf8.count != length { write(".") }
    }
    if name != nil || !overwrite.isEmpty {
      if !extra.isEmpty, isSpoken {
        write(extra + " of ")
        extra = ""
      }
      let length = output.utf8.count
      if overwrite.isEmpty, let name { printEscaped(name) } else { write(overwrite) }
      if overwrite == "subscript", let name = tree.firstChild(entity, .privateName) { print(name) }
      if output.utf8.count != length, !extra.isEmpty { write(".") }
    }
    write(extra)
    if style != .none, let type = tree.children(entity).first(where: { isEntityType($0, of: entity) }) {
      printEntityType(entity, type, style: style, isSpoken: isSpoken, arguments: arguments)
    }
    guard !asPrefix, let contextAfter else { return contextAfter }
    let isOfContext = tree.kind(entity) == .defaultArgument || (tree.kind(entity) == .contextMember && isSpoken)
    write(isOfContext ? " of " : " in ")
    print(contextAfter)
    return nil
  }

  /// Prints the name of a declaration, in backticks if it would be that of an initializer or subscript without them.
  private mutating func printEscaped(_ name: Node) {
    let isEscaped = tree.kind(name) == .identifier && (tree.hasText(name, "init") || tree.hasText(name, "subscript"))
    if isEscaped { write("`") }
    print(name)
    if isEscaped { write("`") }
  }

  /// Whether a child is the type of a declaration rather than its context.
  private func isEntityType(_ child: Node, of entity: Node) -> Bool {
    tree.kind(child).isType && child == tree.children(entity).last { tree.kind($0).isType }
  }

  private mutating func printEntityType(_ entity: Node, _ type: Node, style: TypeStyle, isSpoken: Bool, arguments: Node?) {
    var inner = type
    while tree.kind(inner) == .genericType { inner = tree.child(inner, 1) }
    let isFunction = [.functionType, .noEscapeFunctionType, .uncurriedFunctionType, .cFunctionType, .thinFunctionType].contains(
      tree.kind(inner))
    if style == .withColon || !isFunction {
      write(" : ")
    } else if isSpoken || needsSpace(before: type) {
      write(" ")
    }
    guard let labels = tree.firstChild(entity, .labels) else {
      if let arguments {
        write("<")
        printList(tree.children(arguments))
        write(">")
      }
      print(type)
      return
    }
    var function = type
    if let arguments {
      write("<")
      printList(tree.children(arguments))
      write(">")
    }
    if tree.kind(function) == .genericType {
      if arguments == nil { print(tree.child(function, 0)) }
      function = tree.child(function, 1)
      if needsSpace(before: function) { write(" ") }
    }
    printFunctionType(function, labels: labels)
  }

  /// Whether a space separates a name or signature from the type.
  func needsSpace(before type: Node) -> Bool {
    switch tree.kind(type) {
    case .functionType, .noEscapeFunctionType, .uncurriedFunctionType, .genericType: false
    default: true
    }
  }
}
