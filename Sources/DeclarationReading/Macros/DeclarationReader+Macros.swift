import TypeEncodings

/// Constants that macros define.
///
/// A macro is expanded as the preprocessor does (C11, section 6.10.3), and its tokens are evaluated as a constant
/// expression, or are string literals.
extension DeclarationReader {
  /// The maximum number of tokens of an expansion.
  private static let mostTokens = 10_000
  /// The maximum number of bytes that are pasted and quoted.
  private static let mostBytes = 1 << 20

  /// A value that a macro or an enumerator defines.
  enum ConstantValue: Sendable {
    case operand(Operand)
    case string([UInt8])
  }

  /// Returns the value of a macro; nil if it is not a constant.
  mutating func constant(ofMacro name: Name) -> ConstantValue? {
    guard let macro = macro(name), let body = macro.body, macro.parameters == nil else { return nil }
    let saved = (tokens, position, depth, parameterDepth, isUnevaluated)
    let length = source.count
    macroLimit = length + Self.mostBytes
    macroBytes = Self.mostBytes
    defer {
      (tokens, position, depth, parameterDepth, isUnevaluated) = saved
      // Tokens that were pasted are not needed any more, unless a declaration of the image follows them.
      source.removeSubrange(max(length, indexedEnd)...)
    }
    (depth, parameterDepth, isUnevaluated) = (0, 0, false)
    do throws(SyntaxFailure) {
      var budget = Self.mostTokens
      var expanded = try expand(try split(macro: body), hiding: [name], &budget)
      guard !expanded.isEmpty else { return nil }
      expanded.append(Token(kind: .end, offset: Int32(body.upperBound), end: Int32(body.upperBound)))
      tokens = expanded
      position = 0
      readNeeded(by: tokens)
      if let string = try stringConstant() { return .string(string) }
      let value = try expression()
      return token.kind == .end ? .operand(value) : nil
    } catch {
      return nil
    }
  }

  /// Adjacent string literals, if the expansion consists of them.
  private mutating func stringConstant() throws(SyntaxFailure) -> [UInt8]? {
    var parentheses = 0
    while isNext(.openParenthesis) {
      parentheses += 1
      position += 1
    }
    guard token.kind == .string else {
      position = 0
      return nil
    }
    var bytes: [UInt8] = []
    while token.kind == .string {
      guard source[Int(token.offset)] == SourceByte.quote || source[Int(token.offset)] == 0x75 else { return nil }
      bytes += try string(token)
      position += 1
    }
    while parentheses > 0, isNext(.closeParenthesis) {
      parentheses -= 1
      position += 1
    }
    guard parentheses == 0, token.kind == .end else { throw failure("the macro is not a constant") }
    return bytes
  }

  private mutating func split(macro body: Range<Int>) throws(SyntaxFailure) -> [Token] {
    // A body without tokens takes time, too.
    macroBytes -= body.count
    guard macroBytes >= 0 else { throw failure("a macro of more than \(Self.mostBytes) bytes", code: .limitExceeded) }
    var lexer = Lexer(source, body, readsDirectives: false)
    try lexer.run(&names)
    comparisons += lexer.tokens.count
    return Array(lexer.tokens.dropLast())
  }

  /// Returns tokens with the macros in them replaced, except for the hidden ones.
  private mutating func expand(_ tokens: [Token], hiding: Set<Name>, _ budget: inout Int) throws(SyntaxFailure) -> [Token] {
    try enter()
    defer { leave() }
    var result: [Token] = []
    var index = 0
    while index < tokens.count {
      budget -= 1
      guard budget > 0 else { throw failure("a macro of more than \(Self.mostTokens) tokens", code: .limitExceeded) }
      let token = tokens[index]
      index += 1
      guard token.kind == .name || token.kind == .keyword, !hiding.contains(token.name), let macro = macro(token.name),
        let body = macro.body
      else {
        result.append(token)
        continue
      }
      var replacement = try split(macro: body)
      if let parameters = macro.parameters {
        guard index < tokens.count, tokens[index].kind == .punctuator, tokens[index].punctuator == .openParenthesis,
          let arguments = arguments(tokens, &index)
        else {
          result.append(token)
          continue
        }
        var expanded: [[Token]] = []
        for argument in arguments { expanded.append(try expand(argument, hiding: hiding, &budget)) }
        replacement = try substitute(replacement, try parameterNames(parameters), arguments, expanded, &budget)
      } else {
        replacement = try substitute(replacement, [], [], [], &budget)
      }
      result += try expand(replacement, hiding: hiding.union([token.name]), &budget)
    }
    return result
  }

  /// Reads the arguments of a macro from its opening parenthesis on; nil if they do not end.
  private func arguments(_ tokens: [Token], _ index: inout Int) -> [[Token]]? {
    var arguments: [[Token]] = [[]]
    var open = 0
    var position = index
    while position < tokens.count {
      let token = tokens[position]
      position += 1
      if token.kind == .punctuator {
        switch token.punctuator {
        case .openParenthesis:
          open += 1
          if open == 1 { continue }
        case .closeParenthesis:
          open -= 1
          if open == 0 {
            index = position
            return arguments
          }
        case .comma where open == 1:
          arguments.append([])
          continue
        default: break
        }
      }
      arguments[arguments.count - 1].append(token)
    }
    return nil
  }

  private mutating func parameterNames(_ range: Range<Int>) throws(SyntaxFailure) -> [Name] {
    let tokens = try split(macro: range)
    guard !tokens.contains(where: { $0.kind == .punctuator && $0.punctuator == .ellipsis }) else {
      throw failure("a macro with a variable number of arguments is not a constant")
    }
    return tokens.filter { $0.kind == .name || $0.kind == .keyword }.map(\.name)
  }

  /// Replaces the parameters in the body of a macro, and pastes the operands of `##`.
  private mutating func substitute(
    _ body: [Token], _ parameters: [Name], _ arguments: [[Token]], _ expanded: [[Token]], _ budget: inout Int
  ) throws(SyntaxFailure) -> [Token] {
    guard parameters.count == arguments.count || parameters.isEmpty && arguments.allSatisfy(\.isEmpty) else {
      throw failure("a macro with another number of arguments")
    }
    func isPaste(_ index: Int) -> Bool {
      index >= 0 && index < body.count && body[index].kind == .punctuator && body[index].punctuator == .hashHash
    }
    var result: [Token] = []
    var index = 0
    while index < body.count {
      let token = body[index]
      budget -= 1
      guard budget > 0 else { throw failure("a macro of more than \(Self.mostTokens) tokens", code: .limitExceeded) }
      if token.kind == .punctuator, token.punctuator == .hash, index + 1 < body.count,
        let parameter = parameters.firstIndex(of: body[index + 1].name)
      {
        result.append(try quoted(arguments[parameter]))
        index += 2
        continue
      }
      if isPaste(index), index + 1 < body.count, let left = result.popLast() {
        let next = body[index + 1]
        var right = [next]
        if let parameter = parameters.firstIndex(of: next.name), next.kind == .name { right = arguments[parameter] }
        result += try paste(left, right.first) + right.dropFirst()
        index += 2
        continue
      }
      if token.kind == .name, let parameter = parameters.firstIndex(of: token.name) {
        let replacement = isPaste(index + 1) ? arguments[parameter] : expanded[parameter]
        budget -= replacement.count
        result += replacement
      } else {
        result.append(token)
      }
      index += 1
    }
    return result
  }

  /// Returns the token of two texts without a blank between them, whose bytes are appended to the source.
  private mutating func paste(_ left: Token, _ right: Token?) throws(SyntaxFailure) -> [Token] {
    guard let right else { return [left] }
    let start = source.count
    try requireRoom(Int(left.end - left.offset) + Int(right.end - right.offset))
    source += source[Int(left.offset)..<Int(left.end)] + source[Int(right.offset)..<Int(right.end)]
    return try split(macro: start..<source.count)
  }

  private func requireRoom(_ count: Int) throws(SyntaxFailure) {
    guard source.count + count <= macroLimit else {
      throw failure("a macro of more than \(Self.mostBytes) bytes", code: .limitExceeded)
    }
  }

  private mutating func quoted(_ tokens: [Token]) throws(SyntaxFailure) -> Token {
    let start = source.count
    try requireRoom(tokens.reduce(2) { $0 + 1 + 2 * Int($1.end - $1.offset) })
    source.append(SourceByte.quote)
    for (index, token) in tokens.enumerated() {
      if index > 0, tokens[index - 1].end < token.offset { source.append(0x20) }
      for byte in Array(source[Int(token.offset)..<Int(token.end)]) {
        if byte == SourceByte.quote || byte == SourceByte.backslash, token.kind == .string || token.kind == .character {
          source.append(SourceByte.backslash)
        }
        source.append(byte)
      }
    }
    source.append(SourceByte.quote)
    return Token(kind: .string, offset: Int32(start), end: Int32(source.count))
  }
}
