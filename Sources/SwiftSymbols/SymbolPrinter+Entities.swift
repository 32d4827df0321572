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
