internal import SwiftSymbols

/// The generic parameters of a declaration, and what is required of them.
struct GenericSignature {
  /// The type of a requirement.
  struct TypeName {
    let text: String
    /// The mangled name, or nil if no type can be found by it.
    let mangled: [UInt8]?
  }

  /// The numbers of the parameters that a caller passes, in their order.
  private(set) var parameters: [Int] = []
  /// The types that parameters are equal to, by a requirement.
  private(set) var equals: [Int: TypeName] = [:]
  /// The protocols to which a parameter itself conforms, by a requirement.
  private(set) var protocols: [(parameter: Int, type: TypeName)] = []
  /// The number of conformances that a caller passes.
  private(set) var conformanceCount = 0
  /// Why a further requirement makes it unknown how the function is called; nil if none does.
  private(set) var refusal: String?

  /// Reads the parameters and requirements of a declaration.
  ///
  /// - Parameter conformed: The protocol whose extension contains the declaration, and to which `Self` conforms.
  init(_ generics: SwiftSymbol.Generics, conformed: SwiftSymbol.TypeName?, in tree: SymbolTree) {
    let parts = generics.signature.map { Array(tree.children($0)) } ?? []
    var counts = parts.filter { tree.kind($0) == .genericParameterCount }.map { tree.index($0) }
    if generics.owned > 0 {
      if generics.isOwn { refusal = "it has generic parameters besides its type's" }
      counts = [generics.owned]
    }
    if let conformed {
      protocols = [(0, Self.name(of: conformed.node, in: tree))]
      // Other requirements of `Self` may include the conformance.
      if generics.signature != nil { refusal = refusal ?? "it is in a constrained extension of a protocol" }
    }
    for (depth, count) in counts.enumerated() { parameters += (0..<count).map { depth << 16 | $0 } }
    for requirement in parts where tree.kind(requirement) != .genericParameterCount {
      if let refusal = add(requirement, in: tree) { self.refusal = refusal }
    }
  }

  /// Adds a requirement, or returns why it is not known how such a function is called.
  private mutating func add(_ requirement: SymbolTree.Node, in tree: SymbolTree) -> String? {
    let subject = tree.child(requirement, 0)
    let isParameter = tree.kind(subject) == .genericParameter
    switch tree.kind(requirement) {
    case .conformanceRequirement:
      let conformed = tree.child(requirement, 1)
      guard tree.kind(conformed) == .protocol else { return "a parameter has a superclass" }
      if TypeSpelling.isMarker(conformed, in: tree) { return nil }
      conformanceCount += 1
      if isParameter { protocols.append((tree.index(subject), Self.name(of: conformed, in: tree))) }
      return nil
    case .sameTypeRequirement:
      let type = tree.child(requirement, 1)
      guard !tree.contents(type).contains(.genericParameter) else { return "two of its parameters are the same type" }
      guard isParameter else { return nil }
      parameters.removeAll { $0 == tree.index(subject) }
      equals[tree.index(subject)] = Self.name(of: type, in: tree)
      return nil
    case .layoutRequirement: return "a parameter is an object"
    default: return "it has a pack, a value or a type that is not copied as a parameter"
    }
  }

  private static func name(of node: SymbolTree.Node, in tree: SymbolTree) -> TypeName {
    TypeName(text: SymbolPrinter.text(of: node, in: tree), mangled: TypeSpelling.mangledName(of: node, in: tree))
  }
}

/// What a type that depends on generic parameters is made of.
indirect enum GenericShape {
  /// A generic parameter, by its number.
  case parameter(Int)
  /// A struct, enum or class with generic arguments. An argument is nil if it does not depend on parameters.
  case nominal(String, [GenericShape?])
  /// A tuple, whose elements are nil if they do not depend on parameters.
  case tuple([GenericShape?])
  /// The type of a type.
  case metatype(GenericShape)
  /// Another type.
  case other

  /// Reads a type; nil if it does not depend on generic parameters.
  init?(_ type: SymbolTree.Node, in tree: SymbolTree) {
    guard tree.contents(type).contains(.genericParameter) else { return nil }
    func shape(_ type: SymbolTree.Node) -> GenericShape? { GenericShape(type, in: tree) }
    switch tree.kind(type) {
    case .inOut, .owned, .shared, .sending: self.init(tree.child(type, 0), in: tree)
    case .genericParameter: self = .parameter(tree.index(type))
    case .boundGeneric:
      let nominal = tree.child(type, 0)
      guard tree.contents(nominal).isEmpty else {
        self = .other
        return
      }
      self = .nominal(SymbolPrinter.text(of: nominal, in: tree), tree.children(tree.child(type, 1)).map(shape))
    case .tuple: self = .tuple(tree.children(type).map { shape(tree.kind($0) == .tupleElement ? tree.child($0, 0) : $0) })
    case .metatype: self = shape(tree.child(type, tree.childCount(type) - 1)).map { .metatype($0) } ?? .other
    default: self = .other
    }
  }

  /// Reads the type whose member a declaration is, with its own generic parameters as arguments.
  init?(owner: SwiftSymbol.TypeName, _ generics: SwiftSymbol.Generics, in tree: SymbolTree) {
    guard generics.owned > 0 else {
      self.init(owner.node, in: tree)
      return
    }
    self = tree.kind(owner.node) == .protocol ? .parameter(0) : .nominal(owner.text, (0..<generics.owned).map { .parameter($0) })
  }

  /// Reads the type of a parameter.
  ///
  /// A variadic one is an array.
  init?(_ parameter: SwiftSymbol.Parameter, in tree: SymbolTree) {
    guard let shape = GenericShape(parameter.type.node, in: tree) else { return nil }
    self = parameter.isVariadic ? .nominal("Swift.Array", [shape]) : shape
  }
}
