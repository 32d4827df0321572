import TypeEncodings

/// Splits a C source into tokens, and stores the macros that it defines.
///
/// Comments and line continuations are blanks. Of the directives, line markers, `#pragma`, `#define` and `#undef` are
/// read; any other is an error, since the text was not preprocessed.
struct Lexer {
  private let source: [UInt8]
  private let end: Int
  private var position: Int
  private var isAtLineStart: Bool
  private let keywords = Keyword.table.keywords
  private(set) var tokens: [Token] = []
  /// The pragmas that change declarations, in order.
  var pragmas: [Pragma] = []
  /// The definitions of macros, in order; a range without bytes after the name removes the macro.
  private(set) var macros: [MacroDefinition] = []

  /// Creates a lexer.
  ///
  /// - Parameter readsDirectives: Whether a `#` at the beginning of a line begins a directive; in a macro's body it does not.
  init(_ source: [UInt8], _ range: Range<Int>, readsDirectives: Bool = true) {
    self.source = source
    isAtLineStart = readsDirectives
    position = range.lowerBound
    end = range.upperBound
    tokens.reserveCapacity(range.count / 5 + 8)
  }

  /// Reads all tokens; the last one has the kind `end`.
  mutating func run(_ names: inout NameTable) throws(SyntaxFailure) {
    while true {
      let before = position
      try skipBlanks()
      guard position < end else { break }
      let followsSpace = position > before
      let byte = source[position]
      if byte == SourceByte.hash, isAtLineStart {
        try directive(&names)
        continue
      }
      isAtLineStart = false
      try token(byte, &names)
      tokens[tokens.count - 1].followsSpace = followsSpace
    }
    tokens.append(Token(kind: .end, offset: Int32(end), end: Int32(end)))
  }

  private mutating func token(_ byte: UInt8, _ names: inout NameTable) throws(SyntaxFailure) {
    let start = position
    if SourceByte.beginsName(byte) {
      // A prefix of a literal is part of it.
      if let quote = literalPrefix() {
        position = quote
        return try literal(from: start)
      }
      position += 1
      var hash = NameTable.combine(NameTable.seed, byte)
      while position < end {
        let byte = source[position]
        guard SourceByte.continuesName(byte) else { break }
        hash = NameTable.combine(hash, byte)
        position += 1
      }
      let name = names.intern(source, start..<position, hash: hash)
      let isKeyword = Int(name.index) < keywords.count
      tokens.append(
        Token(
          kind: isKeyword ? .keyword : .name, keyword: isKeyword ? keywords[Int(name.index)] : .statement, name: name,
          offset: Int32(start), end: Int32(position)))
    } else if SourceByte.isDigit(byte) || byte == SourceByte.dot && position + 1 < end && SourceByte.isDigit(source[position + 1]) {
      number()
      tokens.append(Token(kind: .number, offset: Int32(start), end: Int32(position)))
    } else if byte == SourceByte.quote || byte == SourceByte.apostrophe {
      try literal(from: start)
    } else {
      let punctuator = punctuator(byte)
      tokens.append(Token(kind: .punctuator, punctuator: punctuator, offset: Int32(start), end: Int32(position)))
    }
  }

  /// Returns the offset of the quote after a prefix `L`, `u`, `U` or `u8`, or nil.
  private func literalPrefix() -> Int? {
    var quote = position + 1
    switch source[position] {
    case 0x4C, 0x55: break
    case 0x75: if quote < end, source[quote] == 0x38 { quote += 1 }
    default: return nil
    }
    guard quote < end, source[quote] == SourceByte.quote || source[quote] == SourceByte.apostrophe else { return nil }
    return quote
  }

  /// Reads a preprocessing number, which is checked where its value is needed.
  private mutating func number() {
    position += 1
    while position < end {
      let byte = source[position]
      let isSign = byte == SourceByte.plus || byte == SourceByte.minus
      if isSign, [0x65, 0x45, 0x70, 0x50].contains(source[position - 1]) {
        position += 1
      } else if SourceByte.continuesName(byte) || byte == SourceByte.dot {
        position += 1
      } else if byte == SourceByte.apostrophe, position + 1 < end, SourceByte.continuesName(source[position + 1]) {
        // A digit separator of C23.
        position += 2
      } else {
        break
      }
    }
  }

  private mutating func literal(from start: Int) throws(SyntaxFailure) {
    let quote = source[position]
    position += 1
    while position < end, source[position] != quote {
      guard source[position] != SourceByte.newline else { break }
      position += source[position] == SourceByte.backslash ? 2 : 1
    }
    guard position < end, source[position] == quote else {
      throw SyntaxFailure("the literal is not closed on its line", at: start, length: 1)
    }
    position += 1
    tokens.append(Token(kind: quote == SourceByte.quote ? .string : .character, offset: Int32(start), end: Int32(position)))
  }

  private func byte(_ distance: Int) -> UInt8 { position + distance < end ? source[position + distance] : 0 }

  private mutating func punctuator(_ byte: UInt8) -> Punctuator {
    let next = self.byte(1)
    func take(_ length: Int, _ punctuator: Punctuator) -> Punctuator {
      position += length
      return punctuator
    }
    switch (byte, next) {
    case (0x2E, 0x2E) where self.byte(2) == 0x2E: return take(3, .ellipsis)
    case (0x3C, 0x3C): return take(2, .shiftLeft)
    case (0x3E, 0x3E): return take(2, .shiftRight)
    case (0x3C, 0x3D): return take(2, .lessOrEqual)
    case (0x3E, 0x3D): return take(2, .greaterOrEqual)
    case (0x3D, 0x3D): return take(2, .equal)
    case (0x21, 0x3D): return take(2, .notEqual)
    case (0x26, 0x26): return take(2, .and)
    case (0x7C, 0x7C): return take(2, .or)
    case (0x2D, 0x3E): return take(2, .arrow)
    case (0x3A, 0x3A): return take(2, .scope)
    case (0x23, 0x23): return take(2, .hashHash)
    default: return take(1, byte < 128 ? Punctuator(rawValue: byte) ?? .other : .other)
    }
  }

  // MARK: Blanks

  private mutating func skipBlanks() throws(SyntaxFailure) {
    while position < end {
      switch source[position] {
      case SourceByte.newline:
        isAtLineStart = true
        position += 1
      case 0x20, 0x09, 0x0D, 0x0B, 0x0C: position += 1
      case SourceByte.backslash where byte(1) == SourceByte.newline: position += 2
      case SourceByte.backslash where byte(1) == 0x0D && byte(2) == SourceByte.newline: position += 3
      case 0x2F where byte(1) == 0x2A: try skipComment()
      case 0x2F where byte(1) == 0x2F: skipLine()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(SyntaxFailure) {
    let start = position
    position += 2
    while position + 1 < end {
      if source[position] == 0x2A, source[position + 1] == 0x2F {
        position += 2
        return
      }
      position += 1
    }
    throw SyntaxFailure("the comment is not closed", at: start, length: 2)
  }

  /// Skips the rest of a logical line.
  private mutating func skipLine() {
    while position < end, source[position] != SourceByte.newline {
      position += source[position] == SourceByte.backslash ? 2 : 1
    }
    position = min(position, end)
  }

  // MARK: Directives

  private mutating func skipHorizontal() {
    while position < end, source[position] == 0x20 || source[position] == 0x09 { position += 1 }
  }

  private mutating func word() -> Range<Int> {
    skipHorizontal()
    let start = position
    while position < end, SourceByte.continuesName(source[position]) { position += 1 }
    return start..<position
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

  private mutating func directive(_ names: inout NameTable) throws(SyntaxFailure) {
    let start = position
    position += 1
    let word = word()
    switch text(word) {
    case "define": return try define(start, &names)
    case "undef":
      let name = self.word()
      if !name.isEmpty { macros.append(MacroDefinition(name: names.intern(source, name), body: nil, parameters: nil)) }
    case "pragma":
      let pragma = self.word()
      switch text(pragma) {
      case "push_macro": storeMacro(.push, &names)
      case "pop_macro": storeMacro(.pop, &names)
      case "pack", "ms_struct", "scalar_storage_order", "options", "align", "redefine_extname", "clang":
        skipLine()
        pragmas.append(Pragma(position: tokens.count, range: pragma.lowerBound..<position, macroCount: macros.count))
        return
      default: break
      }
    // Directives without effect, and line markers.
    case "", "line", "ident", "sccs", "warning": break
    case _ where SourceByte.isDigit(source[word.lowerBound]): break
    case let text:
      throw SyntaxFailure(
        "#\(text) is read by a preprocessor only: create the declarations from the header, or leave the directive out",
        at: start, length: word.upperBound - start)
    }
    skipLine()
  }

  /// Reads the arguments of `#pragma push_macro("NAME")` and `#pragma pop_macro("NAME")`.
  private mutating func storeMacro(_ operation: MacroDefinition.Operation, _ names: inout NameTable) {
    while position < end, source[position] == 0x20 || source[position] == 0x28 || source[position] == SourceByte.quote { position += 1 }
    let name = word()
    guard !name.isEmpty else { return }
    macros.append(MacroDefinition(name: names.intern(source, name), body: nil, parameters: nil, operation: operation))
  }

  private mutating func define(_ start: Int, _ names: inout NameTable) throws(SyntaxFailure) {
    let name = word()
    guard !name.isEmpty else { throw SyntaxFailure("expected the name of a macro", at: position, length: 1) }
    var parameters: Range<Int>?
    if position < end, source[position] == 0x28 {
      let first = position + 1
      while position < end, source[position] != 0x29, source[position] != SourceByte.newline { position += 1 }
      guard position < end, source[position] == 0x29 else {
        throw SyntaxFailure("expected ')' after the parameters of a macro", at: position, length: 1)
      }
      parameters = first..<position
      position += 1
    }
    let body = position
    skipLine()
    macros.append(MacroDefinition(name: names.intern(source, name), body: body..<position, parameters: parameters))
  }
}

/// A `#define`, or an `#undef` if it has no body, or a pragma that stores the definition or returns to one.
struct MacroDefinition: Sendable {
  enum Operation: Sendable {
    case define, push, pop
  }

  var name: Name
  var body: Range<Int>?
  var parameters: Range<Int>?
  var operation = Operation.define
}

/// The characters that the lexer distinguishes.
enum SourceByte {
  static let newline: UInt8 = 0x0A
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let apostrophe: UInt8 = 0x27
  static let plus: UInt8 = 0x2B
  static let minus: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let backslash: UInt8 = 0x5C

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func beginsName(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte == 0x24 || byte >= 0x80 }

  static func continuesName(_ byte: UInt8) -> Bool { beginsName(byte) || isDigit(byte) }
}

/// An error in a source of declarations, at an offset.
///
/// A class, because in a debug build each call reserves room on the stack for the error that it may throw.
package final class SyntaxFailure: Error {
  package let reason: String
  package let offset: Int
  let length: Int
  let code: InvocationError.Code
  /// Whether the source is C++, so that nothing else in it is read.
  let isCPlusPlus: Bool

  init(_ reason: String, at offset: Int, length: Int, code: InvocationError.Code = .malformedDeclaration, isCPlusPlus: Bool = false) {
    self.reason = reason
    self.offset = offset
    self.length = length
    self.code = code
    self.isCPlusPlus = isCPlusPlus
  }

  /// A failure at a token.
  convenience init(_ reason: String, at token: Token, code: InvocationError.Code = .malformedDeclaration, isCPlusPlus: Bool = false) {
    self.init(reason, at: Int(token.offset), length: Int(token.end - token.offset), code: code, isCPlusPlus: isCPlusPlus)
  }

  static func tooDeep(at token: Token) -> SyntaxFailure {
    SyntaxFailure("nested deeper than \(TokenReader.deepest) levels", at: token, code: .limitExceeded)
  }
}

/// The file, line and column of an offset, after the line markers of a preprocessor.
struct SourceLocation: Sendable {
  /// The file that the line markers name, or nil.
  var file: String?
  var line = 1
  var column = 1

  private var offset = 0

  /// - Complexity: O(bytes before the offset).
  init(of offset: Int, in source: [UInt8]) {
    if source.first == SourceByte.hash { readMarker(source, 1) }
    advance(to: offset, in: source)
  }

  /// Advances to an offset that is not less than the offset of this location.
  ///
  /// - Complexity: O(bytes between both).
  mutating func advance(to offset: Int, in source: [UInt8]) {
    var index = self.offset
    let end = min(offset, source.count)
    while index < end {
      let byte = source[index]
      index += 1
      guard byte == SourceByte.newline else {
        // Columns count characters.
        if byte & 0xC0 != 0x80 { column += 1 }
        continue
      }
      (line, column) = (line + 1, 1)
      if index < source.count, source[index] == SourceByte.hash { readMarker(source, index + 1) }
    }
    self.offset = index
  }

  func isBefore(_ offset: Int) -> Bool { self.offset <= offset }

  /// Reads a line marker `# 12 "file" flags`; the number is the next line's.
  private mutating func readMarker(_ source: [UInt8], _ start: Int) {
    var index = start
    while index < source.count, source[index] == 0x20 { index += 1 }
    var number = 0
    let digits = index
    while index < source.count, SourceByte.isDigit(source[index]), number < 1 << 30 {
      number = 10 * number + Int(source[index] - 0x30)
      index += 1
    }
    guard index > digits, index + 1 < source.count, source[index] == 0x20, source[index + 1] == SourceByte.quote else { return }
    let name = index + 2
    index = name
    while index < source.count, source[index] != SourceByte.quote, source[index] != SourceByte.newline { index += 1 }
    file = String(decoding: source[name..<index], as: UTF8.self)
    line = number - 1
  }

  /// `zlib.h:12:5`, or `line 12, column 5` for a text.
  var description: String { file.map { "\($0):\(line):\(column)" } ?? "line \(line), column \(column)" }
}
