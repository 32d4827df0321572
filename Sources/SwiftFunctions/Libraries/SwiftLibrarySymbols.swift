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
    /// Those that can be replaced, private ones included. The address of one is that of the variable by which it is.
    case replaceable
  }

  private struct State {
    var contents: Contents?
    /// Whether the runtime finds the library's own type by a name, for the names that were checked.
    var checked: [String: Bool] = [:]
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
  /// Throws `InvocationError` `unsupportedType` with the reason if that is not fixed.
  package typealias Binding = (SwiftSymbol, SymbolTree) throws(InvocationError) -> [Any.Type]

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
    guard found.isEmpty else {
      let texts = found.map(\.declaration)
      let shown = texts.prefix(16).joined(separator: "; ") + (texts.count > 16 ? "; and \(texts.count - 16) more" : "")
      throw InvocationError(
        .symbolNotFound, "'\(name)' means \(found.count) functions of \(library); state the module, labels or types: \(shown)",
        candidates: texts)
    }
    throw noSetter(query, kinds, index) ?? notFound(name, query, index)
  }

  /// The error for a variable or subscript that has no setter, if the name means one and a setter is looked up.
  func noSetter(
    _ query: SwiftNameQuery, _ kinds: [SwiftSymbol.Kind], _ index: SwiftSymbolIndex
  ) -> InvocationError? {
    guard kinds.contains(.setter) || query.accessor == .setter else { return nil }
    let storage = query.accessor == .setter ? SwiftNameQuery(query.storage) : query
    let found = index.find(storage).filter { [.getter, .subscriptGetter, .addressor].contains($0.kind) }
    guard let entry = found.first else { return nil }
    let reason =
      entry.kind == .addressor
      ? "the library exports the address of the variable and no setter, and its symbol does not state whether it is a constant (let): "
        + "declare a function that sets it"
      : selection == .exported
        ? "it has no setter that is public" : "it has no setter, or has observers (willSet, didSet), with which it cannot be replaced"
    return InvocationError(.unsupportedType, reason).about(entry.name)
  }

  /// The error for a name that no function has.
  func notFound(_ name: String, _ query: SwiftNameQuery, _ index: SwiftSymbolIndex) -> InvocationError {
    guard !index.entries.isEmpty else {
      let what = selection == .exported ? "exports no Swift functions" : "has no Swift functions that can be replaced"
      return InvocationError(.symbolNotFound, "\(library) \(what): \(adviceForNoFunctions())")
    }
    let otherLabels = query.labels == nil ? [] : index.find(SwiftNameQuery(query.base))
    if !otherLabels.isEmpty {
      let texts = otherLabels.prefix(8).map(\.declaration).joined(separator: "; ")
      return InvocationError(
        .symbolNotFound, "\(library) has no Swift function '\(name)'; there is \(texts)",
        candidates: Array(otherLabels.prefix(8).map(\.name)))
    }
    let names = index.entries.lazy.flatMap { entry in
      [entry.name, entry.base + entry.labels, "\(entry.module).\(entry.base)", entry.base]
    }
    var nearest = NearestNames.nearest(to: name, among: names, limit: 3)
    if nearest.isEmpty { nearest = nearestMembers(to: name, index) }
    let usual = selection == .exported ? "; only public functions have exported symbols" : ""
    let reason = advice(for: query).map { "; \($0)" } ?? (nearest.isEmpty ? usual : "")
    return InvocationError(
      .symbolNotFound, "\(library) has no Swift function '\(name)'\(reason)\(adviceForOtherVersion())", candidates: nearest)
  }

  /// The members of any type whose own names are near to one.
  private func nearestMembers(to name: String, _ index: SwiftSymbolIndex) -> [String] {
    var owners: [String: [String]] = [:]
    for entry in index.entries {
      guard let own = entry.path.last?.source else { continue }
      for short in [own, own + entry.labels] where owners[short, default: []].count < 3 { owners[short, default: []].append(entry.name) }
    }
    var names: [String] = []
    for short in NearestNames.nearest(to: name, among: owners.keys, limit: 3) {
      for full in owners[short] ?? [] where !names.contains(full) && names.count < 3 { names.append(full) }
    }
    return names
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

// MARK: - Declarations

/// A function that a library exports, before its types are resolved.
package struct SwiftDeclaration: Sendable {
  let entry: SwiftSymbolIndex.Entry

  /// The name for look-up: `Plugin.area(of:scale:)`.
  package var name: String { entry.name }

  /// The mangled name.
  package var symbol: String { String(decoding: entry.mangledName, as: UTF8.self) }

  /// The declaration with its types, as the Swift tools print it, which is a name for look-up, too.
  ///
  /// - Complexity: O(*n*) in the length of the symbol.
  package var text: String { entry.declaration }

  /// Whether it is asynchronous.
  package var isAsync: Bool { entry.asyncPointer != nil || entry.asyncThunkPointer != nil }

  /// What is declared: `function`, `initializer`, `getter`, `setter`, `subscriptGetter`, `subscriptSetter`, or
  /// `addressor` for a global or static variable without a getter.
  package var kind: String { "\(entry.kind)" }
}

extension SwiftLibrarySymbols {
  /// The functions that the library exports, in the order of its symbol table.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if there are none.
  package func declarations() throws(InvocationError) -> [SwiftDeclaration] {
    let index = try contents().index
    guard !index.entries.isEmpty else { throw notFound("", SwiftNameQuery(""), index) }
    return index.entries.map { SwiftDeclaration(entry: $0) }
  }

  /// The functions that a name can mean, of which there is at least one.
  ///
  /// Of the accessors of a variable, it is the getter, unless the name ends with `.setter`.
  ///
  /// - Parameter name: As for ``function(_:kind:)``.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names if there are none.
  package func declarations(named name: String) throws(InvocationError) -> [SwiftDeclaration] {
    let index = try contents().index
    let query = SwiftNameQuery(name)
    let found = Self.withoutAccessors(index.find(query))
    guard !found.isEmpty else { throw noSetter(query, [], index) ?? notFound(name, query, index) }
    return found.map { SwiftDeclaration(entry: $0) }
  }

  /// Returns a function, ready to be called.
  ///
  /// - Parameters:
  ///   - declaration: One of this library.
  ///   - promises: What the caller states of the function; by default all but that of its layouts.
  /// - Throws: `InvocationError` `unsupportedType` with the reason if it cannot be called.
  package func function(
    _ declaration: SwiftDeclaration, trusting promises: SwiftLibrary.Promises = [.declarations, .isolation, .pointers]
  ) throws(InvocationError) -> SwiftFunction {
    try SwiftFunction(resolve(declaration.entry), trusting: promises, keeping: library)
  }

  /// Returns an asynchronous function, ready to be awaited.
  ///
  /// - Parameters:
  ///   - declaration: One of this library.
  ///   - isNonsending: Whether it is `nonisolated(nonsending)`; nil if that is not known.
  ///   - promises: What the caller states of the function; by default all but that of its layouts.
  /// - Throws: `InvocationError` `unsupportedType` with the reason if it cannot be called.
  @unsafe
  package func asyncFunction(
    _ declaration: SwiftDeclaration, isNonsending: Bool?,
    trusting promises: SwiftLibrary.Promises = [.declarations, .isolation, .pointers]
  ) throws(InvocationError) -> AsyncSwiftFunction {
    try AsyncSwiftFunction(resolve(declaration.entry), takesIsolation: isNonsending, trusting: promises, keeping: library)
  }
}

extension SwiftFunction {
  /// The error for a number of arguments that is not the function's.
  @_spi(Tools) public func countMismatch(_ given: Int) -> InvocationError { plan.countMismatch(given) }

  /// The argument for self of a struct or enum, which the function may change, or nil if there is none.
  @_spi(Tools) public var valueSelf: Int? { (0..<plan.count).first { unsafe plan.slots[$0].isValueSelf } }

  /// The arguments for `inout` parameters.
  @_spi(Tools) public var variables: [Int] { (0..<plan.count).filter { unsafe plan.slots[$0].isInOut } }
}

extension AsyncSwiftFunction {
  /// The error for a number of arguments that is not the function's.
  @_spi(Tools) public func countMismatch(_ given: Int) -> InvocationError { plan.countMismatch(given) }
}

// MARK: - Advice

// Why a name is not found, and what to do. All of it is read when a look-up has failed.

extension SwiftLibrarySymbols {
  /// Why a library exports no functions, and what to do.
  func adviceForNoFunctions() -> String {
    if selection == .replaceable { return Self.flag }
    if library.isProcess { return "link the program with '-Xlinker -export-dynamic', and declare the functions public" }
    guard let (loaded, file) = try? LoadedLibrary.open(library) else { return "it is no Swift library" }
    if file.sections.isEmpty { return "it is no Swift library, or its functions are not public" }
    if loaded.typeRecords == nil { return "it is no Swift library" }
    return "it is a Swift library; declare the functions public, and do not hide their symbols in the linker"
  }

  /// How to compile a module whose functions are replaced.
  private static let flag =
    "compile its module with '-Xfrontend -enable-implicit-dynamic', for example by "
    + "swiftSettings: [.unsafeFlags([\"-Xfrontend\", \"-enable-implicit-dynamic\"], .when(configuration: .debug))]"

  /// What is known about a name that no exported function has, as the end of an error, or nil.
  func advice(for query: SwiftNameQuery) -> String? {
    guard let (_, file) = try? LoadedLibrary.open(library) else { return nil }
    // A program has all its functions in the table, so that only those are read that the name can be one of.
    let parts = selection == .replaceable ? query.path.map { Array("\($0.text.utf8.count)\($0.text)".utf8) } : []
    let table = ELFSymbolTable.all(
      file,
      where: { name in
        SwiftSymbolIndex.isWanted(name) && (parts.isEmpty || parts.contains { ELFSymbolTable.name(name, contains: $0) })
      })
    guard let table else {
      return "only public functions have exported symbols, and the library is stripped of the others; declare it public"
    }
    let found = SwiftSymbolIndex(table).find(query)
    guard let entry = found.first else { return nil }
    if selection == .replaceable {
      let stored = entry.kind == .function || entry.kind == .initializer ? "" : "it is stored or yielded (_read, _modify), "
      return "the library has '\(entry.name)', which cannot be replaced, since \(stored)callers inline it (@inlinable), "
        + "or for want of a flag: \(Self.flag)"
    }
    return "the library has '\(entry.name)', which is private or internal; declare it public"
  }

  /// What to do about a library that another version of Swift has compiled, as the end of an error; empty for any other.
  ///
  /// Compilers leave a comment with the revision of LLVM in a library. A library that has none of the revisions that
  /// the library of the runtime has was compiled by another version.
  func adviceForOtherVersion() -> String {
    let runtime = Self.runtimeRevisions
    guard !runtime.isEmpty, let (_, file) = try? LoadedLibrary.open(library) else { return "" }
    let own = Self.revisions(file)
    guard !own.isEmpty, own.isDisjoint(with: runtime) else { return "" }
    return "; another version of Swift has compiled the library, and types may differ: compile it with the version of this program"
  }

  /// The revisions of Swift's LLVM that compiled the library of the runtime.
  static let runtimeRevisions: Set<String> = {
    guard let library = try? DynamicLibrary("libswiftCore.so"), let (_, file) = try? LoadedLibrary.open(library) else { return [] }
    return revisions(file)
  }()

  /// The revisions of Swift's LLVM in the comments of a library.
  static func revisions(_ file: ELFFile) -> Set<String> {
    guard let section = file.section(named: ".comment"), section.size <= 65_536 else { return [] }
    let comments = file.bytes(of: section).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return Set(comments.filter { $0.contains("swiftlang") && $0.contains("clang") })
  }
}
