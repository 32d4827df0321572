/// A name of the source: an identifier, also in backticks, or an operator.
///
/// Backticks make a raw identifier of any characters, `` `a b` ``, or an identifier of a keyword, `` `class` ``. A
/// mangled name contains a raw identifier with its backticks, and with U+00A0 where the source has a space. It contains
/// a keyword without backticks. Source: SE-0451.
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

  /// A text whose raw identifiers have the spaces of the source.
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
  /// What tells private declarations of one name apart, for each that was taken: `_0123` or a file.
  private(set) var files: [String] = []

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

  /// Takes the parts of a path: identifiers with periods between them.
  ///
  /// The last one may be an operator.
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

  /// Takes the name in `(name in _0123)` or `(name in File.swift)`, which a private declaration has; nil if there is none.
  private mutating func takePrivate() -> Substring? {
    var scanner = self
    guard scanner.take("(") else { return nil }
    let name = scanner.takeQuoted() ?? scanner.take(while: Self.isWordPart)
    guard !name.isEmpty, scanner.take(" in ") else { return nil }
    let file = scanner.take(upTo: [")"])
    guard scanner.take(")") else { return nil }
    self = scanner
    files.append(String(file))
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

/// The encoding of identifiers with characters outside of ASCII.
///
/// RFC 3492 with `_` as delimiter and the letters `A` to `J` as the digits 26 to 35. An operator's ASCII characters
/// are encoded as code points from U+D800; see ``decode(_:)``.
enum Punycode {
  private static let base = 36
  private static let smallestThreshold = 1
  private static let largestThreshold = 26
  private static let skew = 38
  private static let damp = 700
  private static let firstBias = 72
  private static let firstCodePoint = 0x80

  /// Decodes an identifier, or returns nil if it is not well formed.
  ///
  /// Code points from U+D800 to U+D87F stand for the ASCII characters that are not letters, digits or `_`.
  /// - Complexity: O(n²) in the length of the encoded name, for the insertions; names are short.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count <= 1_024 else { return nil }
    var scalars: [Unicode.Scalar] = []
    var rest = bytes
    if let delimiter = bytes.lastIndex(of: UInt8(ascii: "_")) {
      for byte in bytes[..<delimiter] {
        guard byte < 0x80 else { return nil }
        scalars.append(Unicode.Scalar(byte))
      }
      rest = bytes[(delimiter + 1)...]
    }
    var codePoint = firstCodePoint
    var insertion = 0
    var bias = firstBias
    while !rest.isEmpty {
      let before = insertion
      var weight = 1
      var position = base
      while true {
        guard let byte = rest.popFirst(), let digit = digit(byte) else { return nil }
        let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
        guard !overflow, product <= 0x7FFF_FFFF - insertion else { return nil }
        insertion += product
        let threshold = min(max(position - bias, smallestThreshold), largestThreshold)
        if digit < threshold { break }
        weight *= base - threshold
        guard weight <= 0x7FFF_FFFF else { return nil }
        position += base
      }
      let count = scalars.count + 1
      bias = adapt(insertion - before, count: count, isFirst: before == 0)
      codePoint += insertion / count
      insertion %= count
      let value = codePoint >= 0xD800 && codePoint < 0xD880 ? codePoint - 0xD800 : codePoint
      guard value <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
      scalars.insert(scalar, at: insertion)
      insertion += 1
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "J"): Int(byte - UInt8(ascii: "A")) + 26
    default: nil
    }
  }

  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var position = 0
    while delta > (base - smallestThreshold) * largestThreshold / 2 {
      delta /= base - smallestThreshold
      position += base
    }
    return position + (base - smallestThreshold + 1) * delta / (delta + skew)
  }

  /// Encodes an identifier.
  ///
  /// ASCII characters other than letters, digits, `_` and `$` become code points from U+D800.
  static func encode(_ name: some StringProtocol) -> [UInt8] {
    let values = name.unicodeScalars.map { scalar in
      let isBasic = scalar == "_" || scalar == "$" || (scalar.isASCII && scalar.properties.isASCIIIdentifierPart)
      return isBasic || !scalar.isASCII ? Int(scalar.value) : Int(scalar.value) + 0xD800
    }
    var output = values.filter { $0 < firstCodePoint }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "_")) }
    var (codePoint, delta, bias, handled) = (firstCodePoint, 0, firstBias, basicCount)
    while handled < values.count {
      guard let smallest = values.filter({ $0 >= codePoint }).min() else { break }
      delta += (smallest - codePoint) * (handled + 1)
      codePoint = smallest
      for value in values {
        if value < codePoint { delta += 1 }
        guard value == codePoint else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      codePoint += 1
    }
    return output
  }

  private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
    var rest = delta
    var position = base
    while true {
      let threshold = min(max(position - bias, smallestThreshold), largestThreshold)
      if rest < threshold { break }
      output.append(letter(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(letter(rest))
  }

  private static func letter(_ digit: Int) -> UInt8 {
    digit < 26 ? UInt8(ascii: "a") + UInt8(digit) : UInt8(ascii: "A") + UInt8(digit - 26)
  }
}

extension Unicode.Scalar.Properties {
  /// Whether an ASCII character is a letter or digit.
  fileprivate var isASCIIIdentifierPart: Bool { isAlphabetic || numericType == .decimal }
}
