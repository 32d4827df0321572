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
  static let mostTokens = 10_000
  /// The maximum number of bytes that are read from bodies, and of bytes that are pasted and quoted.
  private static let mostBytes = 1 << 20

  private let macros: MacroTable
  /// The source, to which the texts of new tokens are appended.
  private var source: [UInt8] = []
  private var names = NameTable()
  /// The length of the source with what an expansion may add.
  private let limit: Int
  private var bytesLeft: Int
  private var tokensLeft: Int
  private var depth = 0

  private init(_ macros: MacroTable, limit: Int, most: Int) {
    (self.macros, self.limit, tokensLeft) = (macros, limit, most)
    bytesLeft = min(Self.mostBytes, 128 * most)
  }

  /// Returns tokens with the macros in them replaced; nil if they cannot be expanded.
  ///
  /// - Parameters:
  ///   - range: The tokens in the source.
  ///   - hidden: The macros that are not replaced.
  ///   - most: The maximum number of tokens.
  ///   - source: The source, to which the texts of new tokens are appended.
  static func expansion(
    of range: Range<Int>, hiding hidden: Set<Name> = [], in macros: MacroTable, most: Int = mostTokens, _ source: inout [UInt8],
    _ names: inout NameTable
  ) -> [Token]? {
    var expander = MacroExpander(macros, limit: source.count + mostBytes, most: most)
    swap(&expander.source, &source)
    swap(&expander.names, &names)
    defer {
      swap(&expander.source, &source)
      swap(&expander.names, &names)
    }
    return try? expander.expand(expander.split(range), hiding: hidden)
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

  /// What is expanded: the tokens that replace a macro are read before those that follow it.
  private struct Input {
    private var parts: [(tokens: ArraySlice<Token>, macro: Name)]
    /// The macros that are being replaced; the tokens that replace a macro do not expand it again.
    private(set) var hidden: Set<Name>

    init(_ tokens: [Token], hiding hidden: Set<Name>) { (parts, self.hidden) = ([(tokens[...], .none)], hidden) }

    /// Goes on with the tokens that replace a macro; the first one takes the white space before the macro's name.
    mutating func replace(_ macro: Token, by tokens: [Token]) {
      var tokens = tokens.isEmpty ? [.placemarker] : tokens
      tokens[0].followsSpace = macro.followsSpace
      hidden.insert(macro.name)
      parts.append((tokens[...], macro.name))
    }

    /// Returns the next token, with the white space before a macro that was replaced by nothing.
    mutating func next() -> Token? {
      var followsSpace = false
      while let last = parts.indices.last {
        guard var token = parts[last].tokens.popFirst() else {
          hidden.remove(parts[last].macro)
          parts.removeLast()
          continue
        }
        followsSpace = followsSpace || token.followsSpace
        guard token.kind != .end else { continue }
        token.followsSpace = followsSpace
        return token
      }
      return nil
    }
  }

  /// Returns tokens with the macros in them replaced, except for the hidden ones.
  private mutating func expand(_ tokens: [Token], hiding hidden: Set<Name>) throws(SyntaxFailure) -> [Token] {
    guard depth < TokenReader.deepest else { throw failure("nested deeper than \(TokenReader.deepest) levels", code: .limitExceeded) }
    depth += 1
    defer { depth -= 1 }
    var result: [Token] = []
    var input = Input(tokens, hiding: hidden)
    while var token = input.next() {
      try spend(1)
      guard token.isWord, !token.isFinal, let macro = macros[token.name], let body = macro.body else {
        result.append(token)
        continue
      }
      guard !input.hidden.contains(token.name) else {
        // Nor is it replaced later, where the macro is not hidden.
        token.isFinal = true
        result.append(token)
        continue
      }
      var (parameters, arguments, expanded): ([Name], [[Token]], [[Token]]) = ([], [], [])
      if let range = macro.parameters {
        var rest = input
        guard let found = self.arguments(&rest) else {
          result.append(token)
          continue
        }
        (input, arguments, parameters) = (rest, found, try parameterNames(range))
        for argument in arguments { expanded.append(try expand(argument, hiding: input.hidden)) }
      }
      input.replace(token, by: try substitute(try split(body), parameters, arguments, expanded))
    }
    return result
  }

  /// Reads the arguments of a macro; nil if no parenthesis follows, or if they do not end.
  private func arguments(_ input: inout Input) -> [[Token]]? {
    guard input.next()?.punctuatorOrNil == .openParenthesis else { return nil }
    var arguments: [[Token]] = [[]]
    var depth = 1
    while let token = input.next() {
      switch token.punctuatorOrNil {
      case .openParenthesis: depth += 1
      case .closeParenthesis:
        depth -= 1
        if depth == 0 { return arguments }
      case .comma where depth == 1:
        arguments.append([])
        continue
      default: break
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
    return tokens.filter(\.isWord).map(\.name)
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
    /// The tokens of an argument in the place of its parameter; the first token takes the parameter's white space.
    func placed(_ argument: [Token], _ parameter: Token) -> [Token] {
      var tokens = argument.isEmpty ? [.placemarker] : argument
      tokens[0].followsSpace = parameter.followsSpace
      return tokens
    }
    var result: [Token] = []
    var index = 0
    while index < body.count {
      let token = body[index]
      try spend(1)
      if token.punctuatorOrNil == .hash, index + 1 < body.count,
        let parameter = parameters.firstIndex(of: body[index + 1].name)
      {
        result.append(try quoted(arguments[parameter], followsSpace: token.followsSpace))
        index += 2
        continue
      }
      if isPaste(index), index + 1 < body.count, let left = result.popLast() {
        let next = body[index + 1]
        let parameter = parameters.firstIndex(of: next.name)
        let right = parameter.map { placed(arguments[$0], next) } ?? [next]
        result += try paste(left, right[0]) + right.dropFirst()
        index += 2
        continue
      }
      if let parameter = parameters.firstIndex(of: token.name) {
        let replacement = isPaste(index + 1) ? arguments[parameter] : expanded[parameter]
        tokensLeft -= replacement.count
        result += placed(replacement, token)
      } else {
        result.append(token)
      }
      index += 1
    }
    return result
  }

  /// Returns the token of two texts without a blank between them, whose bytes are appended to the source.
  private mutating func paste(_ left: Token, _ right: Token) throws(SyntaxFailure) -> [Token] {
    let start = source.count
    try requireRoom(Int(left.end - left.offset) + Int(right.end - right.offset))
    source += source[Int(left.offset)..<Int(left.end)] + source[Int(right.offset)..<Int(right.end)]
    var tokens = try split(start..<source.count)
    if tokens.isEmpty { tokens = [.placemarker] }
    tokens[0].followsSpace = left.followsSpace
    return tokens
  }

  private func requireRoom(_ count: Int) throws(SyntaxFailure) {
    guard source.count + count <= limit else {
      throw failure("a macro of more than \(Self.mostBytes) bytes", code: .limitExceeded)
    }
  }

  private mutating func quoted(_ tokens: [Token], followsSpace: Bool) throws(SyntaxFailure) -> Token {
    let start = source.count
    try requireRoom(tokens.reduce(2) { $0 + 1 + 2 * Int($1.end - $1.offset) })
    source.append(SourceByte.quote)
    for (index, token) in tokens.enumerated() {
      if index > 0, token.followsSpace { source.append(0x20) }
      for byte in Array(source[Int(token.offset)..<Int(token.end)]) {
        if byte == SourceByte.quote || byte == SourceByte.backslash, token.kind == .string || token.kind == .character {
          source.append(SourceByte.backslash)
        }
        source.append(byte)
      }
    }
    source.append(SourceByte.quote)
    return Token(kind: .string, followsSpace: followsSpace, offset: Int32(start), end: Int32(source.count))
  }
}
