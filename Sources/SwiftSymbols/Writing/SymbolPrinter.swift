/// Writes a tree as the text of a declaration, in the form of `swift demangle`.
package struct SymbolPrinter {
  typealias Node = SymbolTree.Node

  let tree: SymbolTree
  var output = ""
  /// The files of private declarations, by what stands for them in the symbol.
  private var files: [String: String] = [:]

  package init(_ tree: SymbolTree) { self.tree = tree }

  /// The text of the whole symbol.
  ///
  /// - Parameter files: The files of private declarations, by what stands for them in the symbol.
  package static func text(of tree: SymbolTree, files: [String: String] = [:]) -> String {
    var printer = SymbolPrinter(tree)
    printer.files = files
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
  mutating func print(_ node: Node) {
    let kind = tree.kind(node)
    if kind.isNominal { return printDeclaration(node, name: tree.child(node, 1)) }
    if kind.isType { return printType(node) }
    switch kind {
    case .module, .identifier: writeText(of: node)
    case .privateName:
      write("(")
      if tree.childCount(node) > 1 {
        print(tree.child(node, 1))
        write(" ")
      }
      write("in ")
      let file = tree.child(node, 0)
      if let known = files[tree.text(file)] { write(known) } else { print(file) }
      write(")")
    case .infixOperator: printOperator(node, " infix")
    case .prefixOperator: printOperator(node, " prefix")
    case .postfixOperator: printOperator(node, " postfix")
    case .static:
      write("static ")
      print(tree.child(node, 0))
    case .extension:
      write("(extension in ")
      print(tree.child(node, 0))
      write("):")
      print(tree.child(node, 1))
      if tree.childCount(node) > 2 { print(tree.child(node, 2)) }
    case .function: printDeclaration(node, name: tree.child(node, 1))
    case .variable: printDeclaration(node, name: tree.child(node, 1), hasColon: true)
    case .subscript: printDeclaration(node, word: "subscript")
    case .initializer: printDeclaration(node, word: tree.kind(tree.child(node, 0)) == .class ? "__allocating_init" : "init")
    case .accessor:
      let storage = tree.child(node, 0)
      if tree.kind(storage) == .variable {
        printDeclaration(storage, name: tree.child(storage, 1), accessor: tree.text(node), hasColon: true)
      } else {
        printDeclaration(storage, word: "subscript", accessor: tree.text(node), hasColon: true)
      }
    default: printPart(node)
    }
  }

  private mutating func printOperator(_ node: Node, _ fixity: String) {
    writeText(of: node)
    write(fixity)
  }

  // MARK: Declarations

  /// Prints a declaration: the context, the name or the word for it, the accessor and the type.
  private mutating func printDeclaration(
    _ declaration: Node, name: Node? = nil, word: String = "", accessor: String = "", hasColon: Bool = false
  ) {
    let length = output.utf8.count
    print(tree.child(declaration, 0))
    if output.utf8.count != length { write(".") }
    if let name { printEscaped(name) } else { write(word) }
    if tree.kind(declaration) == .subscript, let name = tree.firstChild(declaration, .privateName) { print(name) }
    if !accessor.isEmpty { write("." + accessor) }
    if tree.kind(declaration).isDeclaration, let type = tree.children(declaration).last(where: { tree.kind($0).isType }) {
      printType(type, of: declaration, hasColon: hasColon)
    }
  }

  /// Prints the name of a declaration, in backticks if it would mean an initializer or subscript without them.
  private mutating func printEscaped(_ name: Node) {
    let isEscaped = tree.kind(name) == .identifier && (tree.hasText(name, "init") || tree.hasText(name, "subscript"))
    if isEscaped { write("`") }
    print(name)
    if isEscaped { write("`") }
  }

  private mutating func printType(_ type: Node, of declaration: Node, hasColon: Bool) {
    var inner = type
    while tree.kind(inner) == .genericType { inner = tree.child(inner, 1) }
    let isFunction = [.functionType, .noEscapeFunctionType, .cFunctionType].contains(tree.kind(inner))
    if hasColon || !isFunction { write(" : ") } else if needsSpace(before: type) { write(" ") }
    guard let labels = tree.firstChild(declaration, .labels) else { return print(type) }
    var function = type
    if tree.kind(function) == .genericType {
      print(tree.child(function, 0))
      function = tree.child(function, 1)
      if needsSpace(before: function) { write(" ") }
    }
    printFunctionType(function, labels: labels)
  }

  /// Whether a space separates a name or signature from the type.
  func needsSpace(before type: Node) -> Bool {
    switch tree.kind(type) {
    case .functionType, .noEscapeFunctionType, .genericType: false
    default: true
    }
  }
}
