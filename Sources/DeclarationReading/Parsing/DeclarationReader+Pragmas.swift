/// The pragmas in effect that change layouts or calls in a way that is not computed.
struct PragmaEffects: OptionSet, Sendable {
  let rawValue: UInt8

  static let msStruct = PragmaEffects(rawValue: 1)
  static let storageOrder = PragmaEffects(rawValue: 2)
  static let alignment = PragmaEffects(rawValue: 4)
  static let attribute = PragmaEffects(rawValue: 8)
  /// A declaration of an image has a name whose symbol a pragma states.
  static let renamed = PragmaEffects(rawValue: 16)
  /// A declaration defines a type that was declared before with an attribute.
  static let earlier = PragmaEffects(rawValue: 32)

  /// Each pragma with the directives that begin and end its effect.
  static let directives: [(effect: PragmaEffects, begin: String, end: String)] = [
    (.msStruct, "ms_struct on", "ms_struct off"), (.storageOrder, "scalar_storage_order big-endian", "scalar_storage_order default"),
    (.alignment, "options align=packed", "options align=reset"),
    (.earlier, "clang attribute push(__attribute__((ms_struct)), apply_to = record)", "clang attribute pop"),
    (.attribute, "clang attribute push(__attribute__((ms_struct)), apply_to = record)", "clang attribute pop"),
  ]

  /// The reason for which a type that is defined now has no known layout, or nil.
  var refusal: String? {
    if contains(.msStruct) { return "#pragma ms_struct changes the layout" }
    if contains(.storageOrder) { return "#pragma scalar_storage_order changes the layout" }
    if contains(.alignment) { return "#pragma options align changes the layout, and gcc ignores it" }
    if contains(.earlier) { return "an attribute of an earlier declaration is honoured by clang and ignored by gcc" }
    return callRefusal
  }

  /// The reason for which a function that is declared now is not called as its types state, or nil.
  var callRefusal: String? { contains(.attribute) ? "#pragma clang attribute adds an attribute to it, and gcc ignores it" : nil }
}

/// The pragmas of a source and their state.
struct PragmaState: Sendable {
  var effects: PragmaEffects = []
  /// The states of `#pragma options align` that `reset` returns to.
  var alignments: [Bool] = []
  /// The groups of `#pragma clang attribute`, and whether one of their attributes has an effect here.
  var attributes: [(scope: String, hasEffect: Bool)] = []
  /// The symbols that `#pragma redefine_extname` states for names, with their places in the source.
  var symbols: [Name: (symbol: Name, range: Range<Int>)] = [:]
}

extension DeclarationReader {
  /// The pragmas in effect at the current token.
  var pragmas: PragmaEffects {
    get { pragmaState.effects }
    set { pragmaState.effects = newValue }
  }

  /// Reads the pragmas at the current position, and advances to the token after them.
  mutating func applyPragmas() throws(SyntaxFailure) {
    while token.kind == .pragma {
      try applyPragma(Int(token.offset)..<Int(token.end))
      position += 1
    }
  }

  private mutating func applyPragma(_ range: Range<Int>) throws(SyntaxFailure) {
    let words = source[range].split { !SourceByte.continuesName($0) }
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    switch texts.first {
    case "pack": try applyPacking(texts.dropFirst())
    case "ms_struct": set(.msStruct, texts.count > 1 && texts[1] == "on")
    case "scalar_storage_order": set(.storageOrder, texts.count > 1 && texts[1] == "big")
    case "options", "align":
      // Another compiler's `#pragma align` lists variables.
      guard let index = texts.firstIndex(of: "align"), index + 1 < texts.count, source[range].contains(0x3D) else { return }
      if texts[index + 1] == "reset" { return set(.alignment, pragmaState.alignments.popLast() ?? false) }
      pragmaState.alignments.append(pragmas.contains(.alignment))
      set(.alignment, !["natural", "native", "power"].contains(texts[index + 1]))
    case "redefine_extname":
      guard words.count == 3 else { return }
      let (name, symbol) = (names.intern(texts[1]), names.intern(texts[2]))
      pragmaState.symbols[name] = (symbol, words[2].startIndex..<words[2].endIndex)
      // One that was declared before, unless its declaration states a symbol itself.
      guard index == nil, var known = try self.symbol(name), known.label.isNone else { return }
      known.label = symbol
      setSymbol(known)
    case "clang" where texts.count > 2 && texts[1] == "attribute": applyAttributes(range, Array(texts.dropFirst(2)))
    default: break
    }
  }

  private mutating func set(_ effect: PragmaEffects, _ isOn: Bool) {
    if isOn { pragmas.insert(effect) } else { pragmas.remove(effect) }
  }

  private mutating func applyPacking(_ words: ArraySlice<String>) throws(SyntaxFailure) {
    var number: Int?
    for word in words {
      switch word {
      case "push": pushedPackings.append(packing)
      case "pop": packing = pushedPackings.popLast() ?? 0
      default: if let value = Int(word) { number = value }
      }
    }
    if let number {
      if number >= 0, number <= 16, number & (number - 1) == 0 {
        packing = number
      } else {
        try skipPragma(failure("a packing of \(number) is not a power of two up to 16"))
      }
    } else if words.isEmpty {
      packing = 0
    }
  }

  /// Reads `#pragma clang attribute`: `push`, `scope.push`, `pop`, or attributes that are added to the last group.
  private mutating func applyAttributes(_ range: Range<Int>, _ words: [String]) {
    let hasScope = words.count > 1 && !["push", "pop"].contains(words[0]) && ["push", "pop"].contains(words[1])
    let scope = hasScope ? words[0] : ""
    switch words[hasScope ? 1 : 0] {
    case "pop":
      if let last = pragmaState.attributes.lastIndex(where: { $0.scope == scope }) { pragmaState.attributes.remove(at: last) }
    case "push": pragmaState.attributes.append((scope, hasEffect(attributesIn: range)))
    default:
      guard let last = pragmaState.attributes.indices.last else { return }
      pragmaState.attributes[last].hasEffect = pragmaState.attributes[last].hasEffect || hasEffect(attributesIn: range)
    }
    set(.attribute, pragmaState.attributes.contains(where: \.hasEffect))
  }

  /// Whether attributes in parentheses change a call or a layout, or cannot be read.
  private mutating func hasEffect(attributesIn range: Range<Int>) -> Bool {
    guard let open = source[range].firstIndex(of: 0x28) else { return false }
    var lexer = Lexer(source, (open + 1)..<range.upperBound, readsDirectives: false)
    let saved = (tokens, position)
    defer { (tokens, position) = saved }
    do throws(SyntaxFailure) {
      try lexer.run(&names)
      (tokens, position) = (lexer.tokens, 0)
      var attributes = Attributes()
      // `push()` begins a group without an attribute.
      guard try readAttributes(&attributes) else { return !isNext(.closeParenthesis) }
      return attributes.changesType || attributes.refusal != nil || attributes.convention != nil || attributes.isOverloadable
        || attributes.isInOtherMemory
    } catch {
      return true
    }
  }

  /// Returns the symbol that a pragma states for a name, or none.
  mutating func symbolByPragma(_ name: Name) -> Name {
    if let known = pragmaState.symbols[name] { return known.symbol }
    guard pragmas.contains(.renamed), let bytes = index?.symbolByPragma(names.text(name)) else { return .none }
    return names.intern(bytes, 0..<bytes.count)
  }
}
