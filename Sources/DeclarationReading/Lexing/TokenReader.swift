import TypeEncodings

/// The tokens of a part of a source, how far they were read, and the nesting of what is read.
final class TokenReader {
  /// The maximum nesting of declarators, records and expressions.
  static let deepest = TypeEncoding.Limits.nesting
  /// The maximum size of a source, in bytes.
  static let longestSource = 1 << 26

  var source: [UInt8]
  private var state = State()

  /// What is read, and how far.
  struct State {
    fileprivate var tokens: [Token] = []
    fileprivate var pragmas: [Pragma] = []
    /// The number of pragmas that were taken.
    fileprivate var pragmaCount = 0
    fileprivate var position = 0
    fileprivate var depth = 0
  }

  init(_ source: [UInt8]) { self.source = source }

  // MARK: Parts of a source

  /// Begins to read the tokens of a lexer.
  func begin(_ lexer: Lexer) { state = State(tokens: lexer.tokens, pragmas: lexer.pragmas, depth: depth) }

  /// Ends reading, so that tokens of the source take no memory.
  func end() { state = State(tokens: [Token(kind: .end, offset: Int32(source.count), end: Int32(source.count))], depth: depth) }

  /// Begins to read other tokens, and returns what `resume(_:)` goes on with.
  ///
  /// - Parameter keepsDepth: Whether they are nested in what is read now.
  func interrupt(by others: [Token], keepsDepth: Bool) -> State {
    defer { state = State(tokens: others, depth: keepsDepth ? depth : 0) }
    return state
  }

  /// Goes on with tokens that waited.
  func resume(_ waiting: State) { state = waiting }

  // MARK: Tokens

  var position: Int {
    get { state.position }
    set { state.position = newValue }
  }

  var depth: Int { state.depth }

  subscript(position: Int) -> Token { state.tokens[position] }

  var current: Token { state.tokens[state.position] }

  /// The token after the current one.
  var following: Token { state.tokens[min(position + 1, state.tokens.count - 1)] }

  /// The offset after the last token that was read.
  var endOfLast: Int32 { state.tokens[max(0, position - 1)].end }

  var isAtEnd: Bool { current.kind == .end }

  func advance() { if position < state.tokens.count - 1 { position += 1 } }

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
    guard state.pragmaCount < state.pragmas.count, state.pragmas[state.pragmaCount].position <= position else { return nil }
    state.pragmaCount += 1
    return state.pragmas[state.pragmaCount - 1]
  }

  /// The bytes of a token.
  func bytes(_ token: Token) -> ArraySlice<UInt8> { source[Int(token.offset)..<Int(token.end)] }

  // MARK: Groups

  func skipParentheses() throws(SyntaxFailure) { try skip(.openParenthesis) }
  func skipBraces() throws(SyntaxFailure) { try skip(.openBrace) }

  /// Skips a group in brackets that begins at the current token.
  private func skip(_ first: Punctuator) throws(SyntaxFailure) {
    let start = current
    guard isNext(first) else { throw expected(first.quoted) }
    guard skipGroup() else { throw failure("the \(first.quoted) is not closed", at: start) }
  }

  /// Skips the tokens up to one of some punctuators that is not in brackets.
  ///
  /// - Parameter what: What is expected at the end of the source.
  func skip(to ends: [Punctuator], _ what: String) throws(SyntaxFailure) {
    while !(current.kind == .punctuator && ends.contains(current.punctuator)) {
      guard !isAtEnd else { throw expected(what) }
      let start = current
      guard skipGroup() else { throw failure("the \(start.punctuator.quoted) is not closed", at: start) }
    }
  }

  /// Skips a token, or a group in brackets of any kind, to the end of the source if it is not closed.
  ///
  /// - Returns: Whether it is closed.
  @discardableResult func skipGroup() -> Bool {
    var depth = 0
    repeat {
      switch current.punctuatorOrNil {
      case .openParenthesis, .openBrace, .openBracket: depth += 1
      case .closeParenthesis, .closeBrace, .closeBracket: depth -= 1
      default: break
      }
      advance()
    } while depth > 0 && !isAtEnd
    return depth <= 0
  }

  // MARK: Nesting

  /// Begins a part that may contain itself; `leave(_:)` ends it.
  ///
  /// - Parameter cost: The number of levels that it counts for: more for a part that needs more of the stack.
  func enter(_ cost: Int = 1) throws(SyntaxFailure) {
    guard depth + cost <= Self.deepest else { throw tooDeep() }
    state.depth += cost
  }

  func leave(_ cost: Int = 1) { state.depth -= cost }

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

/// A token of a source.
struct Token: Sendable {
  enum Kind: UInt8, Sendable {
    case name, keyword, number, string, character, punctuator, end
  }

  var kind: Kind
  /// The keyword, for that kind.
  var keyword: Keyword = .statement
  /// The punctuator, for that kind.
  var punctuator: Punctuator = .other
  /// Whether white space or the beginning of a line precedes it, which `#` in a macro keeps.
  var followsSpace = false
  /// Whether it is the name of a macro within its own expansion, which is not replaced.
  var isFinal = false
  /// The name of an identifier or of a keyword.
  var name: Name = .none
  /// The first byte in the source.
  var offset: Int32
  /// The offset after the last byte.
  var end: Int32
}

extension Token {
  /// No token, in the place of an empty argument or expansion of a macro.
  static let placemarker = Token(kind: .end, offset: 0, end: 0)

  /// The keyword, or nil for another token.
  var keywordOrNil: Keyword? { kind == .keyword ? keyword : nil }

  /// Whether it is a name or a keyword.
  var isWord: Bool { kind == .name || kind == .keyword }

  /// The punctuator, or nil for another token.
  var punctuatorOrNil: Punctuator? { kind == .punctuator ? punctuator : nil }

  /// Whether the token is the name of a floating-point type that headers declare for compilers without it.
  var isExtendedFloat: Bool {
    guard kind == .keyword else { return false }
    return [.float16, .float32, .float64, .float128, .float32x, .float64x].contains(keyword)
  }
}

/// A `#pragma` that changes declarations.
struct Pragma: Sendable {
  /// The index of the token that follows it.
  var position: Int
  /// The words after `#pragma`.
  var range: Range<Int>
  /// The number of directives before it that concern macros.
  var macroCount: Int
  /// What follows `pack`, with numbers in decimal digits: as gcc reads it, and as clang does, which replaces macros.
  var packing: (gcc: [String], clang: [String]) = ([], [])
}

/// A punctuator.
///
/// The raw value is the character of a punctuator of one character; for several characters, the sum of 128 and a number.
enum Punctuator: UInt8, Sendable {
  case openParenthesis = 0x28
  case closeParenthesis = 0x29
  case star = 0x2A
  case plus = 0x2B
  case comma = 0x2C
  case minus = 0x2D
  case dot = 0x2E
  case slash = 0x2F
  case colon = 0x3A
  case semicolon = 0x3B
  case less = 0x3C
  case equals = 0x3D
  case greater = 0x3E
  case question = 0x3F
  case openBracket = 0x5B
  case closeBracket = 0x5D
  case caret = 0x5E
  case openBrace = 0x7B
  case bar = 0x7C
  case closeBrace = 0x7D
  case tilde = 0x7E
  case exclamation = 0x21
  case percent = 0x25
  case ampersand = 0x26
  case hash = 0x23
  case ellipsis = 128
  case shiftLeft, shiftRight, lessOrEqual, greaterOrEqual, equal, notEqual, and, or, arrow, scope, hashHash
  case other = 255

  /// The texts of the punctuators of several characters, in their order.
  private static let longTexts = ["...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "::", "##"]

  /// The text in quotes, for messages.
  var quoted: String {
    let index = Int(rawValue) - Int(Punctuator.ellipsis.rawValue)
    return "'\(Self.longTexts.indices.contains(index) ? Self.longTexts[index] : String(UnicodeScalar(rawValue)))'"
  }
}

/// The keywords of C11 with GNU extensions, and the keywords that only C++ has.
enum Keyword: UInt8, CaseIterable, Sendable {
  case typedefKeyword, externKeyword, staticKeyword, constexprKeyword, storage, inlineKeyword, noReturn
  case const, volatile, restrict, atomic, nullability, segment, convention
  case void, char, short, int, long, float, double, signed, unsigned, bool, complex, imaginary
  case int128, int128Type, uint128Type, float16, float128, float32, float64, float32x, float64x, float80, brainFloat, storedHalf
  case decimal32, decimal64, decimal128, bitInt, vaList, autoType
  case structKeyword, unionKeyword, enumKeyword, typeof
  case attribute, alignAs, alignOf, extensionKeyword, asm, staticAssert, sizeOf, offsetOf, generic, declspec
  /// A statement, which is read only in the body of a function, and skipped there.
  case statement
  /// A keyword of C++ only.
  case cPlusPlus

  /// The spellings of each keyword.
  private static let spellings: [(Keyword, [String])] = [
    (.typedefKeyword, ["typedef"]), (.externKeyword, ["extern"]), (.staticKeyword, ["static"]), (.constexprKeyword, ["constexpr"]),
    (.storage, ["register", "auto", "_Thread_local", "__thread", "thread_local"]),
    (.inlineKeyword, ["inline", "__inline", "__inline__"]), (.noReturn, ["_Noreturn"]),
    (.const, ["const", "__const", "__const__"]), (.volatile, ["volatile", "__volatile", "__volatile__"]),
    (.restrict, ["restrict", "__restrict", "__restrict__"]), (.atomic, ["_Atomic"]), (.segment, ["__seg_fs", "__seg_gs"]),
    (.convention, ["__cdecl", "__stdcall", "__fastcall", "__thiscall", "__pascal", "__vectorcall", "__regcall"]),
    (.nullability, ["_Nonnull", "_Nullable", "_Null_unspecified", "_Nullable_result", "__nonnull", "__nullable", "__unaligned"]),
    (.void, ["void"]), (.char, ["char"]), (.short, ["short"]), (.int, ["int"]), (.long, ["long"]), (.float, ["float"]),
    (.double, ["double"]), (.signed, ["signed", "__signed", "__signed__"]), (.unsigned, ["unsigned", "__unsigned__"]),
    (.bool, ["_Bool"]), (.complex, ["_Complex", "__complex", "__complex__"]), (.imaginary, ["_Imaginary"]),
    (.int128, ["__int128"]), (.int128Type, ["__int128_t"]), (.uint128Type, ["__uint128_t"]),
    (.float16, ["_Float16"]), (.float128, ["_Float128", "__float128", "_Float64x128"]), (.float32, ["_Float32"]),
    (.float64, ["_Float64"]), (.float32x, ["_Float32x"]), (.float64x, ["_Float64x"]), (.float80, ["__float80"]), (.brainFloat, ["__bf16"]),
    (.storedHalf, ["__fp16"]),
    (.decimal32, ["_Decimal32"]), (.decimal64, ["_Decimal64"]), (.decimal128, ["_Decimal128"]), (.bitInt, ["_BitInt"]),
    (.vaList, ["__builtin_va_list", "__gnuc_va_list_builtin"]), (.autoType, ["__auto_type"]),
    (.structKeyword, ["struct"]), (.unionKeyword, ["union"]), (.enumKeyword, ["enum"]),
    (.typeof, ["typeof", "__typeof", "__typeof__", "typeof_unqual"]), (.attribute, ["__attribute__", "__attribute"]),
    (.alignAs, ["_Alignas", "alignas"]), (.alignOf, ["_Alignof", "alignof", "__alignof", "__alignof__"]),
    (.extensionKeyword, ["__extension__"]), (.asm, ["asm", "__asm", "__asm__"]),
    (.staticAssert, ["_Static_assert", "static_assert"]), (.sizeOf, ["sizeof"]), (.offsetOf, ["__builtin_offsetof", "offsetof"]),
    (.generic, ["_Generic"]), (.declspec, ["__declspec"]),
    (.statement, ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch", "while"]),
  ]

  /// Words that C programs also use as names: they are keywords of C++ only where a declaration begins.
  static let cPlusPlusWords: Set<String> = [
    "class", "template", "namespace", "using", "virtual", "operator", "public", "private", "protected", "friend", "mutable",
    "explicit", "typename", "constinit", "consteval", "concept", "decltype", "requires",
  ]

  /// Whether the keyword is a whole type, or one such as `int` and `char` to which sizes and signs are added.
  var isBase: Bool {
    switch self {
    case .void, .char, .int, .float, .double, .bool, .int128, .int128Type, .uint128Type, .float16, .float128, .float32, .float64,
      .float32x, .float64x, .float80, .brainFloat, .storedHalf, .decimal32, .decimal64, .decimal128, .vaList:
      true
    default: false
    }
  }

  /// A table with the keywords, and the keyword of each of its names.
  static let table: (names: NameTable, keywords: [Keyword]) = {
    var names = NameTable()
    var keywords: [Keyword] = []
    for (keyword, texts) in spellings {
      for text in texts {
        let name = names.intern(text)
        if Int(name.index) == keywords.count { keywords.append(keyword) }
      }
    }
    return (names, keywords)
  }()
}
