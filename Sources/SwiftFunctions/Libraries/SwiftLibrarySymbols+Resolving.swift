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
    do throws(InvocationError) {
      guard let tree = entry.tree else { throw refused(.noFunction) }
      var symbol = SwiftSymbol(tree)
      let owner = binding == nil ? nil : try genericOwner(of: symbol, contents)
      if let owner { symbol = SwiftSymbol(tree, owned: owner.parameterCount) }
      try checkGenerics(symbol, contents, isBound: binding != nil && symbol.generics != nil)
      guard let binding, symbol.generics != nil else { return try resolve(entry, symbol, contents, []) }
      let arguments = try binding(symbol, tree, owner)
      return try resolve(entry, SwiftSymbol(tree, isBound: true, owned: owner?.parameterCount), contents, arguments)
    } catch { throw error.about(entry.name) }
  }

  private func resolve(
    _ entry: SwiftSymbolIndex.Entry, _ symbol: SwiftSymbol, _ contents: Contents, _ arguments: [Any.Type]
  ) throws(InvocationError) -> SwiftFunctionSignature {
    guard symbol.kind != .other else { throw refused(.noFunction) }
    let (selfType, selfKind) = try resolveSelf(symbol, contents, arguments)
    guard let value = symbol.result else { throw refused(.noTypes) }

    let isSetter = symbol.kind.isSetter
    let usual: SwiftFunctionSignature.Ownership = symbol.kind == .initializer || isSetter ? .owned : .borrowed
    var parameters: [SwiftFunctionSignature.Parameter] = []
    if isSetter { parameters.append(.init(type: try resolve(value, contents, arguments), ownership: .owned, label: nil)) }
    if symbol.kind.hasLabels {
      for (index, parameter) in symbol.parameters.enumerated() {
        do { parameters.append(try resolve(parameter, usual: usual, contents, arguments)) } catch { throw error.at(.index(index)) }
      }
    }
    let result: Any.Type
    do { result = isSetter ? Void.self : try resolve(value, contents, arguments) } catch { throw error.at(.result) }
    let typedError = try symbol.typedError.map { (type) throws(InvocationError) in try resolve(type, contents, arguments) }

    guard let code = entry.definition ?? entry.dispatchThunk, let address = unsafe contents.loaded.pointer(code) else {
      throw refused(.noCode)
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

  private func refused(_ refusal: SwiftRefusal) -> InvocationError { InvocationError(.unsupportedType, refusal.reason(selection)) }

  /// Refuses generic functions before the runtime is asked, which does not accept all of them.
  private func checkGenerics(_ symbol: SwiftSymbol, _ contents: Contents, isBound: Bool) throws(InvocationError) {
    if !isBound, let signature = symbol.genericSignature { throw refused(.generic(signature)) }
    guard let owner = symbol.selfType else { return }
    if !isBound, symbol.path.last?.kind == .protocol { throw refused(.memberOfProtocol(owner.text)) }
    // Types are bound if the symbol states their parameters.
    if !isBound || !owner.isDependent, let type = contents.index.types[owner.text], isGeneric(type, in: contents) {
      throw refused(.memberOfGenericType(owner.text))
    }
  }

  /// The generic type or protocol of the library that contains a function; nil if no such type does.
  ///
  /// - Throws: `InvocationError` `unsupportedType` if it is not known how its functions are called.
  private func genericOwner(of symbol: SwiftSymbol, _ contents: Contents) throws(InvocationError) -> SwiftGenericOwner? {
    guard let owner = symbol.selfType, let kind = symbol.path.last?.kind else { return nil }
    if kind == .protocol {
      if symbol.isStatic || symbol.kind == .initializer { throw refused(.memberOfProtocol(owner.text)) }
      return .protocol
    }
    // The arguments of a type within another type are in lists of their own.
    guard symbol.path.count == 2, let type = contents.index.types[owner.text], isGeneric(type, in: contents),
      let descriptor = unsafe contents.loaded.memory(at: type.descriptor, count: 4)?.baseAddress
    else { return nil }
    do { return try SwiftGenericOwner(unsafe SwiftRecord(address: descriptor)) } catch {
      throw refused(.member(of: owner.text, error.reason))
    }
  }

  /// The type of self, and what is passed for it.
  private func resolveSelf(
    _ symbol: SwiftSymbol, _ contents: Contents, _ arguments: [Any.Type]
  ) throws(InvocationError) -> (Any.Type?, SwiftFunctionSignature.SelfKind) {
    guard let owner = symbol.selfType, let kind = symbol.path.last?.kind else { return (nil, .none) }
    let type: Any.Type
    do { type = try resolve(owner, contents, arguments) } catch {
      if let mangled = owner.mangled, SwiftTypeLookup.isGeneric(mangled: mangled) { throw refused(.memberOfUnboundType(owner.text)) }
      throw refused(.member(of: owner.text, error.reason))
    }
    // The addressor of a static variable has no self; the index has no other addressors.
    if symbol.kind == .addressor { return (type, .none) }
    let isMetatype = symbol.isStatic || symbol.kind == .initializer
    if kind == .class { return (type, isMetatype ? .classMetatype : .object) }
    return (type, isMetatype ? .none : .value)
  }

  private func resolve(
    _ parameter: SwiftSymbol.Parameter, usual: SwiftFunctionSignature.Ownership, _ contents: Contents, _ arguments: [Any.Type]
  ) throws(InvocationError) -> SwiftFunctionSignature.Parameter {
    if parameter.isIsolated { throw refused(.isolatedParameter(parameter.type.text)) }
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

  /// Resolves one type of a symbol.
  ///
  /// - Parameter arguments: The types that generic parameters stand for.
  func resolve(
    _ type: SwiftSymbol.TypeName, _ contents: Contents, _ arguments: [Any.Type] = []
  ) throws(InvocationError) -> Any.Type {
    if let refusal = SwiftRefusal(of: type) { throw refused(refusal) }
    if let own = ownType(named: type.text, in: contents) { return own }
    if let nominal = contents.index.types[type.text], nominal.accessor != nil, !isGeneric(nominal, in: contents) {
      throw refused(.notCopyable(type.text))
    }
    for name in type.nominals where contents.index.types[name] != nil {
      if let nominal = contents.index.types[name], !isGeneric(nominal, in: contents), !isFoundByName(name, in: contents) {
        throw refused(.shadowed(name))
      }
    }
    guard let mangled = type.mangled, let found = SwiftTypeLookup.type(mangled: mangled, arguments) else {
      throw refused(.unknownType(type.text, isOfOtherVersion: isOfOtherVersion))
    }
    guard SwiftMetadata(found).isCopyable else { throw refused(.notCopyable(type.text)) }
    return found
  }
}
