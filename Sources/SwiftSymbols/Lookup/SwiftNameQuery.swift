/// A name by which a function is looked up: `Plugin.area(of:scale:)`, `area`, `area(of: Geometry.Rect, scale: Double)`.
///
/// The declaration of a function as the Swift tools print it is a name, too:
/// `static Plugin.Rect.+ infix(Plugin.Rect, Plugin.Rect) -> Plugin.Rect`, `Plugin.Rect.width.setter : Swift.Double`. A private
/// declaration may state its file: `Plugin.(area in Shapes.swift)(of:)`.
package struct SwiftNameQuery: Sendable {
  /// The name without the parameters, with the types that contain it.
  package let base: String
  /// The labels, `_` for none, without backticks; nil if the name has no parentheses.
  package let labels: [String]?
  /// The types that the name states, for each parameter; nil if it states none.
  package let types: [String?]?
  /// The result type that the name states, or the type of a variable.
  package let result: String?
  /// Whether the name begins with `static`, which tells a static member from an instance member of the same name.
  package let isStatic: Bool
  /// The module of an extension, if the name states it.
  let extensionModule: String?
  /// The parts of ``base``; none for a text that is no name.
  package let path: [SwiftIdentifier]
  /// The accessor that the name can mean: the last part of the path, or what follows the labels.
  package let accessor: SwiftSymbol.Kind?
  /// The path of the variable or subscript of the accessor.
  package let accessedPath: [SwiftIdentifier]
  /// Whether the last part of the path is more likely an accessor than a variable of the name.
  let isAccessorLikely: Bool
  /// The files of private declarations in the path, or what stands for them in a symbol.
  package let files: [String]
  /// The name as it was given.
  let text: String

  /// Reads a name.
  ///
  /// Any text is a name; one that is not well formed has no path, and matches nothing.
  package init(_ text: some StringProtocol) {
    self.text = SwiftIdentifier.spaced(String(text))
    var scanner = NameScanner(text)
    isStatic = scanner.takeModifier("static")
    _ = ["prefix", "postfix", "infix"].contains { scanner.takeModifier($0) }
    var extensionModules: [String] = []
    while scanner.take("(extension in ") {
      extensionModules.append(SwiftIdentifier(scanner.take(upTo: [")"])).text)
      _ = scanner.take("):")
    }
    // The extensions that contain the innermost one follow it.
    extensionModule = extensionModules.first
    let path = text.first == " " || text.last == " " ? [] : scanner.takePath()
    files = scanner.files
    scanner.skipSpaces()
    base = path.isEmpty ? String(text) : path.map(\.source).joined(separator: ".")
    let isTyped = scanner.next == ":"
    isAccessorLikely = isTyped
    let last = path.count > 1 ? path.last.flatMap { $0.isEscaped ? nil : Self.accessors[$0.text] } : nil
    let storage = last == nil ? path.last : path.dropLast().last
    if isTyped {
      _ = scanner.take(":")
      scanner.skipSpaces()
      scanner.skipGenericParameters()
      scanner.skipSpaces()
    }
    guard !isTyped || (storage?.text == "subscript" && storage?.isEscaped == false) else {
      self.path = scanner.rest.isEmpty ? [] : path
      (accessor, accessedPath) = (last, Array(path.dropLast()))
      (labels, types, result) = (nil, nil, scanner.rest.isEmpty ? nil : String(scanner.rest))
      return
    }
    guard scanner.take("(") else {
      // A text with words after the name is not a name.
      self.path = scanner.rest.isEmpty ? path : []
      (accessor, accessedPath) = (last, Array(path.dropLast()))
      (labels, types, result) = (nil, nil, nil)
      return
    }
    let inner = scanner.take(upTo: [")"])
    let isClosed = scanner.take(")")
    // The accessor of a subscript follows its labels.
    let hasSuffix = scanner.take(".")
    let suffix = hasSuffix ? Self.accessors[String(scanner.take(while: NameScanner.isWordPart))] : nil
    (accessor, accessedPath) = suffix.map { ($0, path) } ?? (last, Array(path.dropLast()))
    let isEnded = hasSuffix ? suffix != nil && scanner.rest.isEmpty : scanner.takeEffects()
    self.path = isClosed && isEnded ? path : []
    result = scanner.rest.isEmpty ? nil : String(scanner.rest)
    (labels, types) = Self.parameters(inner)
  }

  private static let accessors: [String: SwiftSymbol.Kind] = [
    "getter": .getter, "setter": .setter, "unsafeAddressor": .addressor, "unsafeMutableAddressor": .addressor,
  ]

  /// The labels and types of a parameter list.
  private static func parameters(_ list: Substring) -> (labels: [String], types: [String?]?) {
    guard let end = list.lastIndex(where: { $0 != " " }) else { return ([], nil) }
    let list = list[...end]
    var scanner = NameScanner(list)
    var labels: [String] = []
    var types: [String?] = []
    // `of:scale:` has labels only; with types, each label is followed by one.
    if list.last == ":" {
      repeat { labels.append(SwiftIdentifier(scanner.takeLabel()).text) } while scanner.take(":") && !scanner.rest.isEmpty
      if scanner.rest.isEmpty { return (labels, nil) }
      (scanner, labels) = (NameScanner(list), [])
    }
    repeat {
      var parameter = NameScanner(scanner.take(upTo: [","]))
      parameter.skipSpaces()
      let whole = parameter.rest
      let label = parameter.takeLabel()
      if parameter.take(":"), !label.isEmpty {
        parameter.skipSpaces()
        labels.append(SwiftIdentifier(label).text)
        types.append(parameter.rest.isEmpty ? nil : String(parameter.rest))
      } else {
        labels.append("_")
        types.append(String(whole))
      }
    } while scanner.take(",")
    return (labels, types)
  }

  /// The labels in the name of a function, `(of:scale:)`.
  static func labels(_ text: String) -> [String] { parameters(text.dropFirst().dropLast()).labels }

  /// The name of the variable or subscript whose accessor the name means, with the types that the name states.
  package var storage: String {
    let labels = labels.map { "(" + $0.map { $0 + ":" }.joined() + ")" } ?? ""
    return (isStatic ? "static " : "") + accessedPath.map(\.source).joined(separator: ".") + labels
  }

  // MARK: Types

  /// Whether a type as a name states it is the type of a symbol: names may lack their modules and outer types.
  package static func matches(_ stated: String, _ type: String) -> Bool {
    let (left, right) = (tokens(stated), tokens(type))
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { short, long in
      long.count >= short.count && long.suffix(short.count).elementsEqual(short)
    }
  }

  /// The paths of names and the marks of a type, without the words that say how a value is passed.
  private static func tokens(_ type: String) -> [[String]] {
    var scanner = NameScanner(type)
    var tokens: [[String]] = []
    while let character = scanner.next {
      if let quoted = scanner.takeQuoted() {
        tokens.append([SwiftIdentifier(quoted).text])
      } else if NameScanner.isWordPart(character) {
        tokens.append([String(scanner.take(while: NameScanner.isWordPart))])
      } else if scanner.take("...") {
        tokens.append(["..."])
      } else {
        _ = scanner.take(String(character))
        if character != " ", character != "." { tokens.append([String(character)]) }
        continue
      }
      while scanner.next == ".", !scanner.rest.hasPrefix("...") {
        _ = scanner.take(".")
        let part = scanner.takeQuoted().map { SwiftIdentifier($0).text } ?? String(scanner.take(while: NameScanner.isWordPart))
        if !part.isEmpty { tokens[tokens.count - 1].append(part) }
      }
      if tokens[tokens.count - 1].count == 1, passing.contains(tokens[tokens.count - 1][0]) { tokens.removeLast() }
      if tokens.last == ["Void"] || tokens.last == ["Swift", "Void"] {
        tokens.removeLast()
        tokens += [["("], [")"]]
      }
    }
    return tokens
  }

  private static let passing: Set<String> = ["any", "inout", "__owned", "__shared", "sending", "borrowing", "consuming", "isolated"]
}

extension NameScanner {
  /// Takes the label of a parameter; empty if there is none.
  fileprivate mutating func takeLabel() -> Substring {
    skipSpaces()
    let label = takeQuoted() ?? take(while: Self.isWordPart)
    skipSpaces()
    return label
  }

  /// Takes what follows the parameters, up to the result; false if something else follows.
  ///
  /// A stated type of the error may contain an arrow.
  fileprivate mutating func takeEffects() -> Bool {
    skipSpaces()
    while ["async", "throws", "rethrows"].contains(where: { takeWord($0) }) {
      if take("(") {
        _ = take(upTo: [")"])
        guard take(")") else { return false }
      }
      skipSpaces()
    }
    return rest.isEmpty || take("->") && !rest.isEmpty
  }

  private mutating func takeWord(_ word: String) -> Bool {
    var scanner = self
    guard scanner.take(word), scanner.next.map({ !Self.isWordPart($0) }) ?? true else { return false }
    self = scanner
    return true
  }

  /// Takes a modifier before a name, unless the word is the name of a function itself.
  fileprivate mutating func takeModifier(_ word: String) -> Bool {
    var scanner = self
    guard scanner.take(word + " ") else { return false }
    scanner.skipSpaces()
    guard scanner.next != "(" || scanner.rest.hasPrefix("(extension in ") else { return false }
    self = scanner
    return true
  }
}

// MARK: - Look-up

extension SwiftSymbolIndex {
  /// The functions that a name can mean.
  ///
  /// The module, the labels and the types may be left out. The accessors of a variable have the same name; the name with
  /// `.getter` or `.setter` means one of them.
  /// - Complexity: O(1) for a name with its types or module; otherwise O(functions).
  package func find(_ query: SwiftNameQuery) -> [Entry] {
    guard let accessor = query.accessor else { return find(query, query.path[...], nil) }
    let storage = query.accessedPath[...]
    if storage.count == query.path.count { return find(query, storage, accessor) }
    let (first, second) =
      query.isAccessorLikely ? ((storage, accessor), (query.path[...], nil)) : ((query.path[...], nil), (storage, accessor))
    let found = find(query, first.0, first.1)
    return found.isEmpty ? find(query, second.0, second.1) : found
  }

  private func find(_ query: SwiftNameQuery, _ path: ArraySlice<SwiftIdentifier>, _ accessor: SwiftSymbol.Kind?) -> [Entry] {
    guard !path.isEmpty else { return [] }
    let key = path.map(\.text).joined(separator: ".")
    var found: [(entry: Entry, hasModule: Bool)] = (numbers[key] ?? []).map { (entries[Int($0)], false) }
    if path.count > 1, let module = path.first {
      let rest = path.dropFirst().map(\.text).joined(separator: ".")
      found += (numbers[rest] ?? []).map { entries[Int($0)] }.filter { $0.isDeclared(in: module) }.map { ($0, true) }
    }
    if found.isEmpty {
      let suffix = "." + key
      found = entries.filter { SwiftIdentifier.bare($0.base).hasSuffix(suffix) }.map { ($0, false) }
    }
    let matching = found.filter { entry, hasModule in
      entry.path.suffix(path.count - (hasModule ? 1 : 0)).elementsEqual(path.dropFirst(hasModule ? 1 : 0))
        && entry.isReached(by: accessor) && query.accepts(entry)
    }
    let exact = matching.filter { $0.hasModule && $0.entry.path.count + 1 == path.count }
    let best = (exact.isEmpty ? matching : exact).map(\.entry)
    guard best.count > 1 else { return best }
    // Only its whole declaration tells a prefix operator from the postfix one, or an extension from another.
    let same = best.filter { $0.declaration == query.text }
    return same.isEmpty ? best : same
  }
}

extension SwiftSymbolIndex {
  /// The functions of the types or modules that a name can mean: the members of a type; of a module, what no type contains.
  ///
  /// The module, and types around the type, may be left out.
  /// - Returns: The functions by the whole name of the type or module.
  /// - Complexity: O(functions).
  package func members(of name: String) -> [String: [Entry]] {
    let path = SwiftNameQuery(name).path
    guard let module = path.first else { return [:] }
    var (exact, others): ([String: [Entry]], [String: [Entry]]) = ([:], [:])
    for entry in entries {
      let context = entry.path.dropLast()
      let key = ([entry.module] + context.map(\.source)).joined(separator: ".")
      if context.elementsEqual(path.dropFirst()), entry.isDeclared(in: module) {
        exact[key, default: []].append(entry)
      } else if context.count >= path.count, context.suffix(path.count).elementsEqual(path) {
        others[key, default: []].append(entry)
      }
    }
    return exact.isEmpty ? others : exact
  }
}

extension SwiftSymbolIndex.Entry {
  /// The types that contain the declaration, and its own name.
  package var path: [SwiftIdentifier] {
    var scanner = NameScanner(base)
    return scanner.takePath()
  }

  /// The tree of the symbol; nil for a symbol that is not read.
  ///
  /// - Complexity: O(*n*) in the length of the symbol.
  package var tree: SymbolTree? {
    var parser = SymbolParser()
    return try? parser.parse(symbol: mangledName)
  }

  /// The declaration with its types, in the form of the Swift tools.
  ///
  /// A space in a raw identifier is a space, and a method `` `init` `` has its backticks.
  /// - Complexity: O(*n*) in the length of the symbol.
  package var declaration: String {
    tree.map { SwiftIdentifier.spaced(SymbolPrinter.text(of: $0)) } ?? name
  }

  /// Whether a name may have a module before it: the module of the type or of the extension, or the one that a user imports for it.
  fileprivate func isDeclared(in module: SwiftIdentifier) -> Bool {
    if SwiftIdentifier(self.module) == module || Self.importedModules[self.module] == module.text { return true }
    let own = declaringModule
    return SwiftIdentifier(own) == module || Self.importedModules[own] == module.text
  }

  /// The modules by whose names a source refers to the declarations of other modules.
  private static let importedModules = [
    "FoundationEssentials": "Foundation", "FoundationInternationalization": "Foundation", "_Concurrency": "Swift",
    "_StringProcessing": "Swift",
  ]

  /// Whether a private declaration is in the files that a name states.
  fileprivate func isPrivate(in files: [String]) -> Bool {
    let own = SwiftNameQuery(declaration).files
    return own.count == files.count
      && zip(own, files).allSatisfy { $0 == $1 || $0 == SwiftIdentifier.discriminator(ofFile: $1, in: declaringModule) }
  }

  /// The declaration, in which private declarations state their files, if these are known.
  package func declaration(in files: Set<String>) -> String {
    guard let tree else { return name }
    let module = declaringModule
    let known = files.map { (SwiftIdentifier.discriminator(ofFile: $0, in: module), $0) }
    return SwiftIdentifier.spaced(SymbolPrinter.text(of: tree, files: Dictionary(known) { first, _ in first }))
  }

  /// The module in which the function is declared.
  package var declaringModule: String { tree.flatMap { SwiftSymbol($0, namesOnly: true).extensionModule } ?? module }

  /// The name without the types that contain it.
  package var ownName: String {
    let isPlain = base.utf8.allSatisfy { $0 != UInt8(ascii: "`") } && base.last.map { NameScanner.isWordPart($0) } ?? false
    return isPlain
      ? String(base.utf8.lastIndex(of: UInt8(ascii: ".")).map { base[base.utf8.index(after: $0)...] } ?? base[...])
      : path.last?.source ?? base
  }

  /// Whether this function can be the accessor that a name states, if the name states one.
  fileprivate func isReached(by accessor: SwiftSymbol.Kind?) -> Bool {
    switch accessor {
    case nil: true
    case .getter?: kind == .getter || kind == .subscriptGetter
    case .setter?: kind.isSetter
    default: kind == accessor
    }
  }
}

extension SwiftNameQuery {
  /// Whether labels and types agree with a function's.
  func accepts(_ entry: SwiftSymbolIndex.Entry) -> Bool {
    guard !isStatic || entry.isStatic else { return false }
    if let labels, entry.labels.isEmpty || Self.labels(entry.labels) != labels { return false }
    guard files.isEmpty || entry.isPrivate(in: files) else { return false }
    guard types != nil || result != nil || extensionModule != nil else { return true }
    guard let symbol = entry.tree.map({ SwiftSymbol($0) }) else { return false }
    // The extension may also extend a type that contains the member's type.
    if let extensionModule, let own = symbol.extensionModule, SwiftIdentifier(own).text != extensionModule { return false }
    let isResult = result.map { stated in symbol.result.map { Self.matches(stated, $0.text) } ?? false }
    guard isResult ?? true else { return false }
    guard let types else { return true }
    return zip(types, symbol.parameters).allSatisfy { stated, parameter in
      let variadic = parameter.isVariadic ? "..." : ""
      return stated.map { Self.matches($0, parameter.type.text + variadic) } ?? true
    }
  }
}
