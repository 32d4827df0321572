/// The tree of a mangled name.
///
/// All nodes are in one array, so a tree can be discarded or reused at once. A node that the mangled name repeats by a
/// substitution is stored once: the tree is a graph without cycles. The limits of ``SymbolTree/longestPath`` and
/// ``SymbolTree/mostVisits`` bound the time and the stack of every walk over it.
package struct SymbolTree: Sendable {
  /// A node of a tree, valid only in that tree.
  package struct Node: Hashable, Sendable {
    let number: Int32
  }

  /// The largest number of nodes between the root and a leaf.
  static let longestPath = 256
  /// The largest number of nodes that a walk visits, with repeated nodes counted each time.
  static let mostVisits: UInt32 = 100_000

  /// The largest number of links from nodes to children.
  static let mostLinks = 400_000

  /// What occurs in a node or below it.
  package struct Contents: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A generic parameter.
    package static let genericParameter: Contents = Contents(rawValue: 1)
    /// A parameter pack or its expansion.
    package static let pack: Contents = Contents(rawValue: 2)
    /// An opaque type (`some`).
    package static let opaque: Contents = Contents(rawValue: 4)
    /// The dynamic `Self`.
    package static let dynamicSelf: Contents = Contents(rawValue: 8)
    /// A generic signature.
    package static let signature: Contents = Contents(rawValue: 16)
    /// A type that no name finds: `any P<T>`, `weak`, a type of C that has another name.
    package static let unnamed: Contents = Contents(rawValue: 32)
  }

  struct Storage {
    let kind: SymbolNodeKind
    let contents: Contents
    let depth: UInt16
    let visits: UInt32
    let index: Int32
    let textStart: Int32
    let textEnd: Int32
    let childStart: Int32
    let childCount: Int32
    var spelling: Spelling?
  }

  /// How the mangled name states a node: by the nodes that an operator took from the stack, then by the operator's own bytes.
  struct Spelling {
    let operands: Range<Int32>
    let operatorBytes: Range<Int32>
  }

  private(set) var storage: [Storage] = []
  private(set) var childNodes: [Node] = []
  private(set) var texts: [UInt8] = []
  private var operandNodes: [Node] = []
  /// The mangled name.
  var source: [UInt8] = []
  /// The declaration of the symbol, or the type.
  package internal(set) var root: Node = Node(number: -1)

  init() {}

  /// Empties the tree and keeps its memory.
  mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
    childNodes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    operandNodes.removeAll(keepingCapacity: true)
    root = Node(number: -1)
  }

  package func kind(_ node: Node) -> SymbolNodeKind { storage[Int(node.number)].kind }
  package func index(_ node: Node) -> Int { Int(storage[Int(node.number)].index) }
  package func contents(_ node: Node) -> Contents { storage[Int(node.number)].contents }

  /// The bytes of the node's text, UTF-8.
  package func textBytes(_ node: Node) -> ArraySlice<UInt8> {
    let stored = storage[Int(node.number)]
    return texts[Int(stored.textStart)..<Int(stored.textEnd)]
  }

  package func text(_ node: Node) -> String { String(decoding: textBytes(node), as: UTF8.self) }
  func hasText(_ node: Node, _ text: StaticString) -> Bool { textBytes(node).elementsEqual(text.description.utf8) }

  package func children(_ node: Node) -> ArraySlice<Node> {
    let stored = storage[Int(node.number)]
    return childNodes[Int(stored.childStart)..<Int(stored.childStart + stored.childCount)]
  }

  package func childCount(_ node: Node) -> Int { Int(storage[Int(node.number)].childCount) }

  package func child(_ node: Node, _ position: Int) -> Node {
    let stored = storage[Int(node.number)]
    precondition(position >= 0 && position < stored.childCount, "the node has no such child")
    return childNodes[Int(stored.childStart) + position]
  }

  /// The first child of a kind, or nil.
  package func firstChild(_ node: Node, _ kind: SymbolNodeKind) -> Node? { children(node).first { self.kind($0) == kind } }

  /// Adds a node with two children, or one, and others.
  ///
  /// Nil if the limits of a tree are exceeded.
  mutating func add(
    _ kind: SymbolNodeKind, index: Int, text: Range<Int32>, _ first: Node?, _ second: Node?, _ others: some Sequence<Node>
  ) -> Node? {
    let start = childNodes.count
    if let first { childNodes.append(first) }
    if let second { childNodes.append(second) }
    childNodes.append(contentsOf: others)
    var contents = Self.contents(of: kind)
    var depth: UInt16 = 0
    var visits: UInt32 = 1
    for child in childNodes[start...] {
      let stored = storage[Int(child.number)]
      contents.formUnion(stored.contents)
      depth = max(depth, stored.depth)
      visits += stored.visits
      guard visits <= Self.mostVisits else { return nil }
    }
    guard depth < Self.longestPath, storage.count < Int(Self.mostVisits), childNodes.count < Self.mostLinks else { return nil }
    storage.append(
      Storage(
        kind: kind, contents: contents, depth: depth + 1, visits: visits, index: Int32(truncatingIfNeeded: index),
        textStart: text.lowerBound, textEnd: text.upperBound, childStart: Int32(start), childCount: Int32(childNodes.count - start)))
    return Node(number: Int32(storage.count - 1))
  }

  /// Stores a text for nodes.
  mutating func store(_ bytes: some Sequence<UInt8>) -> Range<Int32> {
    let start = Int32(texts.count)
    texts.append(contentsOf: bytes)
    return start..<Int32(texts.count)
  }

  /// The stored text of a node, for another node with the same text.
  func textRange(_ node: Node) -> Range<Int32> {
    let stored = storage[Int(node.number)]
    return stored.textStart..<stored.textEnd
  }

  /// The number of nodes.
  var count: Int { storage.count }

  /// Notes how a node is stated.
  mutating func spell(_ node: Node, _ operands: some Sequence<Node>, _ operatorBytes: Range<Int> = 0..<0) {
    let start = Int32(operandNodes.count)
    operandNodes.append(contentsOf: operands)
    storage[Int(node.number)].spelling = Spelling(
      operands: start..<Int32(operandNodes.count), operatorBytes: Int32(operatorBytes.lowerBound)..<Int32(operatorBytes.upperBound))
  }

  /// The nodes and the bytes that state a node; none for a node that is a part of another one only.
  func spelling(_ node: Node) -> (operands: ArraySlice<Node>, operatorBytes: ArraySlice<UInt8>)? {
    storage[Int(node.number)].spelling.map { spelling in
      (
        operandNodes[Int(spelling.operands.lowerBound)..<Int(spelling.operands.upperBound)],
        source[Int(spelling.operatorBytes.lowerBound)..<Int(spelling.operatorBytes.upperBound)]
      )
    }
  }

  private static func contents(of kind: SymbolNodeKind) -> Contents {
    switch kind {
    // A member of a parameter contains the parameter; the `Self` of `any P<T>` is bound in it.
    case .genericParameter: .genericParameter
    case .pack, .packExpansion, .packMarker: .pack
    case .opaqueResult, .opaqueType: .opaque
    case .dynamicSelf: .dynamicSelf
    case .genericSignature: .signature
    case .weak, .unowned, .unmanaged, .compileTimeLiteral, .constantValue, .constrainedExistential, .dependentMember, .associatedTypeOf,
      .typeAlias, .otherNominal, .unnamedBuiltin:
      .unnamed
    default: []
    }
  }
}

/// The reason why a mangled name is not read.
package struct SymbolRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The name does not begin with a prefix of the mangling.
    case notSwift
    /// The name does not follow the grammar.
    case malformed
    /// The name follows the grammar, but no function that is called by name has the operator. The text names it.
    case unsupported(String)
    /// The name exceeds a limit of ``SymbolTree`` or of its length.
    case limitExceeded
  }

  package let reason: Reason
  /// The offset in the mangled name at which reading stopped.
  package let byteOffset: Int

  package var description: String {
    switch reason {
    case .notSwift: "not a mangled Swift name"
    case .malformed: "malformed mangled name at offset \(byteOffset)"
    case .unsupported(let what): "mangled name with \(what) at offset \(byteOffset)"
    case .limitExceeded: "mangled name too large or nested too deeply"
    }
  }
}

/// What a node of a symbol's tree stands for.
///
/// The order matters: the kinds from ``structure`` to ``integer`` are types, those before are names and contexts.
package enum SymbolNodeKind: UInt8, Sendable, CaseIterable {
  // Marks that only the parser sees.
  case emptyList
  case firstElement
  case variadicMark
  case asyncMark
  case sendableMark
  case throwsMark
  /// Child: the type of the error.
  case typedThrowsMark
  /// Child: the global actor.
  case globalActorMark
  case isolatedAnyMark
  case callerIsolatedMark
  case sendingResultMark
  /// Index: the letter of the kind of differentiability.
  case differentiableMark

  // Names.
  case identifier
  /// Children: the discriminator, and the name unless the declaration has none.
  case privateName
  case infixOperator
  case prefixOperator
  case postfixOperator
  /// Children: a label or ``firstElement`` for each parameter; none if no parameter has a label.
  case labels

  // Declarations.
  /// Children: the context, the name, the labels unless there is no parameter, the type.
  case function
  case variable
  /// Children: the context, the labels if any, the type, a private name if any.
  case `subscript`
  case initializer
  /// Index: the letters of the accessor. Text: the word for it. Child: a variable or subscript.
  case accessor
  /// Child: the declaration.
  case `static`

  // Contexts that are not types.
  case module
  /// Children: the module, the extended type, and the generic signature of a constrained extension.
  case `extension`

  // Types.
  case structure
  case `class`
  case enumeration
  case `protocol`
  case typeAlias
  case otherNominal
  /// Children: the nominal type, the type list.
  case boundGeneric
  /// Text: the name with `Builtin.`.
  case builtin
  /// A type of the module Builtin that only values of the compiler have.
  case unnamedBuiltin
  /// Children: the size, the element.
  case builtinFixedArray
  /// Children: the elements.
  case tuple
  /// Children: the marks, the parameters (one type), the result.
  case functionType
  case noEscapeFunctionType
  case autoclosureType
  case escapingAutoclosureType
  case blockType
  case cFunctionType
  case inOut
  case shared
  case owned
  case sending
  case isolated
  case noDerivative
  case compileTimeLiteral
  case constantValue
  case weak
  case unowned
  case unmanaged
  case dynamicSelf
  /// Child: the instance type.
  case metatype
  case existentialMetatype
  /// Child: a type list of protocols.
  case protocolList
  /// Children: the protocol list, the superclass.
  case protocolListWithClass
  case protocolListWithAnyObject
  /// Children: the base, the requirement list.
  case constrainedExistential
  case constrainedExistentialSelf
  /// Index: the depth times 65,536 plus the number.
  case genericParameter
  /// Children: the base, the associated type's reference.
  case dependentMember
  /// Children: the base, the name.
  case associatedTypeOf
  /// Children: the generic signature, the type.
  case genericType
  /// Children: the pattern, the count.
  case packExpansion
  case pack
  /// Index: the ordinal, from 0.
  case opaqueResult
  /// Index: the ordinal. Children: the opaque declaration, the argument lists.
  case opaqueType
  /// Index: the value.
  case integer

  // Lists and parts of types.
  case typeList
  /// Index: 1 if variadic. Text: the label. Child: the type.
  case tupleElement
  /// Child: the declaration.
  case opaqueResultOf
  /// Children: the name, and the protocol if it is stated.
  case associatedTypeReference
  /// Children: the parameter counts, then the requirements.
  case genericSignature
  /// Index: the count.
  case genericParameterCount
  case packMarker
  case valueMarker
  case conformanceRequirement
  case sameTypeRequirement
  case sameShapeRequirement
  /// Index: the bit number of the protocol. Child: the subject.
  case inverseRequirement
  /// The subject is an object. Child: the subject.
  case layoutRequirement
  case requirementList

  /// How a generic argument conforms to a protocol, which only the parser reads.
  case conformance
  case retroactiveConformance
}

extension SymbolNodeKind {
  /// Whether the node is a type.
  package var isType: Bool { rawValue >= Self.structure.rawValue && rawValue <= Self.integer.rawValue }

  /// Whether the node is a nominal type without generic arguments.
  package var isNominal: Bool { rawValue >= Self.structure.rawValue && rawValue <= Self.otherNominal.rawValue }

  /// Whether the node names a declaration.
  var isDeclarationName: Bool { rawValue >= Self.identifier.rawValue && rawValue <= Self.postfixOperator.rawValue }

  /// Whether the node is a declaration that is no type.
  var isDeclaration: Bool { rawValue >= Self.function.rawValue && rawValue <= Self.static.rawValue }

  /// Whether the node can contain declarations.
  var isContext: Bool { rawValue >= Self.module.rawValue && rawValue <= Self.boundGeneric.rawValue }

  /// Whether the node is a requirement of a generic signature.
  var isRequirement: Bool { rawValue >= Self.packMarker.rawValue && rawValue <= Self.layoutRequirement.rawValue }

  /// Whether the node is a function type of any representation.
  package var isFunctionType: Bool {
    rawValue >= Self.functionType.rawValue && rawValue <= Self.cFunctionType.rawValue
  }

  /// Whether the node is a mark of a function type.
  var isFunctionMark: Bool { rawValue >= Self.asyncMark.rawValue && rawValue <= Self.differentiableMark.rawValue }
}
