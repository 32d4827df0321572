extension SymbolParser {
  /// The most words of a mangled name that later identifiers refer to.
  private static let mostWords = 26

  /// Reads an identifier: a length and that many bytes, with words of earlier identifiers, or in Punycode.
  mutating func parseIdentifier() throws(SymbolRefusal) -> Node {
    var isPunycode = false
    var hasWords = false
    if take("0") {
      isPunycode = take("0")
      hasWords = !isPunycode
    }
    let start = Int32(tree.texts.count)
    repeat {
      while hasWords, Self.isLowercase(nextByte) || Self.isUppercase(nextByte) {
        let letter = try takeByte()
        let word = Int(letter | 0x20) - 0x61
        guard word < words.count else { throw malformed }
        if Self.isUppercase(letter) { hasWords = false }
        _ = tree.store(text[words[word]])
      }
      if take("0") { break }
      guard let count = try natural(), count > 0 else { throw malformed }
      if isPunycode { _ = take("_") }
      guard count <= text.count - position else { throw malformed }
      let part = position..<position + count
      if isPunycode {
        guard let decoded = Punycode.decode(text[part]) else { throw malformed }
        _ = tree.store(decoded.utf8)
      } else {
        _ = tree.store(text[part])
        addWords(of: part)
      }
      position = part.upperBound
    } while hasWords
    let end = Int32(tree.texts.count)
    // Words repeat at most 26 fragments, so the texts could grow faster than the name without this limit.
    guard end > start, end < 16 * Int32(Self.longestName) else { throw malformed }
    return addSubstitution(try make(.identifier, text: start..<end, children: []))
  }

  /// Notes the words of a part of an identifier: a word begins after `_` or with a capital that follows no capital.
  private mutating func addWords(of part: Range<Int>) {
    var start: Int?
    for offset in part.lowerBound...part.upperBound {
      let byte = offset < part.upperBound ? text[offset] : 0
      if let begun = start {
        let previous = text[offset - 1]
        let ends = byte == UInt8(ascii: "_") || byte == 0 || (!Self.isUppercase(previous) && Self.isUppercase(byte))
        if ends {
          if offset - begun >= 2, words.count < Self.mostWords { words.append(begun..<offset) }
          start = nil
        }
      }
      if start == nil, byte != 0, byte != UInt8(ascii: "_"), !Self.isDigit(byte) { start = offset }
    }
  }

  /// Reads the fixity of an operator, whose characters the identifier before it spells with letters.
  mutating func parseOperatorName() throws(SymbolRefusal) -> Node {
    guard let name = pop(.identifier) else { throw malformed }
    var symbols: [UInt8] = []
    for byte in tree.textBytes(name) {
      guard byte < 0x80 else {
        symbols.append(byte)
        continue
      }
      guard let symbol = Self.operatorCharacter(byte) else { throw malformed }
      symbols.append(symbol)
    }
    let kind: SymbolNodeKind
    switch try takeByte() {
    case UInt8(ascii: "i"): kind = .infixOperator
    case UInt8(ascii: "p"): kind = .prefixOperator
    case UInt8(ascii: "P"): kind = .postfixOperator
    default: throw malformed
    }
    let text = tree.store(symbols)
    return try make(kind, text: text, children: [])
  }

  /// The operator character that a letter stands for; the letters are the initials of the characters' names.
  static func operatorCharacter(_ letter: UInt8) -> UInt8? { operatorCharacters.first { $0.letter == letter }?.symbol }

  static let operatorCharacters: [(letter: UInt8, symbol: UInt8)] = zip("acdeglmnopqrstxz".utf8, "&@/=><*!|+?%-~^.".utf8).map {
    ($0, $1)
  }

  /// Reads `L`: a name with a discriminator of a file, of a scope, or of a declaration made for another.
  mutating func parseLocalName() throws(SymbolRefusal) -> Node {
    if take("L") {
      guard let discriminator = pop(.identifier) else { throw malformed }
      return try make(.privateName, discriminator, try popName())
    }
    if take("l") {
      guard let discriminator = pop(.identifier) else { throw malformed }
      return try make(.privateName, discriminator)
    }
    let letter = nextByte
    if (UInt8(ascii: "a")...UInt8(ascii: "j")).contains(letter | 0x20), letter >= 0x41 {
      position += 1
      let name = try popName()
      let text = tree.store([letter])
      return try make(.relatedName, text: text, children: [name])
    }
    let discriminator = try index()
    return try make(.localName, index: discriminator, try popName())
  }
}
