/// Reads the mangled names of functions that can be called by name, and of types, into trees.
///
/// Symbols that stand for no such function are refused: thunks, witnesses, descriptors, closures and other local declarations.
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
  /// The nodes that the current operator has taken from the stack, the last one first.
  private var operands: [Node] = []
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
    guard stack.count == 1, let declaration = stack.last, tree.kind(declaration).isDeclaration else { throw malformed }
    tree.root = declaration
    return tree
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
    tree.source = text
    position = 0
  }

  private mutating func parseOperators() throws(SymbolRefusal) {
    while position < text.count {
      try parseOperator()
      guard stack.count <= Self.largestStack else { throw refusal(.limitExceeded) }
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
    _ kind: SymbolNodeKind, index: Int = 0, text: Range<Int32> = 0..<0, _ first: Node? = nil, _ second: Node? = nil,
    children others: some Sequence<Node> = EmptyCollection()
  ) throws(SymbolRefusal) -> Node {
    guard let node = tree.add(kind, index: index, text: text, first, second, others) else { throw refusal(.limitExceeded) }
    return node
  }

  mutating func make(_ kind: SymbolNodeKind, named name: String) throws(SymbolRefusal) -> Node {
    try make(kind, text: tree.store(name.utf8))
  }

  mutating func push(_ node: Node) { stack.append(node) }

  mutating func addSubstitution(_ node: Node) -> Node {
    substitutions.append(node)
    return node
  }

  /// Takes the last node if it is of a kind.
  mutating func pop(_ kind: SymbolNodeKind) -> Node? { pop { $0 == kind } }

  mutating func pop(where condition: (SymbolNodeKind) -> Bool) -> Node? {
    guard let last = stack.last, condition(tree.kind(last)) else { return nil }
    operands.append(last)
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
      let module = try make(.module, text: tree.textRange(name))
      tree.spell(module, CollectionOfOne(name))
      return module
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

  /// Takes a function, variable, subscript, initializer or accessor.
  mutating func popDeclaration() throws(SymbolRefusal) -> Node {
    guard let declaration = pop(where: { $0.isDeclaration }) else { throw malformed }
    return declaration
  }

  /// Takes a protocol as it is mangled where only a protocol can stand: a type, or a context and a name.
  mutating func popProtocol() throws(SymbolRefusal) -> Node {
    if let type = popOptionalType() {
      guard tree.kind(type) == .protocol else { throw malformed }
      return type
    }
    let name = try popName()
    let context = try popContext()
    let made = try make(.protocol, context, name)
    tree.spell(made, [context, name])
    return made
  }

  /// Takes the elements of a list in their order.
  ///
  /// The mark `_` follows the first one.
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

// MARK: - Operators

extension SymbolParser {
  /// Reads one operator and pushes its node.
  private mutating func parseOperator() throws(SymbolRefusal) {
    let (start, count) = (position, tree.count)
    operands.removeAll(keepingCapacity: true)
    let node = try readOperator()
    // A substitution is a node that is stated already.
    if node.number >= count { tree.spell(node, operands.reversed(), start..<position) }
    push(node)
  }

  private mutating func readOperator() throws(SymbolRefusal) -> Node {
    let letter = try takeByte()
    switch letter {
    case UInt8(ascii: "A"): return try parseSubstitutions()
    case UInt8(ascii: "B"): return try parseBuiltin()
    case UInt8(ascii: "C"): return try parseNominal(.class)
    case UInt8(ascii: "E"): return try parseExtension()
    case UInt8(ascii: "F"): return try parseFunction()
    case UInt8(ascii: "G"): return try parseBoundGeneric()
    case UInt8(ascii: "H"): return try parseConformance()
    case UInt8(ascii: "I"): throw unsupported("a SIL function type")
    case UInt8(ascii: "K"): return try make(.throwsMark)
    case UInt8(ascii: "L"): return try parseLocalName()
    case UInt8(ascii: "O"): return try parseNominal(.enumeration)
    case UInt8(ascii: "P"): return try parseNominal(.protocol)
    case UInt8(ascii: "Q"): return try parseArchetype()
    case UInt8(ascii: "R"): return try parseRequirement()
    case UInt8(ascii: "S"): return try parseStandardSubstitution()
    case UInt8(ascii: "V"): return try parseNominal(.structure)
    case UInt8(ascii: "X"): return try parseSpecialType()
    case UInt8(ascii: "Y"): return try parseTypeAnnotation()
    case UInt8(ascii: "Z"): return try make(.static, try popDeclaration())
    case UInt8(ascii: "a"): return try parseNominal(.typeAlias)
    case UInt8(ascii: "c"): return try popFunctionType(.functionType)
    case UInt8(ascii: "d"): return try make(.variadicMark)
    case UInt8(ascii: "f"): return try parseInitializer()
    case UInt8(ascii: "g"): return try parseRetroactiveConformance()
    case UInt8(ascii: "h"): return try make(.shared, try popType())
    case UInt8(ascii: "i"): return try parseSubscript()
    case UInt8(ascii: "l"): return try parseGenericSignature(countsStated: false)
    case UInt8(ascii: "m"): return try make(.metatype, try popType())
    case UInt8(ascii: "n"): return try make(.owned, try popType())
    case UInt8(ascii: "o"): return try parseOperatorName()
    case UInt8(ascii: "p"): return try parseProtocolList()
    case UInt8(ascii: "q"): return try parseGenericParameterIndex()
    case UInt8(ascii: "r"): return try parseGenericSignature(countsStated: true)
    case UInt8(ascii: "s"): return try make(.module, named: "Swift")
    case UInt8(ascii: "t"): return try parseTuple()
    case UInt8(ascii: "u"): return try parseGenericType()
    case UInt8(ascii: "v"): return try parseVariable()
    case UInt8(ascii: "x"): return try make(.genericParameter)
    case UInt8(ascii: "y"): return try make(.emptyList)
    case UInt8(ascii: "z"): return try make(.inOut, try popType())
    case UInt8(ascii: "_"): return try make(.firstElement)
    case UInt8(ascii: "$"): return try parseInteger()
    case UInt8(ascii: "D"), UInt8(ascii: "M"), UInt8(ascii: "N"): throw unsupported("metadata or a descriptor")
    case UInt8(ascii: "T"): throw unsupported("a thunk")
    case UInt8(ascii: "W"), UInt8(ascii: "w"): throw unsupported("a witness or an outlined function")
    case UInt8(ascii: "."): throw unsupported("a suffix of the linker")
    case 0x30...0x39:
      position -= 1
      return try parseIdentifier()
    case 1...0x1F: throw unsupported("a symbolic reference")
    default:
      position -= 1
      throw malformed
    }
  }

  private mutating func parseInteger() throws(SymbolRefusal) -> Node {
    let isNegative = take("n")
    let value = try index()
    return try make(.integer, index: isNegative ? -value : value)
  }
}

// MARK: - Names

extension SymbolParser {
  /// The most words of a mangled name that later identifiers refer to.
  private static let mostWords = 26

  /// Reads an identifier: a length and that many bytes, with words of earlier identifiers, or in Punycode.
  mutating func parseIdentifier() throws(SymbolRefusal) -> Node {
    var isPunycode = false
    var hasWords = false
    if take("0") {
      isPunycode = take("0")
      hasWords = !isPunycode
    }
    let start = Int32(tree.texts.count)
    repeat {
      while hasWords, Self.isLowercase(nextByte) || Self.isUppercase(nextByte) {
        let letter = try takeByte()
        let word = Int(letter | 0x20) - 0x61
        guard word < words.count else { throw malformed }
        if Self.isUppercase(letter) { hasWords = false }
        _ = tree.store(text[words[word]])
      }
      if take("0") { break }
      guard let count = try natural(), count > 0 else { throw malformed }
      if isPunycode { _ = take("_") }
      guard count <= text.count - position else { throw malformed }
      let part = position..<position + count
      if isPunycode {
        guard let decoded = Punycode.decode(text[part]) else { throw malformed }
        _ = tree.store(decoded.utf8)
      } else {
        _ = tree.store(text[part])
        addWords(of: part)
      }
      position = part.upperBound
    } while hasWords
    let end = Int32(tree.texts.count)
    // Words repeat at most 26 fragments, so the texts could grow faster than the name without this limit.
    guard end > start, end < 16 * Int32(Self.longestName) else { throw malformed }
    return addSubstitution(try make(.identifier, text: start..<end))
  }

  /// Notes the words of a part of an identifier: a word begins after `_` or with a capital that follows no capital.
  private mutating func addWords(of part: Range<Int>) {
    var start: Int?
    for offset in part.lowerBound...part.upperBound {
      let byte = offset < part.upperBound ? text[offset] : 0
      if let begun = start {
        let previous = text[offset - 1]
        let ends = byte == UInt8(ascii: "_") || byte == 0 || (!Self.isUppercase(previous) && Self.isUppercase(byte))
        if ends {
          if offset - begun >= 2, words.count < Self.mostWords { words.append(begun..<offset) }
          start = nil
        }
      }
      if start == nil, byte != 0, byte != UInt8(ascii: "_"), !Self.isDigit(byte) { start = offset }
    }
  }

  /// Reads the fixity of an operator, whose characters the identifier before it spells with letters.
  mutating func parseOperatorName() throws(SymbolRefusal) -> Node {
    guard let name = pop(.identifier) else { throw malformed }
    var symbols: [UInt8] = []
    for byte in tree.textBytes(name) {
      guard byte < 0x80 else {
        symbols.append(byte)
        continue
      }
      guard let symbol = Self.operatorCharacter(byte) else { throw malformed }
      symbols.append(symbol)
    }
    let kind: SymbolNodeKind
    switch try takeByte() {
    case UInt8(ascii: "i"): kind = .infixOperator
    case UInt8(ascii: "p"): kind = .prefixOperator
    case UInt8(ascii: "P"): kind = .postfixOperator
    default: throw malformed
    }
    let text = tree.store(symbols)
    return try make(kind, text: text)
  }

  /// The operator character that a letter stands for; the letters are the initials of the characters' names.
  static func operatorCharacter(_ letter: UInt8) -> UInt8? { operatorCharacters.first { $0.letter == letter }?.symbol }

  static let operatorCharacters: [(letter: UInt8, symbol: UInt8)] = zip("acdeglmnopqrstxz".utf8, "&@/=><*!|+?%-~^.".utf8).map {
    ($0, $1)
  }

  /// Reads `L`: a name with the discriminator of a file.
  mutating func parseLocalName() throws(SymbolRefusal) -> Node {
    let letter = try takeByte()
    switch letter {
    case UInt8(ascii: "L"), UInt8(ascii: "l"):
      guard let discriminator = pop(.identifier) else { throw malformed }
      return try make(.privateName, discriminator, letter == UInt8(ascii: "L") ? try popName() : nil)
    default: throw unsupported("a local declaration, or one made for a declaration of C")
    }
  }
}

// MARK: - Substitutions

extension SymbolParser {
  /// Reads `A`: one or more references to earlier nodes.
  ///
  /// All but the last are pushed, the last is returned.
  mutating func parseSubstitutions() throws(SymbolRefusal) -> Node {
    var repetitions: Int?
    while true {
      let byte = try takeByte()
      if Self.isLowercase(byte) || Self.isUppercase(byte) {
        let node = try substitution(Int(byte | 0x20) - 0x61)
        try pushRepeated(node, repetitions)
        if Self.isUppercase(byte) { return node }
        push(node)
        repetitions = nil
      } else if byte == UInt8(ascii: "_") {
        return try substitution((repetitions ?? -1) + 27)
      } else {
        position -= 1
        guard let number = try natural() else { throw malformed }
        repetitions = number
      }
    }
  }

  private func substitution(_ index: Int) throws(SymbolRefusal) -> Node {
    guard index < substitutions.count else { throw malformed }
    return substitutions[index]
  }

  /// Pushes a repeated node as often as needed before the last time.
  private mutating func pushRepeated(_ node: Node, _ repetitions: Int?) throws(SymbolRefusal) {
    guard let repetitions else { return }
    guard repetitions <= Self.mostRepetitions, stack.count <= Self.largestStack else { throw refusal(.limitExceeded) }
    for _ in 1..<max(repetitions, 1) { push(node) }
  }

  /// Reads `S`: a module of imported declarations, an optional, or a type of the standard library.
  mutating func parseStandardSubstitution() throws(SymbolRefusal) -> Node {
    if take("o") { return try make(.module, named: "__C") }
    if take("C") { return try make(.module, named: "__C_Synthesized") }
    if take("g") {
      let optional = try makeNode(StandardType(kind: .enumeration, name: "Optional"))
      let arguments = try make(.typeList, try popType())
      return addSubstitution(try make(.boundGeneric, optional, arguments))
    }
    let repetitions = try natural()
    let isConcurrency = take("c")
    let letter = try takeByte()
    guard let known = StandardType.named(letter, isConcurrency: isConcurrency) else { throw malformed }
    let type = try makeNode(known)
    try pushRepeated(type, repetitions)
    return type
  }

  /// Makes the node of a type of the standard library.
  private mutating func makeNode(_ type: StandardType) throws(SymbolRefusal) -> Node {
    let module = try make(.module, named: "Swift")
    return try make(type.kind, module, try make(.identifier, named: type.name))
  }
}

/// The types of the standard library that have a letter in the mangling.
struct StandardType {
  let kind: SymbolNodeKind
  let name: String

  /// The type of a letter.
  ///
  /// Types of the module `_Concurrency` have a letter of their own before it.
  static func named(_ letter: UInt8, isConcurrency: Bool) -> StandardType? { (isConcurrency ? concurrency : basic)[letter] }

  private static let basic: [UInt8: StandardType] = table([
    .structure: """
    A AutoreleasingUnsafeMutablePointer a Array b Bool D Dictionary d Double f Float h Set I DefaultIndices i Int J Character
    N ClosedRange n Range O ObjectIdentifier P UnsafePointer p UnsafeMutablePointer R UnsafeBufferPointer
    r UnsafeMutableBufferPointer S String s Substring u UInt V UnsafeRawPointer v UnsafeMutableRawPointer
    W UnsafeRawBufferPointer w UnsafeMutableRawBufferPointer
    """,
    .protocol: """
    B BinaryFloatingPoint E Encodable e Decodable F FloatingPoint G RandomNumberGenerator H Hashable j Numeric
    K BidirectionalCollection k RandomAccessCollection L Comparable l Collection M MutableCollection
    m RangeReplaceableCollection Q Equatable T Sequence t IteratorProtocol U UnsignedInteger X RangeExpression x Strideable
    Y RawRepresentable y StringProtocol Z SignedInteger z BinaryInteger
    """,
    .enumeration: "q Optional",
  ])

  private static let concurrency: [UInt8: StandardType] = table([
    .structure: """
    C CheckedContinuation c UnsafeContinuation E CancellationError e UnownedSerialExecutor G TaskGroup g ThrowingTaskGroup
    J UnownedJob P TaskPriority S AsyncStream s AsyncThrowingStream T Task t UnsafeCurrentTask
    """,
    .protocol: "A Actor F Executor f SerialExecutor h TaskExecutor I AsyncIteratorProtocol i AsyncSequence",
    .class: "M MainActor",
  ])

  /// Reads letters, each followed by a name.
  private static func table(_ texts: [SymbolNodeKind: String]) -> [UInt8: StandardType] {
    var types: [UInt8: StandardType] = [:]
    for (kind, text) in texts {
      var letter: UInt8?
      for word in text.split(whereSeparator: \.isWhitespace) {
        if let known = letter {
          types[known] = StandardType(kind: kind, name: String(word))
          letter = nil
        } else {
          letter = word.utf8.first
        }
      }
    }
    return types
  }
}
