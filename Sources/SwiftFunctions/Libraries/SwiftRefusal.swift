internal import SwiftSymbols

/// Why a function of a library cannot be called or replaced by its name, although it has the name.
enum SwiftRefusal {
  case noFunction
  case noTypes
  case noCode
  case generic(_ signature: String)
  case memberOfProtocol(String)
  case memberOfGenericType(String)
  /// A member of a type that the runtime finds with generic arguments only.
  case memberOfUnboundType(String)
  case member(of: String, _ reason: String)
  case isolatedParameter(_ type: String)
  /// A type that cannot be looked up, with what it is.
  case notLookedUp(_ type: String, _ what: String)
  case notCopyable(_ type: String)
  /// A type that the runtime finds in another library.
  case shadowed(_ type: String)
  case unknownType(String, isOfOtherVersion: Bool)

  /// Why the type of a symbol cannot be looked up, or nil.
  init?(of type: SwiftSymbol.TypeName) {
    let contents = type.contents
    if contents.contains(.pack) {
      self = .notLookedUp(type.text, "contains a parameter pack")
    } else if !contents.isDisjoint(with: [.genericParameter, .signature]) {
      self = .notLookedUp(type.text, "depends on generic parameters")
    } else if contents.contains(.opaque) {
      self = .notLookedUp(type.text, "is an opaque type, which a symbol does not name")
    } else if type.mangled == nil {
      self = .notLookedUp(type.text, "is a type that no name finds")
    } else {
      return nil
    }
  }

  private static let fixing = "a closure that replaces it fixes its types, and a spy states them with 'as:'"

  func reason(_ selection: SwiftLibrarySymbols.Selection) -> String {
    let isCalled = selection == .exported
    let way = "call it in a function of the library that states the types"
    let member = isCalled ? way : Self.fixing
    return switch self {
    case .noFunction: "no function of the source has this symbol"
    case .noTypes: "the symbol states no type"
    case .noCode: "the library exports no code for it, only a descriptor"
    case .generic(let signature):
      "it is generic: \(signature); \(isCalled ? way : Self.fixing)"
    case .memberOfProtocol(let owner):
      "it is a member of the protocol '\(owner)', so its self is generic\(isCalled ? "" : "; " + Self.fixing)"
    case .memberOfGenericType(let owner): "it is a member of the generic type '\(owner)'; \(member)"
    case .memberOfUnboundType(let owner):
      "it is a member of the generic type '\(owner)', which the runtime finds with generic arguments only; \(member)"
    case .member(let owner, let reason): "it is a member of '\(owner)': \(reason)"
    case .isolatedParameter(let type): "the parameter of type '\(type)' is isolated to an actor"
    case .notLookedUp(let type, let what): "'\(type)' \(what)"
    case .notCopyable(let type): "values of '\(type)' cannot be copied"
    case .shadowed(let type): "another loaded library has a type '\(type)', too, which the runtime finds instead"
    case .unknownType(let type, let isOfOtherVersion):
      "the runtime finds no type '\(type)'\(isOfOtherVersion ? SwiftLookupRefusal.otherVersion : "")"
    }
  }
}

/// Why a name means no function of a library, or several.
///
/// All of it is read when a look-up has failed.
enum SwiftLookupRefusal {
  case noFunctions
  case ambiguous(_ declarations: [String])
  case otherLabels([SwiftSymbolIndex.Entry])
  /// A variable or subscript without a setter.
  case noSetter(SwiftSymbolIndex.Entry)
  case notFound(SwiftNameQuery)

  /// - Parameter kinds: The kinds of functions that were looked up; empty for all.
  init(_ query: SwiftNameQuery, _ kinds: [SwiftSymbol.Kind], _ index: SwiftSymbolIndex) {
    guard !query.path.isEmpty || index.entries.isEmpty else {
      self = .notFound(query)
      return
    }
    if kinds.contains(.setter) || query.accessor == .setter {
      let storage = query.accessor == .setter ? SwiftNameQuery(query.storage) : query
      if let entry = index.find(storage).first(where: { [.getter, .subscriptGetter, .addressor].contains($0.kind) }) {
        self = .noSetter(entry)
        return
      }
    }
    let otherLabels = query.labels == nil ? [] : index.find(SwiftNameQuery(query.base))
    if index.entries.isEmpty {
      self = .noFunctions
    } else if !otherLabels.isEmpty {
      self = .otherLabels(Array(otherLabels.prefix(8)))
    } else {
      self = .notFound(query)
    }
  }

  func error(for name: String, in symbols: SwiftLibrarySymbols) -> InvocationError {
    let library = symbols.library
    let isCalled = symbols.selection == .exported
    switch self {
    case .noFunctions:
      let what = isCalled ? "exports no Swift functions" : "has no Swift functions that can be replaced"
      return InvocationError(.symbolNotFound, "\(library) \(what): \(Self.adviceForNoFunctions(symbols))")
    case .ambiguous(let texts):
      let shown = texts.prefix(16).joined(separator: "; ") + (texts.count > 16 ? "; and \(texts.count - 16) more" : "")
      return InvocationError(
        .symbolNotFound, "'\(name)' means \(texts.count) functions of \(library); state the module, labels or types: \(shown)",
        candidates: texts)
    case .otherLabels(let entries):
      let texts = entries.map(\.declaration).joined(separator: "; ")
      return InvocationError(
        .symbolNotFound, "\(library) has no Swift function '\(name)'; there is \(texts)", candidates: entries.map(\.name))
    case .noSetter(let entry):
      let reason =
        entry.kind == .addressor
        ? "the library exports the address of the variable and no setter, and its symbol does not state whether it is a constant (let): "
          + "declare a function that sets it"
        : isCalled
          ? "it has no setter that is public" : "it has no setter, or has observers (willSet, didSet), with which it cannot be replaced"
      return InvocationError(.unsupportedType, reason).about(entry.name)
    case .notFound(let query):
      guard !query.path.isEmpty else {
        return InvocationError(
          .symbolNotFound, "'\(name)' is no name of a function: write Module.Type.method(label:), or Module.Type.property")
      }
      if let refusal = Self.refusal(of: name, query, symbols) { return refusal }
      let nearest = (try? symbols.contents()).map { Self.nearest(to: name, query, $0.index) } ?? []
      let usual = isCalled && nearest.isEmpty ? "; only public functions have exported symbols" : ""
      let version = symbols.isOfOtherVersion ? Self.otherVersion : ""
      return InvocationError(.symbolNotFound, "\(library) has no Swift function '\(name)'\(usual)\(version)", candidates: nearest)
    }
  }

  fileprivate static let otherVersion =
    "; another version of Swift has compiled the library, and types may differ: compile it with the version of this program"

  // MARK: Nearest names

  /// The names that are near to a name, or else the members of any type whose own names are near to it.
  private static func nearest(to name: String, _ query: SwiftNameQuery, _ index: SwiftSymbolIndex) -> [String] {
    let lengths = NearestNames.lengths(near: name)
    // Only a name whose length may be near is made a string.
    let names = index.entries.lazy.flatMap { entry -> [String] in
      let (module, base, labels) = (entry.module.utf8.count + 1, entry.base.utf8.count, entry.labels.utf8.count)
      var names: [String] = []
      if lengths.contains(module + base + labels) { names.append(entry.name) }
      if lengths.contains(base + labels) { names.append(entry.base + entry.labels) }
      if lengths.contains(module + base) { names.append("\(entry.module).\(entry.base)") }
      if lengths.contains(base) { names.append(entry.base) }
      return names
    }
    // A function is named once, with its labels.
    let found = NearestNames.nearest(to: name, among: names, limit: 6)
    let labelled = Set(found.filter { $0.contains("(") }.map { String($0.prefix { $0 != "(" }) })
    let nearest = Array(found.filter { $0.contains("(") || !labelled.contains($0) }.prefix(3))
    guard nearest.isEmpty, let own = query.path.last?.source else { return nearest }
    let labels = query.labels.map { "(" + $0.map { $0 + ":" }.joined() + ")" } ?? ""
    var owners: [String: [String]] = [:]
    for entry in index.entries {
      let own = entry.ownName
      for short in [own, own + entry.labels] where owners[short, default: []].count < 3 { owners[short, default: []].append(entry.name) }
    }
    var members: [String] = []
    for short in NearestNames.nearest(to: own + labels, among: owners.keys, limit: 3) {
      for full in owners[short] ?? [] where !members.contains(full) && members.count < 3 { members.append(full) }
    }
    return members
  }

  // MARK: Advice

  /// Why a library exports no functions, and what to do.
  private static func adviceForNoFunctions(_ symbols: SwiftLibrarySymbols) -> String {
    if symbols.selection == .replaceable { return flag }
    if symbols.library.isProcess { return "link the program with '-Xlinker -export-dynamic', and declare the functions public" }
    guard let (loaded, file) = try? LoadedLibrary.open(symbols.library), !file.sections.isEmpty else {
      return "it is no Swift library, or its functions are not public"
    }
    if loaded.typeRecords == nil { return "it is no Swift library" }
    return "it is a Swift library; declare the functions public, and do not hide their symbols in the linker"
  }

  /// How to compile a module whose functions are replaced.
  private static let flag =
    "compile its module with '-Xfrontend -enable-implicit-dynamic', for example by "
    + "swiftSettings: [.unsafeFlags([\"-Xfrontend\", \"-enable-implicit-dynamic\"], .when(configuration: .debug))]"

  /// The error for the name of a function that cannot be called or replaced, or that is in another library; nil if there is none.
  private static func refusal(of name: String, _ query: SwiftNameQuery, _ symbols: SwiftLibrarySymbols) -> InvocationError? {
    let (library, isCalled) = (symbols.library, symbols.selection == .exported)
    func refused(_ reason: String) -> InvocationError { InvocationError(.symbolNotFound, reason) }
    let missing = "\(library) has no Swift function '\(name)'"
    let search = SymbolSearch(query)
    if let (_, file) = try? LoadedLibrary.open(library) {
      if isCalled, !file.sections.contains(where: { $0.type == 2 }) {
        return refused(
          "\(missing); only public functions have exported symbols, and the library is stripped of the others; declare it public")
      }
      // A function of C is meant rather than a member of a type that the name does not state.
      if let own = search?.all(of: file), own.entry.path.count == 1 || query.path.count > 1 || functionOfC(query) == nil {
        if isCalled { return refused("\(missing); the library has '\(own.entry.name)', which is private or internal; declare it public") }
        let reason = hasFlag(own.entry, symbols) ? "since \(own.reason)" : "since its module was compiled without a flag: \(flag)"
        return refused("'\(own.entry.name)' of \(library) cannot be replaced, \(reason)")
      }
    }
    if functionOfC(query) == nil, let other = search?.exported(), let file = other.library {
      let place = "\(missing); '\(other.entry.name)' is in \(file)"
      if isCalled { return refused("\(place): open that library") }
      return refused("\(place): replace it 'in: DynamicLibrary(\"\(file)\")'")
    }
    return nil
  }

  /// The library of the function of C that a name can mean, or nil.
  private static func functionOfC(_ query: SwiftNameQuery) -> String? {
    query.path.count == 1 ? SymbolSearch.library(of: query.path[0].text) : nil
  }

  /// Whether the module of a function was compiled with the flag, so that others of its functions can be replaced.
  private static func hasFlag(_ entry: SwiftSymbolIndex.Entry, _ symbols: SwiftLibrarySymbols) -> Bool {
    guard let entries = try? symbols.contents().index.entries else { return false }
    let module = entry.declaringModule
    return entries.contains { $0.module == module } || entries.contains { $0.declaringModule == module }
  }
}
