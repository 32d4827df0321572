/// A token of a source.
struct Token: Sendable {
  enum Kind: UInt8, Sendable {
    case name, keyword, number, string, character, punctuator
    /// A `#pragma` that changes declarations, which is read where it stands; it begins with the word after `#pragma`.
    case pragma
    case end
  }

  var kind: Kind
  /// The keyword, for that kind.
  var keyword: Keyword = .statement
  /// The punctuator, for that kind.
  var punctuator: Punctuator = .other
  /// The name of an identifier or of a keyword.
  var name: Name = .none
  /// The first byte in the source.
  var offset: Int32
  /// The offset after the last byte.
  var end: Int32
}

extension Token {
  /// The keyword, or nil for another token.
  var keywordOrNil: Keyword? { kind == .keyword ? keyword : nil }

  /// The punctuator, or nil for another token.
  var punctuatorOrNil: Punctuator? { kind == .punctuator ? punctuator : nil }

  /// Whether the token is the name of a floating-point type that headers declare for compilers without it.
  var isExtendedFloat: Bool {
    guard kind == .keyword else { return false }
    return [.float16, .float32, .float64, .float128, .float32x, .float64x].contains(keyword)
  }
}

/// A punctuator.
///
/// The raw value is the character of one, and the sum of 128 and a number for one of several characters.
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
}
