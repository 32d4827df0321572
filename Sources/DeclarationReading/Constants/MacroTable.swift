import TypeEncodings

/// The macros of a source.
struct MacroTable: Sendable {
  /// The last definition of each name, in the order of the first ones.
  private var definitionOfName = ListByName<MacroDefinition>()
  /// The definitions that `#pragma push_macro` stored.
  private var pushed: [Name: [MacroDefinition]] = [:]

  var definitions: [MacroDefinition] { definitionOfName.all }

  /// The definition of a macro, or nil.
  subscript(name: Name) -> MacroDefinition? { definitionOfName[name] }

  /// Reads a directive: a definition, or a pragma that stores one or returns to one.
  mutating func apply(_ macro: MacroDefinition) {
    switch macro.operation {
    case .define: definitionOfName.set(macro, named: macro.name)
    case .push:
      let known = self[macro.name] ?? MacroDefinition(name: macro.name, body: nil, parameters: nil)
      pushed[macro.name, default: []].append(known)
    case .pop: if let stored = pushed[macro.name]?.popLast() { apply(stored) }
    }
  }
}

/// Expands macros as the preprocessor does.
///
/// Source: C11, section 6.10.3.
struct MacroExpander {
  /// The maximum number of tokens of an expansion.
  private static let mostTokens = 10_000
  /// The maximum number of bytes that are read of bodies, and of those that are pasted and quoted.
  private static let mostBytes = 1 << 20

  private let macros: MacroTable
  /// The source, to which the texts of new tokens are appended.
  private var source: [UInt8] = []
  private var names = NameTable()
  /// The length of the source with what an expansion may add.
  private let limit: Int
  private var bytesLeft = mostBytes
  private var tokensLeft = mostTokens
  private var depth = 0

  private init(_ macros: MacroTable, limit: Int) {
    self.macros = macros
    self.limit = limit
  }

  /// Returns the tokens of a macro without parameters; nil if it cannot be expanded.
  ///
  /// - Parameter source: The source, to which the texts of new tokens are appended.
  static func expansion(
    of name: Name, _ body: Range<Int>, in macros: MacroTable, _ source: inout [UInt8], _ names: inout NameTable
  ) -> [Token]? {
    var expander = MacroExpander(macros, limit: source.count + mostBytes)
    swap(&expander.source, &source)
    swap(&expander.names, &names)
    defer {
      swap(&expander.source, &source)
      swap(&expander.names, &names)
    }
    return try? expander.expand(expander.split(body), hiding: [name])
  }

  private func failure(_ reason: String, code: InvocationError.Code = .malformedDeclaration) -> SyntaxFailure {
    SyntaxFailure(reason, at: source.count, length: 0, code: code)
  }

  private mutating func spend(_ count: Int) throws(SyntaxFailure) {
    tokensLeft -= count
    guard tokensLeft > 0 else { throw failure("a macro of more than \(Self.mostTokens) tokens", code: .limitExceeded) }
  }

  private mutating func split(_ body: Range<Int>) throws(SyntaxFailure) -> [Token] {
    // A body without tokens takes time, too.
    bytesLeft -= body.count
    guard bytesLeft >= 0 else { throw failure("a macro of more than \(Self.mostBytes) bytes", code: .limitExceeded) }
    var lexer = Lexer(source, body, readsDirectives: false)
    try lexer.run(&names)
    return Array(lexer.tokens.dropLast())
  }

  /// Returns tokens with the macros in them replaced, except for the hidden ones.
  private mutating func expand(_ tokens: [Token], hiding: Set<Name>) throws(SyntaxFailure) -> [Token] {
    guard depth < TokenReader.deepest else { throw failure("nested deeper than \(TokenReader.deepest) levels", code: .limitExceeded) }
    depth += 1
    defer { depth -= 1 }
    var result: [Token] = []
    var index = 0
    while index < tokens.count {
      try spend(1)
      let token = tokens[index]
      index += 1
      guard token.kind == .name || token.kind == .keyword, !hiding.contains(token.name), let macro = macros[token.name],
        let body = macro.body
      else {
        result.append(token)
        continue
      }
      var replacement = try split(body)
      if let parameters = macro.parameters {
        guard index < tokens.count, tokens[index].punctuatorOrNil == .openParenthesis,
          let arguments = arguments(tokens, &index)
        else {
          result.append(token)
          continue
        }
        var expanded: [[Token]] = []
        for argument in arguments { expanded.append(try expand(argument, hiding: hiding)) }
        replacement = try substitute(replacement, try parameterNames(parameters), arguments, expanded)
      } else {
        replacement = try substitute(replacement, [], [], [])
      }
      result += try expand(replacement, hiding: hiding.union([token.name]))
    }
    return result
  }

  /// Reads the arguments of a macro from its opening parenthesis on; nil if they do not end.
  private func arguments(_ tokens: [Token], _ index: inout Int) -> [[Token]]? {
    var arguments: [[Token]] = [[]]
    var depth = 0
    var position = index
    while position < tokens.count {
      let token = tokens[position]
      position += 1
      if token.kind == .punctuator {
        switch token.punctuator {
        case .openParenthesis:
          depth += 1
          if depth == 1 { continue }
        case .closeParenthesis:
          depth -= 1
          if depth == 0 {
            index = position
            return arguments
          }
        case .comma where depth == 1:
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
    let tokens = try split(range)
    guard !tokens.contains(where: { $0.punctuatorOrNil == .ellipsis }) else {
      throw failure("a macro with a variable number of arguments is not a constant")
    }
    return tokens.filter { $0.kind == .name || $0.kind == .keyword }.map(\.name)
  }

  /// Replaces the parameters in the body of a macro, and pastes the operands of `##`.
  private mutating func substitute(
    _ body: [Token], _ parameters: [Name], _ arguments: [[Token]], _ expanded: [[Token]]
  ) throws(SyntaxFailure) -> [Token] {
    guard parameters.count == arguments.count || parameters.isEmpty && arguments.allSatisfy(\.isEmpty) else {
      throw failure("a macro with another number of arguments")
    }
    func isPaste(_ index: Int) -> Bool {
      index >= 0 && index < body.count && body[index].punctuatorOrNil == .hashHash
    }
    var result: [Token] = []
    var index = 0
    while index < body.count {
      let token = body[index]
      try spend(1)
      if token.punctuatorOrNil == .hash, index + 1 < body.count,
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
        tokensLeft -= replacement.count
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
    return try split(start..<source.count)
  }

  private func requireRoom(_ count: Int) throws(SyntaxFailure) {
    guard source.count + count <= limit else {
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
