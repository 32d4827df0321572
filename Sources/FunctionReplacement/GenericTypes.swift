internal import SwiftFunctions
internal import SwiftSymbols

/// The generic parameters of a function as a closure that replaces it fixes them.
///
/// A value whose type is a generic parameter is passed by address. After all arguments, the caller passes the metadata of
/// each parameter and the conformances that the parameter requires (the Swift repository's `docs/ABI/GenericSignature.md` and
/// `lib/IRGen/GenProto.cpp`). So a call tells whether it has the closure's types.
struct GenericTypes {
  private let generics: GenericSignature
  /// The generic type or protocol that contains the function, if it is none of the standard library.
  private let owner: SwiftGenericOwner?
  /// The shapes of the function's types: of its target, of its arguments (for a setter, the new value first), and of its result.
  private let target: GenericShape?
  private let arguments: [GenericShape?]
  private let result: GenericShape?
  /// The types of the parameters, by their numbers.
  private var types: [Int: SwiftMetadata] = [:]

  /// Finds the types that the parameters of a function stand for in the closure that replaces it.
  ///
  /// - Throws: `InvocationError` `unsupportedType` if the closure does not fix a parameter, or if it is not known how the function
  ///   is called.
  init?(
    _ symbol: SwiftSymbol, in tree: SymbolTree, _ owner: SwiftGenericOwner?, _ signature: SwiftFunctionType
  ) throws(InvocationError) {
    guard let generics = symbol.generics else { return nil }
    self.owner = owner
    self.generics = GenericSignature(generics, conformed: owner?.kind == .protocol ? symbol.selfType : nil, in: tree)
    let value = symbol.result.flatMap { GenericShape($0.node, in: tree) }
    let isSetter = symbol.kind.isSetter
    target = symbol.selfType.flatMap { GenericShape(owner: $0, generics, in: tree) }
    arguments = (isSetter ? [value] : []) + symbol.parameters.map { GenericShape($0, in: tree) }
    result = isSetter ? nil : value
    try read(symbol, signature)
  }

  private mutating func read(_ symbol: SwiftSymbol, _ signature: SwiftFunctionType) throws(InvocationError) {
    if let refusal = generics.refusal { throw Self.refused("\(refusal): \(symbol.genericSignature ?? "")") }
    for (parameter, type) in generics.equals {
      guard let mangled = type.mangled, let found = SwiftTypeLookup.type(mangled: mangled) else {
        throw Self.refused("the runtime finds no type '\(type.text)'")
      }
      types[parameter] = SwiftMetadata(found)
    }
    let isMember = !symbol.isStatic && symbol.kind != .initializer && symbol.path.last?.kind != .module
    if isMember { fix(target, as: signature.parameters.first?.type) }
    for (argument, type) in zip(arguments, signature.parameters.dropFirst(isMember ? 1 : 0)) { fix(argument, as: type.type) }
    fix(result, as: signature.result)
    for parameter in generics.parameters {
      guard let type = types[parameter] else {
        throw Self.refused("it is generic, and the closure does not fix each parameter: \(symbol.genericSignature ?? "")")
      }
      try requireOpaque(parameter, type)
    }
    guard types.keys.allSatisfy({ $0 < types.count }), types.count <= SwiftTypeLookup.mostArguments else {
      throw Self.refused("it, or a type around it, has too many generic parameters")
    }
  }

  private static func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason) }

  /// Takes the types of parameters from a type of the closure.
  private mutating func fix(_ shape: GenericShape?, as type: SwiftMetadata?) {
    guard let shape, let type else { return }
    switch shape {
    case .parameter(let number): if types[number] == nil { types[number] = type }
    case .nominal(_, let arguments):
      for (shape, argument) in zip(arguments, type.genericArguments(arguments.count)) { fix(shape, as: argument) }
    case .tuple(let shapes):
      let elements = type.elementTypes
      if elements.count == shapes.count { for (shape, element) in zip(shapes, elements) { fix(shape, as: element) } }
    case .metatype(let shape): fix(shape, as: type.instanceType)
    case .other: break
    }
  }

  /// Refuses a parameter that stands for an object and is required to: its values are then passed as objects.
  private func requireOpaque(_ parameter: Int, _ type: SwiftMetadata) throws(InvocationError) {
    guard type.isClass else { return }
    for (subject, conformed) in generics.protocols where subject == parameter {
      guard let mangled = conformed.mangled, let existential = SwiftTypeLookup.type(mangled: mangled + "_p".utf8),
        !SwiftMetadata(existential).isObjectExistential
      else { throw Self.refused("it is generic, and '\(conformed.text)' is a protocol of classes, or not known") }
    }
  }

  /// The types of all parameters, in the order of their numbers.
  var all: [Any.Type] { types.keys.sorted().compactMap { types[$0]?.type } }

  // MARK: How it is called

  /// Appends the words that follow the arguments to the types of a call: the types, and what conforms.
  ///
  /// - Parameter target: The type of the target that is passed by address or as a value; nil for another target, or none.
  /// - Returns: The number of the argument that is the target, if it is one, and the types with their numbers.
  func append(
    to call: inout SwiftCallTypes, target type: Any.Type?
  ) -> (target: Int?, types: [(type: SwiftMetadata, argument: Int)]) {
    var target: Int?
    if case .value(let layout) = call.selfPassing {
      // By address the target is in its own register.
      call.selfPassing = .word
      if !layout.isAddressOnly {
        target = call.parameters.count
        call.selfPassing = .none
        call.parameters.append(SwiftCallTypes.Parameter(layout))
      }
    }
    var passed = generics.parameters.compactMap { types[$0] }
    var conformanceCount = generics.conformanceCount
    if owner?.kind == .class {
      passed = []
    } else if let type, owner?.kind != .protocol, target == nil, !passed.isEmpty, isDependent(self.target) {
      // If the target is at an address, its type is passed in place of the type's parameters.
      passed = [SwiftMetadata(type)]
    } else {
      conformanceCount += owner?.conformanceCount ?? 0
    }
    let first = call.parameters.count
    let word = SwiftCallTypes.Parameter(.scalar(.pointer))
    call.parameters += Array(repeating: word, count: passed.count + conformanceCount)
    return (target, passed.enumerated().map { ($1, first + $0) })
  }

  /// The layout of a value of a call, if the value's type depends on the parameters; otherwise nil.
  func layout(
    of place: SwiftFunctionSignature.Place, _ type: SwiftMetadata, _ layouts: SwiftTypeLayouts
  ) throws(InvocationError) -> SwiftTypeLayout? {
    let shape: GenericShape? =
      switch place {
      case .target: target
      case .parameter(let index): arguments[index]
      case .result: result
      }
    return isDependent(shape) ? try layout(shape, type, layouts) : nil
  }

  /// The types of the standard library whose values are the same words, whatever the arguments.
  private static let containers: Set<String> = [
    "Swift.Array", "Swift.ContiguousArray", "Swift.ArraySlice", "Swift.Set", "Swift.Dictionary", "Swift.UnsafePointer",
    "Swift.UnsafeMutablePointer", "Swift.UnsafeBufferPointer", "Swift.UnsafeMutableBufferPointer",
  ]

  /// Whether a type depends on generic parameters in the code of the function; a parameter that equals a type does not count.
  private func isDependent(_ shape: GenericShape?) -> Bool {
    switch shape {
    case nil: false
    case .parameter(let number): generics.equals[number] == nil
    case .nominal(_, let arguments): arguments.contains { isDependent($0) }
    case .tuple(let elements): elements.contains { isDependent($0) }
    case .metatype(let shape): isDependent(shape)
    case .other: true
    }
  }

  private func layout(
    _ shape: GenericShape?, _ type: SwiftMetadata, _ layouts: SwiftTypeLayouts
  ) throws(InvocationError) -> SwiftTypeLayout {
    guard let shape, isDependent(shape) else { return try layouts.layout(of: type.type) }
    let byAddress = SwiftTypeLayout(size: type.size, alignment: type.alignment, isAddressOnly: true)
    switch shape {
    case .parameter: return byAddress
    case .nominal(let name, _) where Self.containers.contains(name): return try layouts.layout(of: type.type)
    case .nominal("Swift.Optional", let arguments):
      if case .metatype?? = arguments.first { return .scalar(.pointer) }
      // An optional of words is words.
      guard let wrapped = type.genericArguments(1).first, try !isAddressOnly(arguments[0], wrapped, layouts) else { return byAddress }
      return try words(type, layouts)
    case .tuple(let shapes):
      var elements: [SwiftTypeLayout] = []
      for (shape, element) in zip(shapes, type.elementTypes) { elements.append(try layout(shape, element, layouts)) }
      return .record(elements, isTuple: true)
    case .metatype: return .scalar(.pointer)
    case .nominal(_, let arguments):
      if type.isClass { return try layouts.layout(of: type.type) }
      let areParameters = arguments.allSatisfy { if case .parameter? = $0 { isDependent($0) } else { false } }
      guard areParameters, let isAddressOnly = try layouts.isAddressOnlyUnbound(type.type) else { throw unknown(type) }
      return isAddressOnly ? byAddress : try words(type, layouts)
    case .other: throw unknown(type)
    }
  }

  /// The layout of a type whose values are words, whatever the parameters are.
  ///
  /// - Throws: `InvocationError` `unsupportedType` if there are more words than registers are used for: which types are passed then is
  ///   not known.
  private func words(_ type: SwiftMetadata, _ layouts: SwiftTypeLayouts) throws(InvocationError) -> SwiftTypeLayout {
    let layout = try layouts.layout(of: type.type)
    guard try EntryPlan.convention().lower(layout.leaves) != nil else { throw unknown(type) }
    return layout
  }

  private func unknown(_ type: SwiftMetadata) -> InvocationError {
    Self.refused("it is generic, and how a value of the type \(type.name) is passed is not known")
  }

  /// Whether a value, or a part of a tuple, is passed by address.
  private func isAddressOnly(
    _ shape: GenericShape?, _ type: SwiftMetadata, _ layouts: SwiftTypeLayouts
  ) throws(InvocationError) -> Bool {
    guard case .tuple(let shapes)? = shape else { return try layout(shape, type, layouts).isAddressOnly }
    for (shape, element) in zip(shapes, type.elementTypes) where try isAddressOnly(shape, element, layouts) { return true }
    return false
  }
}

// MARK: - Metadata

/// The parts of a type that fix generic parameters.
///
/// Source: the Swift repository's `docs/ABI/TypeMetadata.rst` and `include/swift/ABI/MetadataValues.h`.
extension SwiftMetadata {
  /// The types of the elements of a tuple; none of another type.
  fileprivate var elementTypes: [SwiftMetadata] { kind == .tuple ? elements.map(\.type) : [] }

  /// The instance type of a metatype; nil for another type.
  fileprivate var instanceType: SwiftMetadata? { kind == .metatype ? metadata(1) : nil }

  /// Whether the values of an existential type are objects.
  fileprivate var isObjectExistential: Bool { kind == .existential && half(8) & 0x8000_0000 == 0 }
}
