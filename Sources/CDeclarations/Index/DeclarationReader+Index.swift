import TypeEncodings

extension DeclarationReader {
  /// Returns the image of the source and of everything that was read.
  func image(attachment: [UInt8]) -> [UInt8] {
    var entries: [(name: String, entry: DeclarationIndex.Entry)] = []
    let incomplete = Set(skipped.map(\.range.start))
    func add(_ kind: DeclarationIndex.Kind, _ name: Name, _ declaration: Int32, _ symbol: Symbol.Kind = .variable) {
      guard !name.isNone, declaration >= 0 else { return }
      let range = declarations[Int(declaration)]
      entries.append(
        (
          names.text(name),
          DeclarationIndex.Entry(
            kind: kind, symbol: symbol, packing: range.packing, range: Int(range.start)..<Int(range.end),
            isSkipped: incomplete.contains(range.start))
        ))
    }
    for symbol in symbols { add(.symbol, symbol.name, symbol.declaration, symbol.kind) }
    // The kind of a symbol tells the keyword of a tag.
    for record in records { add(.tag, record.name, record.declaration, record.isUnion ? .function : .typedefName) }
    for enumeration in enumerations { add(.tag, enumeration.name, enumeration.declaration, .enumerator) }
    for (name, macro) in macros {
      guard let body = macro.body else { continue }
      entries.append((names.text(name), DeclarationIndex.Entry(kind: .macro, range: body, parameters: macro.parameters)))
    }
    for skipped in skipped {
      let range = Int(skipped.range.start)..<Int(skipped.range.end)
      let symbol: Symbol.Kind = skipped.code == .limitExceeded ? .function : .variable
      entries.append((skipped.reason, DeclarationIndex.Entry(kind: .skipped, symbol: symbol, range: range, isSkipped: true)))
    }
    return DeclarationIndex.image(source, entries, attachment: attachment)
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

  private mutating func readIndexed(_ entry: DeclarationIndex.Entry) throws(SyntaxFailure) {
    guard index?.readDeclarations.insert(entry.range.lowerBound).inserted == true else { return }
    let saved = (tokens, position, parameterDepth, packing, isUnevaluated, currentDeclaration)
    defer { (tokens, position, parameterDepth, packing, isUnevaluated, currentDeclaration) = saved }
    (parameterDepth, isUnevaluated) = (0, false)
    try nested { reader throws(SyntaxFailure) in
      try reader.split(entry.range)
      reader.packing = entry.packing
      do throws(SyntaxFailure) {
        while reader.token.kind != .end { try reader.readDeclaration() }
      } catch {
        // What precedes the failure is declared, as it was when the header was read.
        guard entry.isSkipped else { throw error }
        if let last = reader.declarations.indices.last { reader.declarations[last].end = Int32(entry.range.upperBound) }
      }
    }
  }

  /// The definition of a macro, or nil.
  mutating func macro(_ name: Name) -> MacroDefinition? {
    if let known = macros[name] { return known }
    guard let entry = index?.find(.macro, names.text(name)) else { return nil }
    let macro = MacroDefinition(name: name, body: entry.range, parameters: entry.parameters)
    macros[name] = macro
    return macro
  }
}
