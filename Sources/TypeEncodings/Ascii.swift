/// The ASCII characters used in type encodings.
enum Ascii {
  static let blank: UInt8 = 0x20
  static let exclamation: UInt8 = 0x21
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let percent: UInt8 = 0x25
  static let apostrophe: UInt8 = 0x27
  static let openParenthesis: UInt8 = 0x28
  static let closeParenthesis: UInt8 = 0x29
  static let star: UInt8 = 0x2A
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let zero: UInt8 = 0x30
  static let colon: UInt8 = 0x3A
  static let less: UInt8 = 0x3C
  static let equals: UInt8 = 0x3D
  static let greater: UInt8 = 0x3E
  static let question: UInt8 = 0x3F
  static let at: UInt8 = 0x40
  static let L: UInt8 = 0x4C
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
  static let caret: UInt8 = 0x5E
  static let b: UInt8 = 0x62
  static let j: UInt8 = 0x6A
  static let l: UInt8 = 0x6C
  static let void: UInt8 = 0x76
  static let openBrace: UInt8 = 0x7B
  static let closeBrace: UInt8 = 0x7D

  static func isDigit(_ character: UInt8) -> Bool { character >= zero && character <= zero + 9 }

  /// Returns the character in quotes, or its byte value if it is not printable.
  static func name(of character: UInt8) -> String {
    character > blank && character < 0x7F ? "'\(Character(Unicode.Scalar(character)))'" : "byte \(character)"
  }
}
