import TypeEncodings

extension DeclarationReader {
  /// Creates a reader of an image, which reads each declaration when it is needed.
  init(_ index: DeclarationIndex) {
    self.init([], target: .host)
    self.index = index
    tokens = [Token(kind: .end, offset: 0, end: 0)]
  }

  /// Returns the image of the source and of everything that was read.
  func image(attachment: [UInt8], checksum: ([UInt8], Range<Int>) -> UInt64) -> [UInt8] {
    var writer = DeclarationImageWriter()
    let incomplete = Set(skipped.map(\.range.start))
    let renamed = pragmaState.symbols.isEmpty ? [] : Set(symbols.filter { pragmaState.symbols[$0.name] != nil }.map(\.declaration))
    func add(_ kind: DeclarationIndex.Kind, _ name: Name, _ declaration: Int32, _ symbol: Symbol.Kind = .variable) {
      guard !name.isNone, declaration >= 0 else { return }
      let range = declarations[Int(declaration)]
      let pragmas = renamed.contains(declaration) ? range.pragmas.union(.renamed) : range.pragmas
      writer.add(
        names.bytes(name),
        DeclarationIndex.Entry(
          kind: kind, symbol: symbol, packing: range.packing, pragmas: pragmas, range: Int(range.start)..<Int(range.end),
          isSkipped: incomplete.contains(range.start)))
    }
    for symbol in symbols { add(.symbol, symbol.name, symbol.declaration, symbol.kind) }
    // The kind of a symbol tells the keyword of a tag.
    for record in records { add(.tag, record.name, record.declaration, record.isUnion ? .function : .typedefName) }
    for enumeration in enumerations { add(.tag, enumeration.name, enumeration.declaration, .enumerator) }
    for macro in macros {
      guard let body = macro.body else { continue }
      writer.add(names.bytes(macro.name), DeclarationIndex.Entry(kind: .macro, range: body, parameters: macro.parameters))
    }
    for (name, renamed) in pragmaState.symbols.sorted(by: { $0.value.range.lowerBound < $1.value.range.lowerBound }) {
      writer.add(names.bytes(name), DeclarationIndex.Entry(kind: .renamed, range: renamed.range))
    }
    for skipped in skipped {
      let range = Int(skipped.range.start)..<Int(skipped.range.end)
      let symbol: Symbol.Kind = skipped.code == .limitExceeded ? .function : .variable
      let reason = Array(skipped.reason.utf8)
      writer.add(reason[...], DeclarationIndex.Entry(kind: .skipped, symbol: symbol, range: range, isSkipped: true))
    }
    return writer.image(source, attachment: attachment, checksum: checksum)
  }

  /// Reads the declaration of a name from the index, and returns whether there is one.
  mutating func readIndexed(symbol name: Name) throws(SyntaxFailure) -> Bool {
    guard let entry = index?.find(.symbol, names.text(name)) else { return false }
    try readIndexed(entry)
    return knownSymbol(name) != nil
  }

  /// Reads the definition of a tag from the index, and returns whether there is one.
  mutating func readIndexed(tag name: Name) throws(SyntaxFailure) -> Bool {
    guard let entry = index?.find(.tag, names.text(name)) else { return false }
    try readIndexed(entry)
    return tags[name] != nil
  }

  /// Reads the definition of a struct or union if it was not read yet.
  mutating func complete(_ record: Int32) throws(SyntaxFailure) {
    let node = records[Int(record)]
    guard index != nil, node.members == nil, !node.isBeingDefined, !node.name.isNone else { return }
    _ = try readIndexed(tag: node.name)
  }

  /// Appends bytes of the image to the source, and returns their range; nil if they are damaged.
  private mutating func append(_ range: Range<Int>) -> Range<Int>? {
    guard let bytes = index?.read(range) else { return nil }
    let start = source.count
    source += bytes
    indexedEnd = source.count
    return start..<source.count
  }

  // MARK: Reading declarations of the image

  /// A declaration of the image, or another text, and how far it was searched for names that it needs.
  private struct Pending {
    var entry: DeclarationIndex.Entry?
    let tokens: [Token]
    var position = 0
    /// The last name whose declaration was asked for.
    var asked = -1
    /// Whether there are sizes in it: of members, of the elements of an array, or in the bound of one.
    private let hasSizes: Bool
    /// Whether the types of variables and functions may be needed: by `typeof`, `sizeof` or `_Generic`.
    let hasExpressions: Bool

    init(_ entry: DeclarationIndex.Entry? = nil, tokens: [Token]) {
      self.entry = entry
      self.tokens = tokens
      hasSizes = tokens.contains { $0.punctuatorOrNil == .openBrace || $0.punctuatorOrNil == .openBracket }
      hasExpressions = tokens.contains { [.typeof, .sizeOf, .alignOf, .generic].contains($0.keywordOrNil) }
    }

    /// Whether the size of the type that ends with a token may be needed, as that of what a pointer points to is not.
    func needsSize(after position: Int) -> Bool {
      guard hasSizes else { return false }
      var next = position + 1
      while next < tokens.count, tokens[next].keywordOrNil == .const || tokens[next].keywordOrNil == .volatile { next += 1 }
      return next >= tokens.count || tokens[next].punctuatorOrNil != .star
    }
  }

  /// Reads a declaration, after those that it needs.
  ///
  /// One that cannot be read any more is skipped, and has an entry in `skipped`. One that is read within another may be read
  /// later, as it has more room then.
  private mutating func readIndexed(_ entry: DeclarationIndex.Entry) throws(SyntaxFailure) {
    guard index?.readDeclarations.contains(entry.range.lowerBound) == false else { return }
    let (savedDepth, isWithin) = (depth, isReadingIndexed)
    defer { (depth, isReadingIndexed) = (savedDepth, isWithin) }
    // Most are read from a shallow place, and have the room that they had when the header was read.
    if depth <= Self.shallow, !isWithin { depth = 0 } else { try enter(Self.shallow) }
    isReadingIndexed = true
    index?.readDeclarations.insert(entry.range.lowerBound)
    do throws(SyntaxFailure) {
      guard let pending = try pending(entry) else { return }
      readNeeded(by: pending)
      try read(pending)
    } catch {
      if isWithin {
        index?.readDeclarations.remove(entry.range.lowerBound)
        throw error
      }
      let start = Int32(source.count)
      guard let range = append(entry.range) else { throw error }
      skipped.append(
        SkippedRange(
          range: DeclarationRange(start: start, end: Int32(range.upperBound), packing: 0), reason: error.reason, code: error.code))
      throw error
    }
  }

  /// The number of levels that a declaration is counted for which is read within another one.
  private static let shallow = 8

  /// Reads the declarations of the image that tokens need, each after those that it needs itself: not one within the other,
  /// as a chain of them may be longer than the stack.
  mutating func readNeeded(by tokens: [Token]) {
    if index != nil { readNeeded(by: Pending(tokens: tokens)) }
  }

  private mutating func readNeeded(by first: Pending) {
    var waiting = [first]
    while let last = waiting.indices.last {
      if let needed = nextNeeded(&waiting[last]) {
        guard index?.readDeclarations.insert(needed.range.lowerBound).inserted == true else { continue }
        if let pending = (try? pending(needed)) ?? nil { waiting.append(pending) }
      } else if let pending = waiting.popLast(), !waiting.isEmpty, let entry = pending.entry {
        // It may not be needed after all, or need one that waits. What does need it reads it again, and fails.
        if (try? read(pending)) == nil { index?.readDeclarations.remove(entry.range.lowerBound) }
      }
    }
  }

  /// Returns the next declaration of the image that a text may need: of a typedef, an enumerator or an enum, of a struct or
  /// union that is not behind a pointer, if the text may need its size, or of anything, if there are expressions with types.
  private mutating func nextNeeded(_ pending: inout Pending) -> DeclarationIndex.Entry? {
    while pending.position < pending.tokens.count {
      let position = pending.position
      let token = pending.tokens[position]
      pending.position += 1
      var tag = Name.none
      if token.kind == .name {
        if let symbol = knownSymbol(token.name) {
          guard symbol.kind == .typedefName, pending.needsSize(after: position), case .record(let record) = node(symbol.type),
            records[Int(record)].members == nil
          else { continue }
          tag = records[Int(record)].name
        } else if pending.asked < position, let entry = index?.find(.symbol, names.text(token.name)),
          pending.hasExpressions || entry.symbol == .typedefName || entry.symbol == .enumerator,
          index?.readDeclarations.contains(entry.range.lowerBound) == false
        {
          // Searched again after it is read, for the struct that it names.
          (pending.asked, pending.position) = (position, position)
          return entry
        }
      } else if token.kind == .keyword, [.structKeyword, .unionKeyword, .enumKeyword].contains(token.keyword) {
        guard position + 1 < pending.tokens.count, pending.tokens[position + 1].kind == .name else { continue }
        pending.position += 1
        if token.keyword == .enumKeyword || pending.needsSize(after: position + 1) { tag = pending.tokens[position + 1].name }
      }
      if !tag.isNone, let entry = index?.find(.tag, names.text(tag)) { return entry }
    }
    return nil
  }

  /// Splits a declaration of the image into tokens; nil if its bytes are damaged.
  private mutating func pending(_ entry: DeclarationIndex.Entry) throws(SyntaxFailure) -> Pending? {
    guard let range = append(entry.range) else { return nil }
    var lexer = Lexer(source, range)
    try lexer.run(&names)
    comparisons += lexer.tokens.count
    return Pending(entry, tokens: lexer.tokens)
  }

  private mutating func read(_ pending: Pending) throws(SyntaxFailure) {
    guard let entry = pending.entry else { return }
    let saved = (tokens, position, parameterDepth, packing, pragmas, isUnevaluated, currentDeclaration, isSingle)
    defer { (tokens, position, parameterDepth, packing, pragmas, isUnevaluated, currentDeclaration, isSingle) = saved }
    (tokens, position, parameterDepth, isUnevaluated, isSingle) = (pending.tokens, 0, 0, false, false)
    (packing, pragmas) = (entry.packing, entry.pragmas)
    do throws(SyntaxFailure) {
      while token.kind != .end { try readDeclaration() }
    } catch {
      // What precedes the failure is declared, as it was when the header was read.
      guard entry.isSkipped else { throw error }
      if let last = declarations.indices.last { declarations[last].end = tokens[tokens.count - 1].end }
    }
  }

  /// The definition of a macro, or nil.
  mutating func macro(_ name: Name) -> MacroDefinition? {
    if let known = knownMacro(name) { return known }
    guard let entry = index?.find(.macro, names.text(name)), let body = append(entry.range) else { return nil }
    let macro = MacroDefinition(name: name, body: body, parameters: entry.parameters.flatMap { append($0) })
    setMacro(macro)
    return macro
  }

  /// Runs a body with a copy of the reader, which is not kept.
  mutating func withCopy<Result>(_ body: (inout DeclarationReader) -> Result) -> Result {
    var copy = self
    defer { index?.formDamage(copy.index) }
    return body(&copy)
  }
}
