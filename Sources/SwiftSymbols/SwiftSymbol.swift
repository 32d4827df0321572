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
    /// A variable or subscript itself, as in a property descriptor, or a declaration that no name reaches.
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
    /// Its node in the tree of the symbol.
    package let node: SymbolTree.Node
    /// Whether it depends on generic parameters.
    package let isDependent: Bool
  }

  /// A parameter of a function, initializer or subscript.
  package struct Parameter: Sendable {
    package let label: String?
    /// The type; for a variadic parameter the type of an element.
    package let type: TypeName
    package let ownership: Ownership
    package let isVariadic: Bool
    package let isIsolated: Bool
    /// Whether it is a closure that the function does not keep, and so does not own either.
    package let isNonEscaping: Bool
  }

  /// What states the generic parameters of a declaration, and what is required of them.
  package struct Generics: Sendable {
    /// The node of the generic signature, if there is one.
    package let signature: SymbolTree.Node?
    /// Whether it belongs to the declaration, and not to an extension.
    package let isOwn: Bool
    /// The number of generic parameters of the type that contains the declaration; of a protocol it is one, `Self`.
    ///
    /// The signature of an extension does not state them.
    package let owned: Int
  }

  /// A type or module that contains the declaration.
  package struct ContextPart: Sendable, Hashable {
    package let name: String
    package let kind: SymbolNodeKind
  }

  package fileprivate(set) var kind = Kind.other
  /// The module and the types that contain the declaration, outermost first.
  package fileprivate(set) var path: [ContextPart] = []
  /// The module of the extension that declares it, if the extended type is of another module.
  package fileprivate(set) var extensionModule: String?
  package fileprivate(set) var baseName = ""
  package fileprivate(set) var parameters: [Parameter] = []
  /// The result, or for an accessor the type of the value.
  package fileprivate(set) var result: TypeName?
  /// The innermost type whose member the declaration is.
  package fileprivate(set) var selfType: TypeName?
  package fileprivate(set) var isStatic = false
  package fileprivate(set) var isThrowing = false
  package fileprivate(set) var typedError: TypeName?
  package fileprivate(set) var isAsync = false
  /// What states the generic parameters and their requirements; nil if there are none.
  package fileprivate(set) var generics: Generics?
  /// The generic signature as text, with requirements, or nil.
  package fileprivate(set) var genericSignature: String?
  /// Whether the declaration is in a function, so that no name reaches it.
  package fileprivate(set) var isLocal = false
  /// The text of the declaration, as the Swift tools print it.
  package fileprivate(set) var text = ""

  /// The module of the outermost context.
  package var module: String { path.first?.name ?? "" }

  /// The types that contain the declaration and its base name, joined by periods.
  package var base: String { (path.dropFirst().map(\.name) + [baseName]).joined(separator: ".") }

  /// The argument labels with parentheses; empty for a variable.
  package var labels: String { kind.hasLabels ? "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")" : "" }

  /// The name for look-up: context, base name and labels.
  package var name: String { "\(module).\(base)\(labels)" }
}

extension SwiftSymbol.Kind {
  /// Whether the function takes a new value before its other parameters.
  package var isSetter: Bool { self == .setter || self == .subscriptSetter }

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
  ///
  /// - Parameters:
  ///   - isBound: Whether types are looked up with what generic parameters stand for, so that types that depend on them have names.
  ///   - owned: The number of generic parameters of the type that contains the declaration, which its symbol does not state; nil for
  ///     none, or if the number is not known. It is known for types of the standard library with one parameter.
  package init(_ tree: SymbolTree, isBound: Bool = false, owned: Int? = nil) {
    self.init(tree, namesOnly: false, isBound: isBound, owned: owned)
    text = SymbolPrinter.text(of: tree)
  }

  /// - Parameter namesOnly: Whether the texts and mangled names of types are left out.
  init(_ tree: SymbolTree, namesOnly: Bool, isBound: Bool = false, owned: Int? = nil) {
    var reader = SymbolReader(tree: tree, namesOnly: namesOnly, isBound: isBound, owned: owned)
    reader.readDeclaration()
    self = reader.symbol
  }
}

/// Reads the parts of a declaration from the tree of its symbol.
private struct SymbolReader {
  typealias Node = SymbolTree.Node

  let tree: SymbolTree
  let namesOnly: Bool
  let isBound: Bool
  let owned: Int?
  /// The node of the generic signature.
  var signature: Node?
  /// Whether it belongs to the declaration, and not to an extension.
  var isOwnSignature = false
  /// The type whose member the declaration is.
  var owner: Node?
  var symbol = SwiftSymbol()

  mutating func readDeclaration() {
    var declaration = tree.root
    if tree.kind(declaration) == .static {
      symbol.isStatic = true
      declaration = tree.child(declaration, 0)
    }
    switch tree.kind(declaration) {
    case .function: readFunction(declaration)
    case .initializer:
      symbol.kind = .initializer
      symbol.baseName = "init"
      readContext(tree.child(declaration, 0))
      readFunctionType(of: declaration)
    case .accessor: readAccessor(declaration)
    case .variable, .subscript: readStorage(declaration)
    default: symbol.isLocal = true
    }
    guard !namesOnly else { return }
    let owned = owner.flatMap { tree.genericParameterCount(of: $0) ?? self.owned } ?? 0
    if signature != nil || owned > 0 {
      symbol.generics = SwiftSymbol.Generics(signature: signature, isOwn: isOwnSignature, owned: owned)
    }
  }

  private mutating func readFunction(_ function: Node) {
    symbol.kind = .function
    symbol.baseName = name(tree.child(function, 1))
    readContext(tree.child(function, 0))
    readFunctionType(of: function)
  }

  private mutating func readAccessor(_ accessor: Node) {
    let storage = tree.child(accessor, 0)
    let isSubscript = tree.kind(storage) == .subscript
    switch tree.index(accessor) {
    case SymbolParser.getter: symbol.kind = isSubscript ? .subscriptGetter : .getter
    case SymbolParser.setter: symbol.kind = isSubscript ? .subscriptSetter : .setter
    default: symbol.kind = isSubscript ? .other : .addressor
    }
    readStorage(storage)
  }

  private mutating func readStorage(_ storage: Node) {
    readContext(tree.child(storage, 0))
    guard tree.kind(storage) == .variable else {
      symbol.baseName = "subscript"
      return readFunctionType(of: storage)
    }
    symbol.baseName = name(tree.child(storage, 1))
    guard let type = tree.children(storage).last else { return }
    readSignature(of: type)
    symbol.result = typeName(tree.kind(type) == .genericType ? tree.child(type, 1) : type)
  }

  private mutating func readSignature(of type: Node) {
    guard tree.kind(type) == .genericType, !namesOnly else { return }
    (signature, isOwnSignature) = (tree.child(type, 0), true)
    symbol.genericSignature = SymbolPrinter.text(of: tree.child(type, 0), in: tree)
  }

  private mutating func readFunctionType(of entity: Node) {
    guard var type = tree.children(entity).last(where: { tree.kind($0).isType }) else { return }
    readSignature(of: type)
    if tree.kind(type) == .genericType { type = tree.child(type, 1) }
    guard tree.kind(type).isFunctionType else { return }
    let parts = tree.children(type)
    for mark in parts.dropLast(2) {
      switch tree.kind(mark) {
      case .asyncMark: symbol.isAsync = true
      case .throwsMark: symbol.isThrowing = true
      case .typedThrowsMark:
        symbol.isThrowing = true
        symbol.typedError = typeName(tree.child(mark, 0))
      default: break
      }
    }
    symbol.result = typeName(parts[parts.endIndex - 1])
    let labels = tree.firstChild(entity, .labels).map { Array(tree.children($0)) } ?? []
    let list = parts[parts.endIndex - 2]
    let nodes = tree.kind(list) == .tuple ? Array(tree.children(list)) : [list]
    for (position, node) in nodes.enumerated() {
      let label =
        position < labels.count && tree.kind(labels[position]) == .identifier ? SwiftIdentifier.label(tree.text(labels[position])) : nil
      symbol.parameters.append(parameter(node, label: label))
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
    guard !namesOnly else {
      return SwiftSymbol.TypeName(text: "", mangled: nil, contents: tree.contents(node), nominals: [], node: node, isDependent: false)
    }
    var nominals: Set<String> = []
    collectNominals(node, &nominals)
    let mangled = TypeSpelling.mangledName(of: node, in: tree, isBound: isBound)
    var contents = tree.contents(node)
    if isBound, mangled != nil { contents.remove(.genericParameter) }
    return SwiftSymbol.TypeName(
      text: SymbolPrinter.text(of: node, in: tree), mangled: mangled, contents: contents, nominals: nominals, node: node,
      isDependent: tree.contents(node).contains(.genericParameter))
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
    if kind == .extension {
      symbol.extensionModule = tree.text(tree.child(context, 0))
      owner = tree.child(context, 1)
    } else if kind.isNominal || kind == .boundGeneric {
      owner = context
    }
    symbol.selfType = owner.map { ownerName($0) }
    appendPath(context)
  }

  /// The name of the type whose member the declaration is, with its generic parameters as arguments.
  private func ownerName(_ owner: Node) -> SwiftSymbol.TypeName {
    let name = typeName(owner)
    guard !namesOnly, let count = tree.genericParameterCount(of: owner) ?? owned else { return name }
    let parameters = (0..<count).map { $0 == 0 ? "x" : $0 == 1 ? "q_" : "q\($0 - 2)_" }.joined()
    // The target of a member of a protocol is `Self`.
    let bound = tree.kind(owner) == .protocol ? Array(parameters.utf8) : name.mangled.map { $0 + Array("y\(parameters)G".utf8) }
    return SwiftSymbol.TypeName(
      text: name.text, mangled: isBound ? bound : name.mangled, contents: name.contents, nominals: name.nominals, node: owner,
      isDependent: true)
  }

  private mutating func appendPath(_ context: Node) {
    switch tree.kind(context) {
    case .module: symbol.path.append(SwiftSymbol.ContextPart(name: SwiftIdentifier.spaced(tree.text(context)), kind: .module))
    case .extension:
      if tree.childCount(context) > 2, symbol.genericSignature == nil, !namesOnly {
        signature = tree.child(context, 2)
        symbol.genericSignature = SymbolPrinter.text(of: tree.child(context, 2), in: tree)
      }
      appendPath(tree.child(context, 1))
    case .boundGeneric: appendPath(tree.child(context, 0))
    case let kind where kind.isNominal:
      appendPath(tree.child(context, 0))
      symbol.path.append(SwiftSymbol.ContextPart(name: name(tree.child(context, 1)), kind: kind))
    default: symbol.isLocal = true
    }
  }

  /// The name of a declaration without discriminator.
  mutating func name(_ node: Node) -> String {
    switch tree.kind(node) {
    case .privateName: return tree.childCount(node) > 1 ? name(tree.child(node, 1)) : ""
    case .identifier: return SwiftIdentifier.member(tree.text(node))
    default: return tree.text(node)
    }
  }
}

extension SymbolTree {
  /// The number of parameters of a generic type of the standard library that has one, and requires nothing of it; nil for other
  /// types.
  package func genericParameterCount(of type: Node) -> Int? {
    guard kind(type).isNominal, childCount(type) == 2, kind(child(type, 0)) == .module, hasText(child(type, 0), "Swift") else { return nil }
    let names: [StaticString] = ["Array", "ContiguousArray", "ArraySlice", "Optional"]
    return names.contains { hasText(child(type, 1), $0) } ? 1 : nil
  }
}
