import TypeEncodings

extension DeclarationReader {
  /// The maximum number of declarations that are skipped; the next one is an error.
  static let mostSkipped = 1_000

  /// Skips a declaration that cannot be read, and stores the reason.
  ///
  /// The declaration ends with the first semicolon outside of brackets, or with the body of a function.
  mutating func skipDeclaration(from start: Int, _ failure: SyntaxFailure, packing: Int) throws(SyntaxFailure) {
    guard skipped.count < Self.mostSkipped else { throw failure }
    let reached = position
    var range = DeclarationRange(start: tokens[start].offset, end: tokens[start].end, packing: packing)
    // What was read of the declaration has its number.
    if let last = declarations.indices.last, declarations[last].start == range.start { currentDeclaration = Int32(last) }
    position = start
    var isAttribute = false
    var endsWithParenthesis = false
    while token.kind != .end {
      let opened = token
      let isBody = isNext(.openBrace) && endsWithParenthesis
      let beginsAttribute = opened.kind == .keyword && [.attribute, .alignAs, .declspec, .asm].contains(opened.keyword)
      // Attributes may follow the parameters, and have parentheses themselves.
      if isNext(.openParenthesis) {
        endsWithParenthesis = endsWithParenthesis || !isAttribute
      } else if !beginsAttribute {
        endsWithParenthesis = false
      }
      isAttribute = beginsAttribute
      try skipGroup(after: reached)
      if endsWithParenthesis { while isParameterOfDefinition { try skipStatement(after: reached) } }
      range.end = tokens[max(0, position - 1)].end
      if isBody || opened.kind == .punctuator && opened.punctuator == .semicolon { break }
    }
    if currentDeclaration >= 0, declarations[Int(currentDeclaration)].start == range.start {
      range.pragmas = declarations[Int(currentDeclaration)].pragmas
      declarations[Int(currentDeclaration)] = range
    }
    skipped.append(
      SkippedRange(range: range, reason: "\(skippedLocation(failure.offset)): \(failure.reason)", code: failure.code))
  }

  /// The location of something that is skipped: many are found in order, so that the text is not read again for each.
  private mutating func skippedLocation(_ offset: Int) -> String {
    if let last = lastSkipped, last.isBefore(offset) {
      lastSkipped?.advance(to: offset, in: source)
    } else {
      lastSkipped = SourceLocation(of: offset, in: source)
    }
    return lastSkipped?.description ?? ""
  }

  /// Ignores a pragma that cannot be applied, and stores the reason.
  mutating func skipPragma(_ failure: SyntaxFailure) throws(SyntaxFailure) {
    guard skipsFailures, skipped.count < Self.mostSkipped else { throw failure }
    let range = DeclarationRange(start: token.offset, end: token.end, packing: packing)
    skipped.append(SkippedRange(range: range, reason: "\(skippedLocation(Int(token.offset))): \(failure.reason)", code: failure.code))
  }

  /// Whether declarations of parameters follow, as in a definition as in K&R: `int f(a, b) int a; long b; { ... }`.
  private var isParameterOfDefinition: Bool {
    var index = position
    while tokens[index].kind == .name || tokens[index].kind == .keyword {
      let start = index
      while tokens[index].kind == .name || tokens[index].kind == .keyword || isPunctuator(index, [.star, .comma]) { index += 1 }
      guard isPunctuator(index, [.semicolon]), index > start + 1 else { return false }
      index += 1
      if isPunctuator(index, [.openBrace]) { return true }
    }
    return false
  }

  private func isPunctuator(_ index: Int, _ punctuators: [Punctuator]) -> Bool {
    tokens[index].kind == .punctuator && punctuators.contains(tokens[index].punctuator)
  }

  /// Skips the tokens up to a semicolon.
  private mutating func skipStatement(after reached: Int) throws(SyntaxFailure) {
    while !isNext(.semicolon), token.kind != .end { try skipGroup(after: reached) }
    try skipGroup(after: reached)
  }

  /// Skips a token, or a bracketed group.
  ///
  /// - Parameter reached: The token up to which pragmas have been applied.
  private mutating func skipGroup(after reached: Int) throws(SyntaxFailure) {
    var open = 0
    repeat {
      if token.kind == .punctuator {
        if [.openParenthesis, .openBrace, .openBracket].contains(token.punctuator) { open += 1 }
        if [.closeParenthesis, .closeBrace, .closeBracket].contains(token.punctuator) { open -= 1 }
      }
      if position < reached { position += 1 } else { try advance() }
    } while open > 0 && token.kind != .end
  }
}
