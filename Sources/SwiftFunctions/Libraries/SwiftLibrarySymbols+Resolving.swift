internal import CFFIShim
internal import SwiftSymbols

extension SwiftLibrarySymbols {
  /// Resolves the types of a function.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for what the symbol or the runtime does not tell: generic functions
  ///   and members of generic types, requirements of protocols, parameter packs, opaque results, types that cannot be
  ///   copied, isolated parameters.
  func resolve(_ entry: SwiftSymbolIndex.Entry, _ binding: Binding? = nil) throws(InvocationError) -> SwiftFunctionSignature {
    let contents = try contents()
    var parser = SymbolParser()
    let tree: SymbolTree
    do { tree = try parser.parse(symbol: entry.mangledName) } catch {
      throw InvocationError(.unsupportedType, "symbol of \(entry.name): \(error)")
    }
    let symbol = SwiftSymbol(tree)
    do {
      try checkGenerics(symbol, contents, isBound: binding != nil && symbol.generics != nil)
      guard let binding, symbol.generics != nil else { return try resolve(entry, symbol, contents, []) }
      return try resolve(entry, SwiftSymbol(tree, isBound: true), contents, try binding(symbol, tree))
    } catch { throw error.about(entry.name) }
  }

  private func resolve(
    _ entry: SwiftSymbolIndex.Entry, _ symbol: SwiftSymbol, _ contents: Contents, _ arguments: [Any.Type]
  ) throws(InvocationError) -> SwiftFunctionSignature {
    guard symbol.kind != .other else { throw refused("no function of the source has this symbol") }
    let (selfType, selfKind) = try resolveSelf(symbol, contents, arguments)
    guard let value = symbol.result else { throw refused("the symbol states no type") }

    let isSetter = symbol.kind.isSetter
    let usual: SwiftFunctionSignature.Ownership = symbol.kind == .initializer || isSetter ? .owned : .borrowed
    var parameters: [SwiftFunctionSignature.Parameter] = []
    if isSetter { parameters.append(.init(type: try resolve(value, contents, arguments), ownership: .owned, label: nil)) }
    if symbol.kind.hasLabels {
      for (index, parameter) in symbol.parameters.enumerated() {
        do { parameters.append(try resolve(parameter, usual: usual, contents, arguments)) } catch { throw error.at(.index(index)) }
      }
    }
    let result: Any.Type = isSetter ? Void.self : try resolveResult(value, contents, arguments)
    let typedError = try symbol.typedError.map { (type) throws(InvocationError) in try resolve(type, contents, arguments) }

    guard let code = entry.definition ?? entry.dispatchThunk, let address = unsafe contents.loaded.pointer(code) else {
      throw refused("the library exports no code for it, only a descriptor")
    }
    let pointer = entry.definition == nil ? entry.asyncThunkPointer : entry.asyncPointer
    return unsafe SwiftFunctionSignature(
      name: entry.name, symbol: String(decoding: entry.mangledName, as: UTF8.self), address: address, kind: symbol.kind,
      parameters: parameters, result: result, selfType: selfType, selfKind: selfKind, isThrowing: symbol.isThrowing,
      // The symbol of an accessor does not state that it is asynchronous.
      typedError: typedError, isAsync: symbol.isAsync || pointer != nil,
      asyncFunctionPointer: pointer.flatMap { unsafe contents.loaded.pointer($0) },
      methodDescriptor: entry.methodDescriptor.flatMap { unsafe contents.loaded.pointer($0) }, isDispatchThunk: entry.definition == nil,
      module: symbol.extensionModule ?? symbol.module, unsafeType: unsafeType(of: symbol))
  }

  /// A type in a declaration that is `@unsafe`, or nil.
  private func unsafeType(of symbol: SwiftSymbol) -> String? {
    let types = symbol.parameters.map(\.type) + [symbol.selfType, symbol.result, symbol.typedError].compactMap { $0 }
    if let type = types.first(where: { !$0.nominals.isDisjoint(with: SwiftToolchain.unsafeTypes) || $0.text.contains("Builtin.") }) {
      return type.text
    }
    return nil
  }

  private func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason) }

  private static let callAdvice = "call it in a function of the library that states the types"

  private var memberAdvice: String {
    selection == .exported ? Self.callAdvice : "of generic types, members of Array, ContiguousArray, ArraySlice and Optional are replaced"
  }

  /// Refuses generic functions before the runtime is asked, which does not accept all of them.
  private func checkGenerics(_ symbol: SwiftSymbol, _ contents: Contents, isBound: Bool) throws(InvocationError) {
    if !isBound, let signature = symbol.genericSignature {
      let advice = selection == .exported ? Self.callAdvice : "a closure that replaces it fixes its types, and a spy does not"
      throw refused("it is generic: \(signature); \(advice)")
    }
    guard let owner = symbol.selfType else { return }
    if symbol.path.last?.kind == .protocol { throw refused("it is a member of the protocol '\(owner.text)', so its self is generic") }
    // Types of which a symbol states the parameters are bound.
    if !isBound || !owner.isDependent, let type = contents.index.types[owner.text], isGeneric(type, in: contents) {
      throw refused("it is a member of the generic type '\(owner.text)'; \(memberAdvice)")
    }
  }

  /// The type of self, and what is passed for it.
  private func resolveSelf(
    _ symbol: SwiftSymbol, _ contents: Contents, _ arguments: [Any.Type]
  ) throws(InvocationError) -> (Any.Type?, SwiftFunctionSignature.SelfKind) {
    guard let owner = symbol.selfType, let kind = symbol.path.last?.kind else { return (nil, .none) }
    let type: Any.Type
    do { type = try resolve(owner, contents, arguments) } catch {
      if let mangled = owner.mangled, SwiftTypeLookup.isGeneric(mangled: mangled) {
        throw refused(
          "it is a member of the generic type '\(owner.text)', which the runtime finds with generic arguments only; \(memberAdvice)")
      }
      throw refused("it is a member of '\(owner.text)': \(error.reason)")
    }
    // The addressor of a static variable has no self; the index has no others.
    if symbol.kind == .addressor { return (type, .none) }
    let isMetatype = symbol.isStatic || symbol.kind == .initializer
    if kind == .class { return (type, isMetatype ? .classMetatype : .object) }
    return (type, isMetatype ? .none : .value)
  }

  private func resolve(
    _ parameter: SwiftSymbol.Parameter, usual: SwiftFunctionSignature.Ownership, _ contents: Contents, _ arguments: [Any.Type]
  ) throws(InvocationError) -> SwiftFunctionSignature.Parameter {
    if parameter.isIsolated { throw refused("the parameter of type '\(parameter.type.text)' is isolated to an actor") }
    var type = try resolve(parameter.type, contents, arguments)
    if parameter.isVariadic { type = arrayType(of: type) }
    let ownership: SwiftFunctionSignature.Ownership =
      switch parameter.ownership {
      case .inOut: .inOut
      // A closure that does not escape is not retained, whatever the declaration states.
      case _ where parameter.isNonEscaping: .borrowed
      case .standard: usual
      case .owned, .sending: .owned
      case .shared: .borrowed
      }
    return .init(type: type, ownership: ownership, label: parameter.label, isVariadic: parameter.isVariadic)
  }

  private func arrayType(of element: Any.Type) -> Any.Type {
    func array<Element>(_: Element.Type) -> Any.Type { [Element].self }
    return _openExistential(element, do: array)
  }

  private func resolveResult(
    _ type: SwiftSymbol.TypeName, _ contents: Contents, _ arguments: [Any.Type]
  ) throws(InvocationError) -> Any.Type {
    do { return try resolve(type, contents, arguments) } catch { throw error.at(.result) }
  }

  /// Resolves one type of a symbol.
  ///
  /// - Parameter arguments: The types that generic parameters stand for.
  func resolve(
    _ type: SwiftSymbol.TypeName, _ contents: Contents, _ arguments: [Any.Type] = []
  ) throws(InvocationError) -> Any.Type {
    if let refusal = SwiftTypeLookup.refusal(of: type) { throw refused(refusal) }
    if let own = ownType(named: type.text, in: contents) { return own }
    if let nominal = contents.index.types[type.text], nominal.accessor != nil, !isGeneric(nominal, in: contents) {
      throw refused("values of '\(type.text)' cannot be copied")
    }
    for name in type.nominals where contents.index.types[name] != nil {
      if let nominal = contents.index.types[name], !isGeneric(nominal, in: contents), !isFoundByName(name, in: contents) {
        throw refused("another loaded library has a type '\(name)', too, which the runtime finds instead")
      }
    }
    guard let mangled = type.mangled, let found = SwiftTypeLookup.type(mangled: mangled, arguments) else {
      throw refused("the runtime finds no type '\(type.text)'\(adviceForOtherVersion())")
    }
    guard SwiftMetadata(found).isCopyable else { throw refused("values of '\(type.text)' cannot be copied") }
    return found
  }
}

// MARK: - Types

extension SwiftLibrarySymbols {
  /// The classes, structs and enums that the library declares, internal ones included, without generic types and those
  /// whose values cannot be copied.
  ///
  /// - Complexity: O(types). The metadata of all types is created.
  package func types() throws(InvocationError) -> [Any.Type] {
    let contents = try contents()
    guard let section = contents.loaded.typeRecords,
      let records = unsafe contents.loaded.memory(at: section.address, count: Int(clamping: section.size)),
      let start = records.baseAddress
    else { return [] }
    var types: [Any.Type] = []
    for offset in stride(from: 0, to: records.count & ~3, by: 4) {
      let entry = unsafe start + offset
      let relative = unsafe entry.loadUnaligned(as: Int32.self)
      // The low two bits tell how the descriptor is referred to: 0 directly, 1 through a pointer.
      guard relative != 0, relative & 3 <= 1 else { continue }
      var descriptor = unsafe entry + Int(relative & ~3)
      guard unsafe cffi_readable_bytes(contents.loaded.base, descriptor) >= 16 else { continue }
      if relative & 3 == 1 {
        guard let target = unsafe descriptor.loadUnaligned(as: UnsafeRawPointer?.self) else { continue }
        unsafe descriptor = unsafe target
      }
      if let type = unsafe SwiftRecord(address: descriptor).type { types.append(type) }
    }
    return types
  }

  /// The types that the library declares and that conform to a protocol, as for ``types()``.
  ///
  /// - Parameter existential: The protocol as a type: `(any Plugin).self`. A composition asks for all its protocols.
  /// - Throws: `InvocationError` `unsupportedType` if the type is no existential type of Swift protocols without a
  ///   superclass or constraints.
  package func conformers(of existential: Any.Type) throws(InvocationError) -> [Any.Type] {
    guard let protocols = SwiftMetadata(existential).protocols, !protocols.isEmpty else {
      throw InvocationError(.unsupportedType, "'\(existential)' is no protocol that types can be asked for")
    }
    return try types().filter { type in
      protocols.allSatisfy { unsafe cffi_swift_conforms(SwiftMetadata(type).address, $0.address) }
    }
  }

  /// The types that the library declares and that conform to a protocol, which is found by its name.
  ///
  /// - Parameter name: The name, with the module if it is none of the library's.
  /// - Throws: `InvocationError` `symbolNotFound` if there is no such protocol, or several modules of the library have one.
  package func conformers(ofProtocol name: String) throws(InvocationError) -> [Any.Type] {
    let path = SwiftIdentifier.path(name)
    let modules = path.count == 1 ? try contents().index.modules.sorted() : path.dropLast().map(\.source)
    let found = modules.compactMap { module -> Any.Type? in
      guard let last = path.last, path.count <= 2 else { return nil }
      let type = SwiftTypeLookup.type(mangled: SwiftIdentifier.existentialName(ofProtocol: last, in: SwiftIdentifier(module)))
      // The runtime may make an existential type of the name of another type.
      let kindOfProtocol: UInt32 = 3
      guard let protocols = type.flatMap({ SwiftMetadata($0).protocols }), protocols.count == 1 else { return nil }
      return protocols[0].half(0) & 0x1F == kindOfProtocol ? type : nil
    }
    guard let existential = found.first else {
      throw InvocationError(.symbolNotFound, "\(library) has no protocol '\(name)'; state its module if it is of another one")
    }
    guard found.count == 1 else {
      let names = found.map { _typeName($0, qualified: true) }
      throw InvocationError(.symbolNotFound, "'\(name)' means \(found.count) protocols; state the module", candidates: names)
    }
    return try conformers(of: existential)
  }
}
