import TypeEncodings

/// An error in a source of declarations, at an offset.
///
/// A class, as each call in a debug build has room on the stack for the error that it may throw.
final class SyntaxFailure: Error {
  let reason: String
  let offset: Int
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

  /// Goes on to an offset that is not before the one of this location.
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

  /// Reads a line marker `# 12 "file" flags`; the number is that of the next line.
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
