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
    func add(_ kind: DeclarationIndex.Kind, _ name: Name, _ declaration: Int32, _ symbol: Symbol.Kind = .variable) {
      guard !name.isNone, declaration >= 0 else { return }
      let range = declarations[Int(declaration)]
      writer.add(
        names.bytes(name),
        DeclarationIndex.Entry(
          kind: kind, symbol: symbol, packing: range.packing, range: Int(range.start)..<Int(range.end),
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
    return Int(name.index) < symbolOfName.count && symbolOfName[Int(name.index)] >= 0
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

  private mutating func readIndexed(_ entry: DeclarationIndex.Entry) throws(SyntaxFailure) {
    guard index?.readDeclarations.insert(entry.range.lowerBound).inserted == true, let range = append(entry.range) else { return }
    let saved = (tokens, position, parameterDepth, packing, isUnevaluated, currentDeclaration, isSingle)
    defer { (tokens, position, parameterDepth, packing, isUnevaluated, currentDeclaration, isSingle) = saved }
    (parameterDepth, isUnevaluated, isSingle) = (0, false, false)
    try nested { reader throws(SyntaxFailure) in
      try reader.split(range)
      reader.packing = entry.packing
      do throws(SyntaxFailure) {
        while reader.token.kind != .end { try reader.readDeclaration() }
      } catch {
        // What precedes the failure is declared, as it was when the header was read.
        guard entry.isSkipped else { throw error }
        if let last = reader.declarations.indices.last { reader.declarations[last].end = Int32(range.upperBound) }
      }
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
