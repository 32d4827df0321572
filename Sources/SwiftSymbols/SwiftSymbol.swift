/// What a symbol of a Swift library stands for: a declaration with its context, labels and types.
///
/// Types stay mangled; the runtime resolves them. A symbol whose types depend on generic parameters is described, too,
/// but has no mangled names for them.
package struct SwiftSymbol: Sendable {
  /// The kind of the declaration.
  package enum Kind: UInt8, Sendable {
    case function
    /// An initializer that returns the new value or object.
    case initializer
    case getter
    case setter
    case subscriptGetter
    case subscriptSetter
    /// A function that returns the address of a variable.
    case addressor
    /// A variable or subscript itself, as in a property descriptor, or what no name reaches.
    case other
  }

  /// How a parameter is declared to be passed.
  package enum Ownership: UInt8, Sendable {
    /// As usual for the kind of declaration.
    case standard
    case inOut
    case owned
    case shared
    case sending
  }

  /// A type in the symbol.
  package struct TypeName: Sendable {
    /// The type as text, with the names of modules.
    package let text: String
    /// The mangled name without prefix and without substitutions, or nil if no type can be found by it.
    package let mangled: [UInt8]?
    /// What the type contains that prevents its look-up.
    package let contents: SymbolTree.Contents
    /// The names of the nominal types in it.
    package let nominals: Set<String>
  }

  /// A parameter of a function, initializer or subscript.
  package struct Parameter: Sendable {
    package let label: String?
    /// The type; for a variadic parameter that of an element.
    package let type: TypeName
    package let ownership: Ownership
    package let isVariadic: Bool
    package let isIsolated: Bool
    /// Whether it is a closure that the function does not keep, and so does not own either.
    package let isNonEscaping: Bool
  }

  /// A type or module that contains the declaration.
  package struct ContextPart: Sendable, Hashable {
    package let name: String
    package let kind: SymbolNodeKind
  }

  package let kind: Kind
  /// The module and the types that contain the declaration, outermost first.
  package let path: [ContextPart]
  /// The module of the extension that declares it, if it is one of a type of another module.
  package let extensionModule: String?
  package let baseName: String
  package let parameters: [Parameter]
  /// The result, or for an accessor the type of the value.
  package let result: TypeName?
  /// The innermost type whose member the declaration is.
  package let selfType: TypeName?
  package let isStatic: Bool
  package let isThrowing: Bool
  package let typedError: TypeName?
  package let isAsync: Bool
  /// The generic signature as text, with requirements, or nil.
  package let genericSignature: String?
  /// Whether the declaration is in a function, so that no name reaches it.
  package let isLocal: Bool
  /// The text of the declaration, as the Swift tools print it.
  package let text: String

  /// The module of the outermost context.
  package var module: String { path.first?.name ?? "" }

  /// The name for look-up: context, base name and labels.
  package var name: String {
    let name = path.map(\.name).joined(separator: ".") + "." + baseName
    return kind.hasLabels ? name + "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")" : name
  }
}

extension SwiftSymbol.Kind {
  /// Whether argument labels are part of the name.
  package var hasLabels: Bool {
    switch self {
    case .function, .initializer, .subscriptGetter, .subscriptSetter: true
    default: false
    }
  }
}

// MARK: - Reading

extension SwiftSymbol {
  /// Describes a mangled name.
  package init(mangledName: some Sequence<UInt8>) throws(SymbolRefusal) {
    var parser = SymbolParser()
    self.init(try parser.parse(symbol: mangledName))
  }

  /// Describes the tree of a mangled name.
  package init(_ tree: SymbolTree) {
    var reader = SymbolReader(tree)
    reader.readDeclaration()
    kind = reader.kind
    path = reader.path
    extensionModule = reader.extensionModule
    baseName = reader.baseName
    parameters = reader.parameters
    result = reader.result
    selfType = reader.selfNode.map { reader.typeName($0) }
    isStatic = reader.isStatic
    isThrowing = reader.isThrowing
    typedError = reader.typedError
    isAsync = reader.isAsync
    genericSignature = reader.genericSignature
    isLocal = reader.isLocal
    text = SymbolPrinter.text(of: tree)
  }
}

/// Reads the parts of a declaration from the tree of its symbol.
struct SymbolReader {
  typealias Node = SymbolTree.Node

  let tree: SymbolTree
  /// Whether the texts and mangled names of types are left out.
  let namesOnly: Bool
  var kind = SwiftSymbol.Kind.other
  var path: [SwiftSymbol.ContextPart] = []
  var extensionModule: String?
  var baseName = ""
  var parameters: [SwiftSymbol.Parameter] = []
  var result: SwiftSymbol.TypeName?
  var selfNode: Node?
  var isStatic = false
  var isThrowing = false
  var typedError: SwiftSymbol.TypeName?
  var isAsync = false
  var genericSignature: String?
  var isLocal = false

  init(_ tree: SymbolTree, namesOnly: Bool = false) {
    self.tree = tree
    self.namesOnly = namesOnly
  }

  /// Reads the declaration.
  mutating func readDeclaration() {
    var declaration = tree.root
    if tree.kind(declaration) == .static {
      isStatic = true
      declaration = tree.child(declaration, 0)
    }
    switch tree.kind(declaration) {
    case .function: readFunction(declaration)
    case .initializer:
      kind = .initializer
      baseName = "init"
      readContext(tree.child(declaration, 0))
      readFunctionType(of: declaration)
    case .accessor: readAccessor(declaration)
    case .variable, .subscript: readStorage(declaration)
    default: isLocal = true
    }
  }

  private mutating func readFunction(_ function: Node) {
    kind = .function
    baseName = name(tree.child(function, 1))
    readContext(tree.child(function, 0))
    readFunctionType(of: function)
  }

  private mutating func readAccessor(_ accessor: Node) {
    let storage = tree.child(accessor, 0)
    let isSubscript = tree.kind(storage) == .subscript
    switch tree.index(accessor) {
    case SymbolParser.getter: kind = isSubscript ? .subscriptGetter : .getter
    case SymbolParser.setter: kind = isSubscript ? .subscriptSetter : .setter
    default: kind = isSubscript ? .other : .addressor
    }
    readStorage(storage)
  }

  private mutating func readStorage(_ storage: Node) {
    readContext(tree.child(storage, 0))
    guard tree.kind(storage) == .variable else {
      baseName = "subscript"
      return readFunctionType(of: storage)
    }
    baseName = name(tree.child(storage, 1))
    guard let type = tree.children(storage).last else { return }
    readSignature(of: type)
    result = typeName(tree.kind(type) == .genericType ? tree.child(type, 1) : type)
  }

  private mutating func readSignature(of type: Node) {
    if tree.kind(type) == .genericType, !namesOnly { genericSignature = SymbolPrinter.text(of: tree.child(type, 0), in: tree) }
  }

  private mutating func readFunctionType(of entity: Node) {
    guard var type = tree.children(entity).last(where: { tree.kind($0).isType }) else { return }
    readSignature(of: type)
    if tree.kind(type) == .genericType { type = tree.child(type, 1) }
    guard tree.kind(type).isFunctionType else { return }
    let parts = tree.children(type)
    for mark in parts.dropLast(2) {
      switch tree.kind(mark) {
      case .asyncMark: isAsync = true
      case .throwsMark: isThrowing = true
      case .typedThrowsMark:
        isThrowing = true
        typedError = typeName(tree.child(mark, 0))
      default: break
      }
    }
    result = typeName(parts[parts.endIndex - 1])
    let labels = tree.firstChild(entity, .labels).map { Array(tree.children($0)) } ?? []
    let list = parts[parts.endIndex - 2]
    let nodes = tree.kind(list) == .tuple ? Array(tree.children(list)) : [list]
    for (position, node) in nodes.enumerated() {
      let label =
        position < labels.count && tree.kind(labels[position]) == .identifier ? SwiftIdentifier.label(tree.text(labels[position])) : nil
      parameters.append(parameter(node, label: label))
    }
  }

  private func parameter(_ node: Node, label: String?) -> SwiftSymbol.Parameter {
    let isElement = tree.kind(node) == .tupleElement
    var type = isElement ? tree.child(node, 0) : node
    let whole = type
    var ownership = SwiftSymbol.Ownership.standard
    var isIsolated = false
    loop: while true {
      switch tree.kind(type) {
      case .inOut: ownership = .inOut
      case .owned: ownership = .owned
      case .shared: ownership = .shared
      case .sending: if ownership == .standard { ownership = .sending }
      case .isolated: isIsolated = true
      case .noDerivative, .compileTimeLiteral, .constantValue: break
      default: break loop
      }
      type = tree.child(type, 0)
    }
    return SwiftSymbol.Parameter(
      label: label, type: typeName(whole), ownership: ownership, isVariadic: isElement && tree.index(node) == 1, isIsolated: isIsolated,
      isNonEscaping: [.noEscapeFunctionType, .autoclosureType].contains(tree.kind(type)))
  }

  func typeName(_ node: Node) -> SwiftSymbol.TypeName {
    guard !namesOnly else { return SwiftSymbol.TypeName(text: "", mangled: nil, contents: tree.contents(node), nominals: []) }
    var nominals: Set<String> = []
    collectNominals(node, &nominals)
    return SwiftSymbol.TypeName(
      text: SymbolPrinter.text(of: node, in: tree), mangled: TypeSpelling.mangledName(of: node, in: tree), contents: tree.contents(node),
      nominals: nominals)
  }

  private func collectNominals(_ node: Node, _ nominals: inout Set<String>) {
    if tree.kind(node).isNominal { nominals.insert(SymbolPrinter.text(of: node, in: tree)) }
    for child in tree.children(node) { collectNominals(child, &nominals) }
  }
}

// MARK: - Contexts and names

extension SymbolReader {
  mutating func readContext(_ context: Node) {
    let kind = tree.kind(context)
    if kind.isNominal || kind == .boundGeneric || kind == .extension { selfNode = context }
    if kind == .extension {
      selfNode = tree.child(context, 1)
      extensionModule = tree.text(tree.child(context, 0))
    }
    appendPath(context)
  }

  /// The name for look-up: the module, then the types and base name, then the labels.
  var nameParts: (module: String, base: String, labels: String) {
    let base = (path.dropFirst().map(\.name) + [baseName]).joined(separator: ".")
    return (path.first?.name ?? "", base, hasLabels ? "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")" : "")
  }

  private var hasLabels: Bool { kind.hasLabels }

  private mutating func appendPath(_ context: Node) {
    switch tree.kind(context) {
    case .module: path.append(SwiftSymbol.ContextPart(name: SwiftIdentifier.spaced(tree.text(context)), kind: .module))
    case .extension:
      if tree.childCount(context) > 2, genericSignature == nil, !namesOnly {
        genericSignature = SymbolPrinter.text(of: tree.child(context, 2), in: tree)
      }
      appendPath(tree.child(context, 1))
    case .boundGeneric: appendPath(tree.child(context, 0))
    case let kind where kind.isNominal:
      appendPath(tree.child(context, 0))
      path.append(SwiftSymbol.ContextPart(name: name(tree.child(context, 1)), kind: kind))
    default: isLocal = true
    }
  }

  /// The name of a declaration without discriminator.
  mutating func name(_ node: Node) -> String {
    switch tree.kind(node) {
    case .privateName: return tree.childCount(node) > 1 ? name(tree.child(node, 1)) : ""
    case .relatedName: return name(tree.child(node, 0))
    case .identifier: return SwiftIdentifier.member(tree.text(node))
    default: return tree.text(node)
    }
  }
}
