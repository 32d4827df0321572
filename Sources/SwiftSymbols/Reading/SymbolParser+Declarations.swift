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

  /// Reads `v`: a variable and its accessor.
  mutating func parseVariable() throws(SymbolRefusal) -> Node {
    let type = try popType()
    let labels = try popLabels(for: type)
    let name = try popName()
    let context = try popContext()
    return try parseAccessor(of: try make(.variable, children: [context, name] + (labels.map { [$0] } ?? []) + [type]))
  }

  /// Reads `i`: a subscript and its accessor.
  mutating func parseSubscript() throws(SymbolRefusal) -> Node { try parseAccessor(of: try parseUnnamed(.subscript)) }

  /// Reads `f`: an initializer that makes the value or object.
  mutating func parseInitializer() throws(SymbolRefusal) -> Node {
    guard take("C") else { throw unsupported("a closure, or a function that the compiler makes") }
    return try parseUnnamed(.initializer)
  }

  private mutating func parseUnnamed(_ kind: SymbolNodeKind) throws(SymbolRefusal) -> Node {
    let name = pop(.privateName)
    let type = try popType()
    let labels = try popLabels(for: type)
    let context = try popContext()
    return try make(kind, children: [context] + (labels.map { [$0] } ?? []) + [type] + (name.map { [$0] } ?? []))
  }

  /// Takes the argument labels of a declaration with a function type.
  ///
  /// There is one for each parameter, or the mark that no parameter has one. Nil if there is no parameter.
  private mutating func popLabels(for type: Node) throws(SymbolRefusal) -> Node? {
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

  /// Reads the letters of an accessor; `p` is the variable or subscript itself.
  private mutating func parseAccessor(of storage: Node) throws(SymbolRefusal) -> Node {
    let letter = try takeByte()
    let accessor: (code: Int, word: String)
    switch Unicode.Scalar(letter) {
    case "p": return storage
    case "g": accessor = (Self.getter, "getter")
    case "s": accessor = (Self.setter, "setter")
    case "a" where take("u"): accessor = (Self.addressor, "unsafeMutableAddressor")
    default: throw unsupported("an accessor other than a getter, setter or addressor")
    }
    return try make(.accessor, index: accessor.code, text: tree.store(accessor.word.utf8), storage)
  }

  static let getter = 0
  static let setter = 1
  static let addressor = 2

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

// Types state the conformances of their generic arguments that third modules declare. No type differs by them.

extension SymbolParser {
  /// Reads `H`: how a type conforms to a protocol.
  mutating func parseConformance() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "P", "p": _ = try popProtocol()
    case "C":
      try popConformances()
      if pop(.conformance) == nil {
        _ = try popModule()
        _ = try popProtocol()
      }
      _ = try popType()
    case "D":
      _ = try index()
      _ = try popProtocol()
      _ = try popType()
    case "I":
      _ = try index()
      _ = try popProtocol()
      try popConformance()
    case "A":
      _ = try index()
      _ = try popProtocol()
      _ = try popType()
      try popConformance()
    case "O":
      _ = try popType()
      try popConformance()
    case "X": try popConformances()
    default: throw unsupported("a record of a library")
    }
    return try make(.conformance)
  }

  private mutating func popConformance() throws(SymbolRefusal) {
    guard pop(.conformance) != nil else { throw malformed }
  }

  private mutating func popConformances() throws(SymbolRefusal) {
    if pop(.emptyList) != nil { return }
    repeat {
      let isFirst = pop(.firstElement) != nil
      try popConformance()
      if isFirst { return }
    } while true
  }

  /// Reads `g`: the conformance of a generic argument.
  mutating func parseRetroactiveConformance() throws(SymbolRefusal) -> Node {
    _ = try index()
    try popConformance()
    return try make(.retroactiveConformance)
  }
}
