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

  /// Takes the name, labels and type of a declaration.
  mutating func parseEntity(_ kind: SymbolNodeKind) throws(SymbolRefusal) -> Node {
    let type = try popType()
    let labels = try popLabels(for: type)
    let name = try popName()
    let context = try popContext()
    return try make(kind, children: [context, name] + (labels.map { [$0] } ?? []) + [type])
  }

  /// Takes the argument labels of a declaration with a function type.
  ///
  /// There is one for each parameter, or the mark that no parameter has one. Nil if there is no parameter.
  mutating func popLabels(for type: Node) throws(SymbolRefusal) -> Node? {
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

  /// Reads `i`: a subscript and its accessor.
  mutating func parseSubscript() throws(SymbolRefusal) -> Node {
    let name = pop(.privateName)
    let type = try popType()
    let labels = try popLabels(for: type)
    let context = try popContext()
    let parts = [context] + (labels.map { [$0] } ?? []) + [type] + (name.map { [$0] } ?? [])
    return try parseAccessor(of: try make(.subscript, children: parts))
  }

  /// Reads the letter of an accessor; `p` is the variable or subscript itself.
  mutating func parseAccessor(of storage: Node) throws(SymbolRefusal) -> Node {
    var code = Int(try takeByte())
    let words: StaticString
    switch Unicode.Scalar(UInt8(code)) {
    case "p": return storage
    case "g": words = "getter"
    case "G": words = "getter"
    case "s": words = "setter"
    case "m": words = "materializeForSet"
    case "w": words = "willset"
    case "W": words = "didset"
    case "r": words = "read"
    case "M": words = "modify"
    case "x": words = "modify2"
    case "y": words = "read2"
    case "b": words = "borrow"
    case "z": words = "mutate"
    case "i": words = "init"
    case "a", "l":
      let isMutable = code == Int(UInt8(ascii: "a"))
      let owner = try takeByte()
      code = code << 8 | Int(owner)
      switch Unicode.Scalar(owner) {
      case "u": words = isMutable ? "unsafeMutableAddressor" : "unsafeAddressor"
      case "O": words = isMutable ? "owningMutableAddressor" : "owningAddressor"
      case "o": words = isMutable ? "nativeOwningMutableAddressor" : "nativeOwningAddressor"
      case "p": words = isMutable ? "nativePinningMutableAddressor" : "nativePinningAddressor"
      default: throw malformed
      }
    default: throw malformed
    }
    return try make(.accessor, index: code, named: words, storage)
  }

  /// Reads `f`: initializers, deinitializers, closures and default arguments.
  mutating func parseFunctionEntity() throws(SymbolRefusal) -> Node {
    switch Unicode.Scalar(try takeByte()) {
    case "C": return try parseInitializer(.allocatingInitializer)
    case "c": return try parseInitializer(.initializer)
    case "D": return try make(.contextMember, index: 0x44, named: "__deallocating_deinit", try popContext())
    case "d": return try make(.contextMember, index: 0x64, named: "deinit", try popContext())
    case "Z": return try make(.contextMember, index: 0x5A, named: "__isolated_deallocating_deinit", try popContext())
    case "E": return try make(.contextMember, index: 0x45, named: "__ivar_destroyer", try popContext())
    case "e": return try make(.contextMember, index: 0x65, named: "__ivar_initializer", try popContext())
    case "i": return try make(.contextMember, index: 0x69, named: "variable initialization expression", try popContext())
    case "P": return try make(.contextMember, index: 0x50, named: "property wrapper backing initializer", try popContext())
    case "F": return try make(.contextMember, index: 0x46, named: "property wrapped field init accessor", try popContext())
    case "W": return try make(.contextMember, index: 0x57, named: "property wrapper init from projected value", try popContext())
    case "a": return try make(.contextMember, index: 0x61, named: "runtime attribute generator", try popContext())
    case "A":
      let number = try index()
      return try make(.defaultArgument, index: number, try popContext())
    case "U": return try parseClosure("closure #")
    case "u": return try parseClosure("implicit closure #")
    case "m": return try parseEntity(.macro)
    case "p": return try parseEntity(.genericParameterDeclaration)
    case "M": throw unsupported("a macro expansion")
    default: throw malformed
    }
  }

  private mutating func parseInitializer(_ kind: SymbolNodeKind) throws(SymbolRefusal) -> Node {
    let name = pop(.privateName)
    let type = try popType()
    let labels = try popLabels(for: type)
    let context = try popContext()
    return try make(kind, children: [context] + (labels.map { [$0] } ?? []) + [type] + (name.map { [$0] } ?? []))
  }

  private mutating func parseClosure(_ words: StaticString) throws(SymbolRefusal) -> Node {
    let number = try index()
    let type = try popType()
    let context = try popContext()
    let text = tree.store(words.description.utf8)
    return try make(.closure, index: number, text: text, children: [context, type])
  }

  /// Reads `E`: a context that is an extension of a type of another module, or with constraints.
  mutating func parseExtension() throws(SymbolRefusal) -> Node {
    let signature = pop(.genericSignature)
    let module = try popModule()
    let type = try popType()
    guard tree.kind(type).isNominal else { throw malformed }
    return try make(.extension, children: [module, type] + (signature.map { [$0] } ?? []))
  }
}
