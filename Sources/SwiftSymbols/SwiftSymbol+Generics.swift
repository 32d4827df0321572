extension SwiftSymbol {
  /// What a type that depends on generic parameters is made of.
  package indirect enum Shape: Sendable {
    /// A generic parameter, by its number.
    case parameter(Int)
    /// A struct or enum with generic arguments, of which those are nil that do not depend on parameters.
    case nominal(String, [Shape?])
    /// A tuple, whose elements are nil if they do not depend on parameters.
    case tuple([Shape?])
    /// The type of a type.
    case metatype(Shape)
    /// Another type.
    case other
  }

  /// The generic parameters of a declaration, and what is required of them.
  package struct Generics: Sendable {
    /// The numbers of the parameters that a caller passes, in their order.
    package fileprivate(set) var parameters: [Int] = []
    /// The types that parameters are equal to, by a requirement.
    package fileprivate(set) var equals: [Int: TypeName] = [:]
    /// The protocols to which a parameter itself conforms, by a requirement.
    package fileprivate(set) var protocols: [(parameter: Int, type: TypeName)] = []
    /// The number of conformances that a caller passes.
    package fileprivate(set) var conformanceCount = 0
    /// What is required besides, for which no caller is known; nil for nothing.
    package fileprivate(set) var refusal: String?
  }
}

extension SwiftSymbol.Parameter {
  /// What the value is made of, if it depends on generic parameters; that of a variadic parameter is an array.
  package var shape: SwiftSymbol.Shape? {
    guard isVariadic, let element = type.shape else { return type.shape }
    return .nominal("Swift.Array", [element])
  }
}

extension SwiftSymbol {
  /// The number of parameters of a generic type of the standard library that has one, and requires nothing of it; nil for other
  /// types.
  static func genericParameterCount(of type: SymbolTree.Node, in tree: SymbolTree) -> Int? {
    guard tree.kind(type).isNominal, tree.childCount(type) == 2, tree.kind(tree.child(type, 0)) == .module,
      tree.hasText(tree.child(type, 0), "Swift")
    else { return nil }
    let names: [StaticString] = ["Array", "ContiguousArray", "ArraySlice", "Optional"]
    return names.contains { tree.hasText(tree.child(type, 1), $0) } ? 1 : nil
  }
}

extension SymbolTree {
  /// What a type is made of, nil if it does not depend on generic parameters.
  func shape(of type: Node) -> SwiftSymbol.Shape? {
    guard contents(type).contains(.genericParameter) else { return nil }
    switch kind(type) {
    case .inOut, .owned, .shared, .sending: return shape(of: child(type, 0))
    case .genericParameter: return .parameter(index(type))
    case .boundGeneric:
      let nominal = child(type, 0)
      guard kind(nominal) != .class, contents(nominal).isEmpty else { return .other }
      return .nominal(SymbolPrinter.text(of: nominal, in: self), children(child(type, 1)).map { shape(of: $0) })
    case .tuple:
      let elements = children(type).map { kind($0) == .tupleElement ? child($0, 0) : $0 }
      return .tuple(elements.map { shape(of: $0) })
    case .metatype: return shape(of: child(type, childCount(type) - 1)).map { .metatype($0) } ?? .other
    default: return .other
    }
  }

  /// The parameters and requirements of a signature.
  ///
  /// - Parameters:
  ///   - isOwn: Whether the signature is that of the declaration, and not of an extension.
  ///   - owned: The number of parameters of the type that contains the declaration, which a signature of an extension does
  ///     not state.
  func generics(_ signature: Node?, isOwn: Bool, owned: Int) -> SwiftSymbol.Generics {
    var generics = SwiftSymbol.Generics()
    var counts = signature.map { children($0).filter { kind($0) == .genericParameterCount }.map { index($0) } } ?? []
    if owned > 0 {
      if isOwn { generics.refusal = "it has generic parameters besides those of its type" }
      counts = [owned]
    }
    for (depth, count) in counts.enumerated() { generics.parameters += (0..<count).map { depth << 16 | $0 } }
    for requirement in signature.map({ children($0) }) ?? [] where kind(requirement) != .genericParameterCount {
      if let refusal = add(requirement, to: &generics) { generics.refusal = refusal }
    }
    return generics
  }

  /// Adds a requirement, or returns why it is not known how such a function is called.
  private func add(_ requirement: Node, to generics: inout SwiftSymbol.Generics) -> String? {
    let subject = child(requirement, 0)
    let isParameter = kind(subject) == .genericParameter
    switch kind(requirement) {
    case .conformanceRequirement:
      let conformed = child(requirement, 1)
      guard kind(conformed) == .protocol else { return "a parameter has a superclass" }
      if TypeSpelling.isMarker(conformed, in: self) { return nil }
      generics.conformanceCount += 1
      if isParameter { generics.protocols.append((index(subject), typeName(of: conformed))) }
      return nil
    case .sameTypeRequirement:
      let type = child(requirement, 1)
      guard !contents(type).contains(.genericParameter) else { return "two of its parameters are the same type" }
      guard isParameter else { return nil }
      generics.parameters.removeAll { $0 == index(subject) }
      generics.equals[index(subject)] = typeName(of: type)
      return nil
    case .layoutRequirement: return "a parameter is an object"
    default: return "it has a pack, a value or a type that is not copied as a parameter"
    }
  }

  private func typeName(of node: Node) -> SwiftSymbol.TypeName {
    SwiftSymbol.TypeName(
      text: SymbolPrinter.text(of: node, in: self), mangled: TypeSpelling.mangledName(of: node, in: self), contents: contents(node),
      nominals: [], shape: nil)
  }
}
