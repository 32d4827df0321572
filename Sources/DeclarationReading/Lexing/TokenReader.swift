import TypeEncodings

/// The tokens of a part of a source, how far they were read, and the nesting of what is read.
final class TokenReader {
  /// The maximum nesting of declarators, records and expressions.
  static let deepest = TypeEncoding.Limits.nesting
  /// The maximum size of a source, in bytes.
  static let longestSource = 1 << 26

  var source: [UInt8]
  private var tokens: [Token] = []
  private var pragmas: [Pragma] = []
  /// The number of pragmas that were taken.
  private var pragmaCount = 0
  var position = 0
  private(set) var depth = 0

  init(_ source: [UInt8]) { self.source = source }

  /// Creates a reader of the same source, which has no tokens yet.
  convenience init(copying other: TokenReader) { self.init(other.source) }

  // MARK: Parts of a source

  /// Begins to read the tokens of a lexer.
  func begin(_ lexer: Lexer) {
    (tokens, pragmas, pragmaCount, position) = (lexer.tokens, lexer.pragmas, 0, 0)
  }

  /// Ends reading, so that tokens of the source take no memory.
  func end() {
    (tokens, pragmas, pragmaCount, position) = ([Token(kind: .end, offset: Int32(source.count), end: Int32(source.count))], [], 0, 0)
  }

  /// Tokens of which the rest is read later.
  struct Waiting {
    fileprivate var tokens: [Token]
    fileprivate var pragmas: [Pragma]
    fileprivate var pragmaCount: Int
    fileprivate var position: Int
    fileprivate var depth: Int
  }

  /// Begins to read other tokens.
  ///
  /// - Parameter keepsDepth: Whether they are nested in what is read now.
  func interrupt(by others: [Token], keepsDepth: Bool) -> Waiting {
    let waiting = Waiting(tokens: tokens, pragmas: pragmas, pragmaCount: pragmaCount, position: position, depth: depth)
    (tokens, pragmas, pragmaCount, position) = (others, [], 0, 0)
    if !keepsDepth { depth = 0 }
    return waiting
  }

  /// Goes on with tokens that waited.
  func resume(_ waiting: Waiting) {
    (tokens, pragmas, pragmaCount) = (waiting.tokens, waiting.pragmas, waiting.pragmaCount)
    (position, depth) = (waiting.position, waiting.depth)
  }

  // MARK: Tokens

  var count: Int { tokens.count }

  subscript(position: Int) -> Token { tokens[position] }

  var current: Token { tokens[position] }

  /// The token after the current one.
  var following: Token { tokens[min(position + 1, tokens.count - 1)] }

  /// The offset after the last token that was read.
  var endOfLast: Int32 { tokens[max(0, position - 1)].end }

  var isAtEnd: Bool { current.kind == .end }

  func advance() { if position < tokens.count - 1 { position += 1 } }

  func isNext(_ punctuator: Punctuator) -> Bool { current.kind == .punctuator && current.punctuator == punctuator }

  func isNext(_ keyword: Keyword) -> Bool { current.kind == .keyword && current.keyword == keyword }

  /// Skips a punctuator if it is the current token.
  func take(_ punctuator: Punctuator) -> Bool {
    guard isNext(punctuator) else { return false }
    advance()
    return true
  }

  func take(_ keyword: Keyword) -> Bool {
    guard isNext(keyword) else { return false }
    advance()
    return true
  }

  func expect(_ punctuator: Punctuator, _ what: String) throws(SyntaxFailure) {
    guard take(punctuator) else { throw expected(what) }
  }

  /// Returns the next pragma before the current token, once.
  func takePragma() -> Pragma? {
    guard pragmaCount < pragmas.count, pragmas[pragmaCount].position <= position else { return nil }
    pragmaCount += 1
    return pragmas[pragmaCount - 1]
  }

  /// The bytes of a token.
  func bytes(_ token: Token) -> ArraySlice<UInt8> { source[Int(token.offset)..<Int(token.end)] }

  // MARK: Groups

  func skipParentheses() throws(SyntaxFailure) { try skip(.openParenthesis, .closeParenthesis, "(") }
  func skipBraces() throws(SyntaxFailure) { try skip(.openBrace, .closeBrace, "{") }
  func skipBrackets() throws(SyntaxFailure) { try skip(.openBracket, .closeBracket, "[") }

  /// Skips a bracketed group whose opening bracket is the current token.
  private func skip(_ open: Punctuator, _ close: Punctuator, _ what: String) throws(SyntaxFailure) {
    let start = current
    guard isNext(open) else { throw expected("'\(what)'") }
    var count = 0
    repeat {
      guard !isAtEnd else { throw failure("the '\(what)' is not closed", at: start) }
      if isNext(open) { count += 1 }
      if isNext(close) { count -= 1 }
      advance()
    } while count > 0
  }

  /// Skips the tokens up to one of some punctuators that is not in brackets.
  ///
  /// - Parameter what: What is expected at the end of the source.
  func skip(to ends: [Punctuator], _ what: String) throws(SyntaxFailure) {
    while !(current.kind == .punctuator && ends.contains(current.punctuator)) {
      guard !isAtEnd else { throw expected(what) }
      switch current.punctuatorOrNil {
      case .openParenthesis: try skipParentheses()
      case .openBrace: try skipBraces()
      case .openBracket: try skipBrackets()
      default: advance()
      }
    }
  }

  /// Skips a token, or a group in brackets of any kind, to the end of the source if it is not closed.
  func skipGroup() {
    var open = 0
    repeat {
      if current.kind == .punctuator {
        if [.openParenthesis, .openBrace, .openBracket].contains(current.punctuator) { open += 1 }
        if [.closeParenthesis, .closeBrace, .closeBracket].contains(current.punctuator) { open -= 1 }
      }
      advance()
    } while open > 0 && !isAtEnd
  }

  // MARK: Nesting

  /// Begins a part that may contain itself; `leave(_:)` ends it.
  ///
  /// - Parameter cost: The number of levels that it counts for: more for a part that needs more of the stack.
  func enter(_ cost: Int = 1) throws(SyntaxFailure) {
    guard depth + cost <= Self.deepest else { throw tooDeep() }
    depth += cost
  }

  func leave(_ cost: Int = 1) { depth -= cost }

  func tooDeep() -> SyntaxFailure { .tooDeep(at: current) }

  // MARK: Errors

  /// The text of a token, or a description of the end.
  func text(_ token: Token) -> String {
    guard token.kind != .end else { return "the end" }
    return "'" + String(decoding: bytes(token), as: UTF8.self).shortened(to: 60) + "'"
  }

  func expected(_ what: String) -> SyntaxFailure { failure("expected \(what), found \(text(current))") }

  func failure(_ reason: String, at token: Token? = nil, code: InvocationError.Code = .malformedDeclaration) -> SyntaxFailure {
    SyntaxFailure(reason, at: token ?? current, code: code)
  }

  /// Returns the failure of a construct that only C++ has.
  func cPlusPlus(_ what: String, at token: Token? = nil) -> SyntaxFailure {
    SyntaxFailure("\(what) is C++: only declarations of C are read", at: token ?? current, isCPlusPlus: true)
  }

  /// Returns the location of an offset as text, for a message that refers to another declaration.
  func location(_ offset: Int32) -> String { SourceLocation(of: Int(offset), in: source).description }
}
