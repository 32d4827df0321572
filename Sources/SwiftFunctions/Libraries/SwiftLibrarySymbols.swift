package import SwiftSymbols
package import TypeEncodings

/// The Swift functions and types of a loaded library, by name.
///
/// The index is built when it is first used, from the exported symbols of the library's file. Types come from the
/// runtime, which resolves the mangled types of a symbol. A library whose index was built is never unloaded.
@safe
package final class SwiftLibrarySymbols: Sendable {
  /// The library, which stays loaded while this object is alive.
  package let library: DynamicLibrary
  /// Which functions are found.
  let selection: Selection
  private let state: Locked<State>

  /// Which functions of a library are found.
  package enum Selection: Sendable {
    /// Those that are exported.
    case exported
    /// Those that can be replaced, private ones included. The address of a function is its variable's.
    case replaceable
  }

  private struct State {
    var contents: Contents?
    /// Whether the runtime finds the library's own type by a name, for the names that were checked.
    var checked: [String: Bool] = [:]
    /// The errors for names that were looked up in vain: what is near to a name is searched once.
    var refused: [String: InvocationError] = [:]
  }

  /// What is read from the file once.
  final class Contents: Sendable {
    let loaded: LoadedLibrary
    let index: SwiftSymbolIndex

    init(_ loaded: LoadedLibrary, _ index: SwiftSymbolIndex) {
      self.loaded = loaded
      self.index = index
    }
  }

  /// Creates the object; nothing is read yet.
  package init(_ library: DynamicLibrary, _ selection: Selection = .exported) {
    self.library = library
    self.selection = selection
    state = Locked(State())
  }

  /// Creates an object for some functions of a library that were read already, and are replaced.
  init(_ library: DynamicLibrary, _ contents: Contents) {
    self.library = library
    selection = .replaceable
    state = Locked(State(contents: contents))
  }

  /// Whether the library has any function.
  package var hasFunctions: Bool { (try? contents())?.index.entries.isEmpty == false }

  /// Whether a function of the library has a name.
  package func hasFunction(named name: String) -> Bool { (try? contents())?.index.find(SwiftNameQuery(name)).isEmpty == false }

  /// The file and the index, read at the first use.
  ///
  /// - Complexity: The first use reads the symbol table: about 10 µs for each function of the library.
  func contents() throws(InvocationError) -> Contents {
    if let contents = state.withLock({ $0.contents }) { return contents }
    let (loaded, file) = try LoadedLibrary.open(library)
    let table: ELFSymbolTable
    switch selection {
    case .exported:
      do { table = try ELFSymbolTable.exported(file, where: SwiftSymbolIndex.isWanted) } catch {
        throw InvocationError(.libraryNotFound, "\(library): its file is \(error)")
      }
    case .replaceable:
      guard let found = ELFSymbolTable.replaceable(file) else {
        throw InvocationError(.libraryNotFound, "\(library): its file has no table of all symbols: do not strip it")
      }
      table = found
    }
    let made = Contents(loaded, SwiftSymbolIndex(table))
    return state.withLock { state in
      if let contents = state.contents { return contents }
      state.contents = made
      return made
    }
  }

  /// Returns the types of a function.
  ///
  /// - Parameters:
  ///   - name: As for ``SwiftLibrary/function(_:isVirtual:)``.
  ///   - kind: The kind of the function, if the name does not tell it, as for a setter.
  ///   - binding: Fixes the types of a generic function, which is refused without it.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names if no function has the name, or with all
  ///   candidates if several have it; `unsupportedType` with the reason if the types cannot be resolved.
  package func function(
    _ name: String, kind: SwiftSymbol.Kind? = nil, binding: Binding? = nil
  ) throws(InvocationError) -> SwiftFunctionSignature {
    try resolve(entry(name, kinds: kind.map { [$0] } ?? []), binding)
  }

  /// Returns the types that the generic parameters of a function stand for, in the order of their numbers.
  ///
  /// It also gets the generic type or protocol that contains the function, if that is not of the standard library.
  ///
  /// Throws `InvocationError` `unsupportedType` with the reason if that is not fixed.
  package typealias Binding = (SwiftSymbol, SymbolTree, SwiftGenericOwner?) throws(InvocationError) -> [Any.Type]

  /// Returns the types of the setter of a variable or subscript.
  ///
  /// - Throws: As ``function(_:kind:)``.
  package func setter(_ name: String) throws(InvocationError) -> SwiftFunctionSignature {
    try resolve(entry(name, kinds: [.setter, .subscriptSetter]))
  }

  /// Finds the one function that a name means.
  ///
  /// - Parameter kinds: The kinds of functions that are considered; empty for all.
  func entry(_ name: String, kinds: [SwiftSymbol.Kind]) throws(InvocationError) -> SwiftSymbolIndex.Entry {
    let index = try contents().index
    let query = SwiftNameQuery(name)
    var found = index.find(query).filter { kinds.isEmpty || kinds.contains($0.kind) }
    if kinds.isEmpty { found = Self.withoutAccessors(found) }
    if let variable = Self.variable(query, in: found) { return variable }
    if let only = found.first, found.count == 1 { return only }
    throw refusal(of: name, kinds) {
      found.isEmpty ? SwiftLookupRefusal(query, kinds, index) : .ambiguous(found.map { $0.declaration(in: index.files) })
    }
  }

  /// The error for a name that means no function, or several.
  private func refusal(of name: String, _ kinds: [SwiftSymbol.Kind], _ refusal: () -> SwiftLookupRefusal) -> InvocationError {
    let key = kinds.isEmpty ? name : "\(kinds) \(name)"
    if let known = state.withLock({ $0.refused[key] }) { return known }
    let error = refusal().error(for: name, in: self)
    state.withLock { state in
      // The names may come from data.
      if state.refused.count >= 1_000 { state.refused = [:] }
      state.refused[key] = error
    }
    return error
  }

  /// The only variable that a name without parentheses means, if functions or a static variable have the same name.
  private static func variable(_ query: SwiftNameQuery, in found: [SwiftSymbolIndex.Entry]) -> SwiftSymbolIndex.Entry? {
    guard query.labels == nil else { return nil }
    let variables = found.filter { entry in
      (entry.kind == .getter || entry.kind == .addressor) && entry.isStatic == query.isStatic
    }
    return variables.count == 1 ? variables[0] : nil
  }

  /// Of the accessors of one variable, the getter, or the addressor if there is no getter.
  static func withoutAccessors(_ entries: [SwiftSymbolIndex.Entry]) -> [SwiftSymbolIndex.Entry] {
    let getters = Set(entries.filter { $0.kind == .getter || $0.kind == .subscriptGetter }.map(\.name))
    return entries.filter { entry in
      switch entry.kind {
      case .setter, .subscriptSetter, .addressor: !getters.contains(entry.name)
      default: true
      }
    }
  }
}

// MARK: - The library's own types

extension SwiftLibrarySymbols {
  /// Returns the metadata of a type that the library exports, without a look-up by name.
  func ownType(named name: String, in contents: Contents) -> Any.Type? {
    guard let type = contents.index.types[name], let accessor = type.accessor, !isGeneric(type, in: contents) else { return nil }
    guard let address = unsafe contents.loaded.pointer(accessor) else { return nil }
    return unsafe SwiftRecord.type(accessor: address)
  }

  /// Whether a type that the library exports has generic parameters, its own or of a type that contains it.
  func isGeneric(_ type: SwiftSymbolIndex.NominalType, in contents: Contents) -> Bool {
    guard let descriptor = unsafe contents.loaded.memory(at: type.descriptor, count: 4)?.baseAddress else { return true }
    return unsafe SwiftRecord(address: descriptor).isGeneric
  }

  /// Whether a look-up by name finds the library's own type and not one of the same name in another library.
  func isFoundByName(_ name: String, in contents: Contents) -> Bool {
    if let known = state.withLock({ $0.checked[name] }) { return known }
    var isFound = true
    if let own = ownType(named: name, in: contents), let mangled = _mangledTypeName(own) {
      isFound = SwiftTypeLookup.type(mangled: Array(mangled.utf8)).map { $0 == own } ?? true
    }
    state.withLock { [isFound] in $0.checked[name] = isFound }
    return isFound
  }
}

// MARK: - Members

extension SwiftLibrarySymbols {
  /// The functions of a type, or the functions of a module that no type contains: their own names, with `.setter` at the
  /// end of a setter's, and their types, or why those cannot be resolved.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if no type or module has the name, or several have it.
  package func functions(
    of name: String
  ) throws(InvocationError) -> [(name: String, types: Result<SwiftFunctionSignature, InvocationError>)] {
    let found = try contents().index.members(of: name)
    guard let entries = found.first?.value, found.count == 1 else {
      let reason =
        found.isEmpty ? "\(library) has no functions of '\(name)' here" : "'\(name)' means \(found.count) types; state more of the name"
      throw InvocationError(.symbolNotFound, reason, candidates: found.keys.sorted())
    }
    return entries.map { entry in
      let name = entry.ownName + entry.labels + (entry.kind.isSetter ? ".setter" : "")
      return (name, Result { () throws(InvocationError) in try resolve(entry) })
    }
  }
}

// MARK: - Listing

extension SwiftLibrarySymbols {
  /// The functions that the library exports, in the order of its symbol table.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if there are none.
  func entries() throws(InvocationError) -> [SwiftSymbolIndex.Entry] {
    let entries = try contents().index.entries
    guard !entries.isEmpty else { throw SwiftLookupRefusal.noFunctions.error(for: "", in: self) }
    return entries
  }

  /// The functions that a name can mean, at least one.
  ///
  /// Of the accessors of a variable, it is the getter, unless the name ends with `.setter`.
  ///
  /// - Parameter name: As for ``function(_:kind:)``.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names if there are none.
  func entries(named name: String) throws(InvocationError) -> [SwiftSymbolIndex.Entry] {
    let index = try contents().index
    let query = SwiftNameQuery(name)
    let found = Self.withoutAccessors(index.find(query))
    guard !found.isEmpty else { throw refusal(of: name, []) { SwiftLookupRefusal(query, [], index) } }
    return found
  }
}
