/// A name of the source: an identifier, also in backticks, or an operator.
///
/// Backticks make a raw identifier of any characters, `` `a b` ``, or an identifier of a keyword, `` `class` ``. A
/// mangled name contains a raw identifier with its backticks, and U+00A0 where the source has a space; a keyword it
/// contains without them. The rule is that of SE-0451.
package struct SwiftIdentifier: Sendable, Hashable {
  /// The name without backticks.
  package let text: String
  /// Whether it is an identifier where the same word without backticks means another declaration: a method
  /// `` `init` `` is no initializer, and a method `` `subscript` `` no subscript.
  package let isEscaped: Bool

  /// Reads a name; backticks that are not at both ends are part of it.
  package init(_ name: some StringProtocol) {
    let isQuoted = name.utf8.count > 2 && name.hasPrefix("`") && name.hasSuffix("`")
    text = Self.spaced(isQuoted ? String(name.dropFirst().dropLast()) : String(name))
    isEscaped = isQuoted && Self.keywordsOfDeclarations.contains(text)
  }

  private static let keywordsOfDeclarations: Set<String> = ["init", "subscript"]
  /// The words that need backticks after a period.
  private static let keywordsOfMembers: Set<String> = ["init", "subscript", "self", "Type", "Protocol"]
  /// The words that need backticks as a label.
  private static let keywordsOfLabels: Set<String> = ["inout", "let", "var"]

  /// The name as the source has it after a period.
  package var source: String { isEscaped || !isPlain ? "`\(text)`" : text }

  /// The name as a symbol has it.
  var symbolic: String {
    isPlain ? text : String(String.UnicodeScalarView("`\(text)`".unicodeScalars.map { $0 == " " ? "\u{A0}" : $0 }))
  }

  /// Whether the name is an identifier or an operator without backticks.
  private var isPlain: Bool {
    text.allSatisfy(NameScanner.isOperatorPart) || (text.allSatisfy(NameScanner.isWordPart) && text.first?.isWholeNumber == false)
  }

  /// The parts of a path such as `Plugin.Rect.area`; none if it is not well formed.
  package static func path(_ text: String) -> [SwiftIdentifier] {
    var scanner = NameScanner(text)
    let path = scanner.takePath()
    return scanner.rest.isEmpty ? path : []
  }

  /// A text in which the spaces of raw identifiers are those of the source.
  package static func spaced(_ text: String) -> String {
    text.utf8.contains(0xA0) ? String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\u{A0}" ? " " : $0 })) : text
  }

  /// The name of a declaration as the source has it, from the one in its symbol.
  static func member(_ symbolic: String) -> String {
    keywordsOfMembers.contains(symbolic) ? "`\(symbolic)`" : spaced(symbolic)
  }

  /// The label of a parameter as the source has it, from the one in a symbol.
  static func label(_ symbolic: String) -> String {
    keywordsOfLabels.contains(symbolic) ? "`\(symbolic)`" : spaced(symbolic)
  }

  /// A name without the backticks in it.
  static func bare(_ name: String) -> String { name.utf8.contains(UInt8(ascii: "`")) ? name.filter { $0 != "`" } : name }
}

/// Reads a text of names, in which backticks hide all other marks.
struct NameScanner {
  private(set) var rest: Substring

  init(_ text: some StringProtocol) { rest = Substring(text) }

  var next: Character? { rest.first }

  mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

  /// Takes a text if the rest begins with it.
  mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  /// Takes a word in backticks, with them; nil if there is none, or if it is not closed.
  mutating func takeQuoted() -> Substring? {
    guard rest.first == "`", let end = rest.dropFirst().firstIndex(of: "`") else { return nil }
    let name = rest[...end]
    rest = rest[rest.index(after: end)...]
    return name
  }

  /// Takes the characters that satisfy a predicate.
  mutating func take(while isPart: (Character) -> Bool) -> Substring {
    let taken = rest.prefix(while: isPart)
    rest = rest[taken.endIndex...]
    return taken
  }

  /// Takes the text up to a mark, or all of it; brackets and backticks hide marks in them.
  mutating func take(upTo marks: Set<Character>) -> Substring {
    let start = rest.startIndex
    var depth = 0
    var previous: Character = " "
    while let character = rest.first {
      let isArrow = character == ">" && previous == "-"
      if depth == 0, marks.contains(character), !isArrow { break }
      if takeQuoted() != nil {
        previous = "`"
        continue
      }
      if "([<".contains(character) { depth += 1 }
      if ")]>".contains(character), !isArrow { depth = max(0, depth - 1) }
      previous = character
      rest.removeFirst()
    }
    return rest.base[start..<rest.startIndex]
  }

  /// Takes the parts of a path: identifiers with periods between them, the last of which may be an operator.
  ///
  /// Generic parameters after a part are left out.
  mutating func takePath() -> [SwiftIdentifier] {
    var path: [SwiftIdentifier] = []
    repeat {
      skipSpaces()
      if let quoted = takeQuoted() ?? takePrivate() {
        path.append(SwiftIdentifier(quoted))
      } else if let character = next, Self.isOperatorPart(character) {
        path.append(SwiftIdentifier(take(while: Self.isOperatorPart)))
        skipSpaces()
        _ = ["infix", "prefix", "postfix"].contains { take($0) }
        skipGenericParameters()
        return path
      } else {
        let word = take(while: Self.isWordPart)
        if word.isEmpty { return [] }
        path.append(SwiftIdentifier(word == "__allocating_init" ? "init" : word))
      }
      skipGenericParameters()
      skipSpaces()
    } while take(".")
    return path
  }

  /// Takes the name in `(name in _0123)`, which a private declaration has; nil if there is none.
  private mutating func takePrivate() -> Substring? {
    var scanner = self
    guard scanner.take("(") else { return nil }
    let name = scanner.takeQuoted() ?? scanner.take(while: Self.isWordPart)
    guard !name.isEmpty, scanner.take(" in ") else { return nil }
    _ = scanner.take(upTo: [")"])
    guard scanner.take(")") else { return nil }
    self = scanner
    return name
  }

  /// Takes a list of generic parameters or arguments, if there is one.
  mutating func skipGenericParameters() {
    guard take("<") else { return }
    _ = take(upTo: [">"])
    _ = take(">")
  }

  /// Whether a character can be part of an identifier.
  static func isWordPart(_ character: Character) -> Bool {
    if let ascii = character.asciiValue {
      return character.isLetter || character.isNumber || ascii == UInt8(ascii: "_") || ascii == UInt8(ascii: "$")
    }
    return !isOperatorPart(character) && !character.isWhitespace
  }

  /// Whether a character can be part of an operator, by the grammar of the language.
  static func isOperatorPart(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    if scalar.isASCII { return "/=-+!*%<>&|^~?.".unicodeScalars.contains(scalar) }
    return operatorScalars.contains { $0.contains(scalar) }
  }

  private static let operatorScalars: [ClosedRange<Unicode.Scalar>] = [
    "\u{A1}"..."\u{A7}", "\u{A9}"..."\u{A9}", "\u{AB}"..."\u{AC}", "\u{AE}"..."\u{AE}", "\u{B0}"..."\u{B1}", "\u{B6}"..."\u{B6}",
    "\u{BB}"..."\u{BB}", "\u{BF}"..."\u{BF}", "\u{D7}"..."\u{D7}", "\u{F7}"..."\u{F7}", "\u{2016}"..."\u{2017}",
    "\u{2020}"..."\u{2027}", "\u{2030}"..."\u{203E}", "\u{2041}"..."\u{2053}", "\u{2055}"..."\u{205E}", "\u{2190}"..."\u{23FF}",
    "\u{2500}"..."\u{2775}", "\u{2794}"..."\u{2BFF}", "\u{2E00}"..."\u{2E7F}", "\u{3001}"..."\u{3003}", "\u{3008}"..."\u{3020}",
    "\u{3030}"..."\u{3030}",
  ]
}
