/// A name by which a function is looked up: `Plugin.area(of:scale:)`, `area`, `area(of: Rect, scale: Double)`.
package struct SwiftNameQuery: Sendable {
  /// The name before the parentheses.
  package let base: String
  /// The labels, `_` for none; nil if the name has no parentheses.
  package let labels: [String]?
  /// The types that the name states, for each parameter; nil if it states none.
  package let types: [String?]?
  /// The result type that the name states.
  package let result: String?
  /// Whether the name begins with `static`, which tells a static member from one of a value with the same name.
  package let isStatic: Bool

  /// Reads a name.
  ///
  /// Any text is a name; one that is not well formed matches nothing.
  package init(_ text: some StringProtocol) {
    let unqualified = text.drop { $0 == " " }
    isStatic = unqualified.hasPrefix("static ")
    let trimmed = isStatic ? unqualified.dropFirst("static ".count).drop { $0 == " " } : unqualified
    guard let open = trimmed.firstIndex(of: "(") else {
      base = String(trimmed)
      (labels, types, result) = (nil, nil, nil)
      return
    }
    base = String(trimmed[..<open].filter { $0 != " " })
    var depth = 0
    var close = trimmed.endIndex
    for index in trimmed[open...].indices {
      if "([".contains(trimmed[index]) { depth += 1 }
      if ")]".contains(trimmed[index]) { depth -= 1 }
      if depth == 0 {
        close = index
        break
      }
    }
    let inner = String(trimmed[trimmed.index(after: open)..<close])
    let rest = close < trimmed.endIndex ? trimmed[trimmed.index(after: close)...] : ""
    result = rest.firstRange(of: "->").map { String(rest[$0.upperBound...]) }
    if inner.allSatisfy({ $0 == " " }) {
      (labels, types) = ([], nil)
    } else if inner.last == ":", !inner.contains(",") {
      (labels, types) = (inner.dropLast().split(separator: ":", omittingEmptySubsequences: false).map { String($0) }, nil)
    } else {
      let parts = Self.parts(of: inner)
      labels = parts.map(\.label)
      types = parts.map(\.type)
    }
  }

  /// Splits a parameter list at its commas.
  private static func parts(of list: String) -> [(label: String, type: String?)] {
    var segments: [String] = [""]
    var depth = 0
    var previous: Character = " "
    for character in list {
      if "([<".contains(character) { depth += 1 }
      if ")]".contains(character) || (character == ">" && previous != "-") { depth -= 1 }
      previous = character
      if character == ",", depth == 0 { segments.append("") } else { segments[segments.count - 1].append(character) }
    }
    return segments.map { segment in
      let text = segment.drop { $0 == " " }
      let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let rest = text[name.endIndex...]
      guard rest.first == ":" else { return ("_", String(text)) }
      let type = rest.dropFirst().drop { $0 == " " }
      return (String(name), type.isEmpty ? nil : String(type))
    }
  }

  /// Whether a type as a name states it is the type of a symbol: names may lack their modules and outer types.
  package static func matches(_ stated: String, _ type: String) -> Bool {
    let (left, right) = (tokens(stated), tokens(type))
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { stated, actual in
      let (short, long) = (stated.split(separator: "."), actual.split(separator: "."))
      return stated == actual || (!short.isEmpty && long.count >= short.count && long.suffix(short.count).elementsEqual(short))
    }
  }

  /// The words and marks of a type, without those that say how a value is passed.
  private static func tokens(_ type: String) -> [String] {
    var tokens: [String] = []
    var word = ""
    func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" || character == "." }
    for character in type + " " {
      if isPart(character) {
        word.append(character)
        continue
      }
      if !word.isEmpty, !passing.contains(word) { tokens.append(word) }
      if word == "Void" || word == "Swift.Void" {
        tokens.removeLast()
        tokens += ["(", ")"]
      }
      word = ""
      if character != " " { tokens.append(String(character)) }
    }
    return tokens
  }

  private static let passing: Set<String> = ["any", "inout", "__owned", "__shared", "sending", "borrowing", "consuming", "isolated"]
}

extension SwiftSymbolIndex {
  /// The functions that a name can mean.
  ///
  /// The module, the labels and the types may be left out. The accessors of a variable have the same name.
  /// - Complexity: O(1) for a name with its types or module; otherwise O(functions).
  package func find(_ query: SwiftNameQuery) -> [Entry] {
    var found: [Int32] = numbers[query.base] ?? []
    if let period = query.base.firstIndex(of: ".") {
      let module = query.base[..<period]
      let rest = String(query.base[query.base.index(after: period)...])
      found += (numbers[rest] ?? []).filter { entries[Int($0)].module == module }
    }
    if found.isEmpty, !query.base.isEmpty {
      let suffix = "." + query.base
      found = entries.indices.filter { entries[$0].base.hasSuffix(suffix) }.map { Int32($0) }
    }
    let matching = found.map { entries[Int($0)] }.filter { query.accepts($0) }
    let exact = matching.filter { "\($0.module).\($0.base)" == query.base }
    return exact.isEmpty ? matching : exact
  }
}

extension SwiftNameQuery {
  /// Whether labels and types agree with those of a function.
  func accepts(_ entry: SwiftSymbolIndex.Entry) -> Bool {
    guard !isStatic || entry.isStatic else { return false }
    guard let labels else { return true }
    let list = "(" + labels.map { $0 + ":" }.joined() + ")"
    guard entry.labels == list else { return false }
    guard types != nil || result != nil else { return true }
    guard let symbol = try? SwiftSymbol(mangledName: entry.mangledName) else { return false }
    let isResult = result.map { stated in symbol.result.map { Self.matches(stated, $0.text) } ?? false }
    guard isResult ?? true else { return false }
    guard let types else { return true }
    return zip(types, symbol.parameters).allSatisfy { stated, parameter in
      let variadic = parameter.isVariadic ? "..." : ""
      return stated.map { Self.matches($0, parameter.type.text + variadic) } ?? true
    }
  }
}
