extension String {
  /// The text with escapes for the characters that a terminal or a log interprets: control characters, line ends, byte
  /// order marks, and characters that change the writing direction.
  ///
  /// Names and encodings may come from untrusted sources. A message that quotes them stays one line, and cannot imitate
  /// another message.
  ///
  /// - Complexity: O(*n*); allocates only if the text contains such a character.
  package var escaped: String {
    guard unicodeScalars.contains(where: \.isObeyed) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isObeyed { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// Returns the text, or its beginning and its end with `...` between them if it has more than `most` bytes.
  ///
  /// - Complexity: O(*most*), plus the time to count the bytes.
  package func shortened(to most: Int) -> String {
    let bytes = utf8
    guard bytes.count > most else { return self }
    let end = min(most / 4, 1_000)
    var head = bytes.index(startIndex, offsetBy: max(0, most - end - 3))
    while UTF8.isContinuation(bytes[head]), head > startIndex { head = bytes.index(before: head) }
    var tail = bytes.index(endIndex, offsetBy: -end)
    while tail < endIndex, UTF8.isContinuation(bytes[tail]) { tail = bytes.index(after: tail) }
    return self[..<head] + "..." + self[tail...]
  }
}

extension Unicode.Scalar {
  fileprivate var isObeyed: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // The marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9, section 2), and the byte
    // order mark. That mark is not shown: a name that begins with it looks like another name.
    default: properties.isBidiControl || value == 0xFEFF
    }
  }
}

extension Int {
  /// Returns the number with a noun, in the plural unless the number is one: `1 method`, `2 methods`.
  package func counted(_ noun: String, plural: String? = nil) -> String { "\(self) \(self == 1 ? noun : plural ?? noun + "s")" }
}

extension OptionSet where Element == Self, RawValue: FixedWidthInteger {
  /// Returns the names of the options in brackets; bits without a name are omitted.
  package func text(_ names: [(Self, String)]) -> String {
    "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
  }
}

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
