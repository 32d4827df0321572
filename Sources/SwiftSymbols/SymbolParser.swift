/// Reads mangled names into trees.
///
/// The mangling is a program for a stack: each operator takes nodes from the stack and puts one back. The grammar is
/// in `docs/ABI/Mangling.rst` of the Swift project. Reading takes time linear in the length of the name, does not
/// recurse with it, and refuses what exceeds the limits of ``SymbolTree``. One parser reads many names; it keeps its
/// memory between them.
package struct SymbolParser {
  typealias Node = SymbolTree.Node

  /// The longest name that is read, in bytes.
  package static let longestName = 65_536
  /// The most entries of the stack.
  static let largestStack = 8_192
  /// The most repetitions that one substitution states.
  static let mostRepetitions = 2_048

  var tree = SymbolTree()
  var text: [UInt8] = []
  var position = 0
  var stack: [Node] = []
  var substitutions: [Node] = []
  var words: [Range<Int>] = []

  package init() {}

  /// Reads a mangled name, with its prefix `$s`.
  package mutating func parse(symbol: some Sequence<UInt8>) throws(SymbolRefusal) -> SymbolTree {
    start(symbol)
    guard text.count <= Self.longestName else { throw refusal(.limitExceeded) }
    guard let prefix = Self.prefixes.first(where: { text.starts(with: $0.utf8) }) else { throw refusal(.notSwift) }
    position = prefix.utf8.count
    try parseOperators()
    return try finish()
  }

  /// Reads a mangled type, without prefix.
  package mutating func parse(type: some Sequence<UInt8>) throws(SymbolRefusal) -> SymbolTree {
    start(type)
    guard text.count <= Self.longestName else { throw refusal(.limitExceeded) }
    try parseOperators()
    guard stack.count == 1, let type = stack.last, tree.kind(type).isType else { throw malformed }
    tree.root = type
    return tree
  }

  private static let prefixes: [String] = ["$s", "_$s", "$S", "_$S"]

  private mutating func start(_ bytes: some Sequence<UInt8>) {
    tree.removeAll()
    stack.removeAll(keepingCapacity: true)
    substitutions.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: bytes)
    position = 0
  }

  private mutating func parseOperators() throws(SymbolRefusal) {
    while position < text.count {
      try parseOperator()
      guard stack.count <= Self.largestStack else { throw refusal(.limitExceeded) }
    }
  }

  /// Makes the root of what is left on the stack: the attributes, then the entity.
  private mutating func finish() throws(SymbolRefusal) -> SymbolTree {
    guard !stack.isEmpty else { throw malformed }
    var attributes: [Node] = []
    let suffix = pop(.unmangledSuffix)
    while let last = stack.last, tree.kind(last) == .attribute {
      attributes.append(last)
      stack.removeLast()
    }
    for node in stack where !Self.canBeGlobal(tree.kind(node)) { throw malformed }
    tree.root = try make(.global, children: attributes + stack + (suffix.map { [$0] } ?? []))
    return tree
  }

  private static func canBeGlobal(_ kind: SymbolNodeKind) -> Bool {
    switch kind {
    case .emptyList, .firstElement, .variadicMark: false
    default: !kind.isFunctionMark
    }
  }
}

// MARK: - Reading bytes

extension SymbolParser {
  var malformed: SymbolRefusal { refusal(.malformed) }

  func refusal(_ reason: SymbolRefusal.Reason) -> SymbolRefusal { SymbolRefusal(reason: reason, byteOffset: position) }

  func unsupported(_ what: String) -> SymbolRefusal { refusal(.unsupported(what)) }

  /// The next byte, 0 at the end.
  var nextByte: UInt8 { position < text.count ? text[position] : 0 }

  mutating func takeByte() throws(SymbolRefusal) -> UInt8 {
    guard position < text.count else { throw malformed }
    defer { position += 1 }
    return text[position]
  }

  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard nextByte == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Reads a number, or returns nil if there is no digit.
  mutating func natural() throws(SymbolRefusal) -> Int? {
    guard Self.isDigit(nextByte) else { return nil }
    var number = 0
    while Self.isDigit(nextByte) {
      number = number * 10 + Int(nextByte - 0x30)
      guard number <= 0x7FFF_FFF0 else { throw malformed }
      position += 1
    }
    return number
  }

  /// Reads an index: `_` is 0, `0_` is 1.
  mutating func index() throws(SymbolRefusal) -> Int {
    if take("_") { return 0 }
    guard let number = try natural(), take("_") else { throw malformed }
    return number + 1
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  static func isUppercase(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
  static func isLowercase(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
}

// MARK: - Nodes and the stack

extension SymbolParser {
  mutating func make(
    _ kind: SymbolNodeKind, index: Int = 0, text: Range<Int32> = 0..<0, children: some Sequence<Node>
  ) throws(SymbolRefusal) -> Node {
    guard let node = tree.add(kind, index: index, text: text, children: children) else { throw refusal(.limitExceeded) }
    return node
  }

  mutating func make(_ kind: SymbolNodeKind, index: Int = 0, _ first: Node? = nil, _ second: Node? = nil) throws(SymbolRefusal) -> Node {
    guard let node = tree.add(kind, index: index, first, second) else { throw refusal(.limitExceeded) }
    return node
  }

  mutating func make(_ kind: SymbolNodeKind, index: Int = 0, named name: StaticString, _ first: Node? = nil) throws(SymbolRefusal) -> Node {
    let text = tree.store(name.description.utf8)
    guard let first else { return try make(kind, index: index, text: text, children: EmptyCollection()) }
    return try make(kind, index: index, text: text, children: CollectionOfOne(first))
  }

  mutating func push(_ node: Node) { stack.append(node) }

  mutating func addSubstitution(_ node: Node) -> Node {
    substitutions.append(node)
    return node
  }

  func lastIs(_ kind: SymbolNodeKind) -> Bool { stack.last.map { tree.kind($0) == kind } ?? false }

  /// Takes the last node if it is of a kind.
  mutating func pop(_ kind: SymbolNodeKind) -> Node? { lastIs(kind) ? stack.removeLast() : nil }

  mutating func pop(where condition: (SymbolNodeKind) -> Bool) -> Node? {
    guard let last = stack.last, condition(tree.kind(last)) else { return nil }
    return stack.removeLast()
  }

  mutating func popOptionalType() -> Node? { pop { $0.isType } }

  mutating func popType() throws(SymbolRefusal) -> Node {
    guard let type = popOptionalType() else { throw malformed }
    return type
  }

  mutating func popName() throws(SymbolRefusal) -> Node {
    guard let name = pop(where: { $0.isDeclarationName }) else { throw malformed }
    return name
  }

  mutating func popOptionalModule() throws(SymbolRefusal) -> Node? {
    if let name = pop(.identifier) {
      let text = tree.textRange(name)
      return try make(.module, text: text, children: [])
    }
    return pop(.module)
  }

  mutating func popModule() throws(SymbolRefusal) -> Node {
    guard let module = try popOptionalModule() else { throw malformed }
    return module
  }

  mutating func popContext() throws(SymbolRefusal) -> Node {
    if let module = try popOptionalModule() { return module }
    guard let context = pop(where: { $0.isContext }) else { throw malformed }
    return context
  }

  /// Takes an entity: a type or another context.
  mutating func popEntity() throws(SymbolRefusal) -> Node {
    guard let entity = pop(where: { $0.isType || ($0.isContext && $0 != .module) }) else { throw malformed }
    return entity
  }

  /// Takes a protocol as it is mangled where only a protocol can stand: a type, or a context and a name.
  mutating func popProtocol() throws(SymbolRefusal) -> Node {
    if let type = popOptionalType() {
      guard tree.kind(type) == .protocol else { throw malformed }
      return type
    }
    let name = try popName()
    let context = try popContext()
    return try make(.protocol, context, name)
  }

  /// Takes the elements of a list, of which the first is followed by the mark `_`, in the order of the list.
  mutating func popList(_ element: (inout SymbolParser) throws(SymbolRefusal) -> Node) throws(SymbolRefusal) -> [Node] {
    var elements: [Node] = []
    var isFirst = false
    repeat {
      isFirst = pop(.firstElement) != nil
      elements.append(try element(&self))
    } while !isFirst
    return elements.reversed()
  }
}
