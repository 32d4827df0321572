import DynamicInvocation

/// Parses one JSON value (RFC 8259) from arbitrary bytes.
struct JSONParser {
  /// The maximum nesting depth.
  ///
  /// No value of a type encoding is nested so deep: encodings nest 128 levels, and a union takes two.
  private static let deepest = 512

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a value with only whitespace around it.
  ///
  /// - Throws: A `malformedRequest` error with the offset of the first byte that is not JSON. A duplicate member name
  ///   is also an error.
  static func parse(_ bytes: [UInt8]) throws(InvocationError) -> JSONValue {
    var parser = JSONParser(bytes)
    let value = try parser.value()
    parser.skipBlanks()
    guard parser.next == nil else { throw parser.failure("the value ends here, the text does not") }
    return value
  }

  /// The byte at the current position, or nil at the end.
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ reason: String, at offset: Int? = nil) -> InvocationError {
    .malformedRequest("not JSON, byte \(offset ?? position): \(reason)")
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func value() throws(InvocationError) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw failure("nested deeper than \(Self.deepest) levels") }
    skipBlanks()
    switch next {
    case nil: throw failure("a value is missing")
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "{"): return .object(try object())
    default: return .number(try number())
    }
  }

  private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(InvocationError) -> JSONValue {
    let start = position
    for offset in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[offset] else { throw failure("no value begins like this", at: start) }
      position += 1
    }
    return value
  }

  /// Takes what a comma separates, up to a bracket or a brace.
  private mutating func list(
    until end: UInt8, _ expectation: String, _ take: (inout JSONParser) throws(InvocationError) -> Void
  ) throws(InvocationError) {
    position += 1
    skipBlanks()
    if next == end {
      position += 1
      return
    }
    while true {
      try take(&self)
      skipBlanks()
      guard next == UInt8(ascii: ",") || next == end else { throw failure(expectation) }
      position += 1
      if bytes[position - 1] == end { return }
    }
  }

  private mutating func array() throws(InvocationError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try list(until: UInt8(ascii: "]"), "an array goes on with a comma or ends with a bracket") { (parser) throws(InvocationError) in
      elements.append(try parser.value())
    }
    return elements
  }

  private mutating func object() throws(InvocationError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    try list(until: UInt8(ascii: "}"), "an object goes on with a comma or ends with a brace") { (parser) throws(InvocationError) in
      parser.skipBlanks()
      let start = parser.position
      guard parser.next == UInt8(ascii: "\"") else { throw parser.failure("the name of a member is missing") }
      let name = try parser.string()
      guard names.insert(name).inserted else {
        throw parser.failure("the object has two members \(JSONValue.string(name).summary)", at: start)
      }
      parser.skipBlanks()
      guard parser.next == UInt8(ascii: ":") else { throw parser.failure("a colon is missing") }
      parser.position += 1
      members.append(JSONValue.Member(name, try parser.value()))
    }
    return members
  }

  // MARK: Numbers

  private mutating func number() throws(InvocationError) -> String {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    guard isDigit else { throw failure(position == start ? "no value begins like this" : "a number needs digits", at: start) }
    if next == UInt8(ascii: "0") {
      position += 1
      guard !isDigit else { throw failure("a number does not begin with a zero", at: start) }
    }
    skipDigits()
    if next == UInt8(ascii: ".") {
      position += 1
      guard isDigit else { throw failure("digits are missing after the point") }
      skipDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard isDigit else { throw failure("digits are missing in the exponent") }
      skipDigits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private var isDigit: Bool {
    guard let byte = next else { return false }
    return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private mutating func skipDigits() {
    while isDigit { position += 1 }
  }

  // MARK: Strings

  private mutating func string() throws(InvocationError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    var plain = position
    while true {
      switch next {
      case nil: throw failure("the string is not closed", at: start)
      case UInt8(ascii: "\""):
        text += bytes[plain..<position]
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("the string is not UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[plain..<position]
        text += String(Character(try escape())).utf8
        plain = position
      case .some(0..<0x20): throw failure("a control character in a string must be escaped")
      default: position += 1
      }
    }
  }

  private mutating func escape() throws(InvocationError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let character = next else { throw failure("the string is not closed", at: start) }
    position += 1
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(character)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw failure("there is no such escape", at: start)
    }
    let unit = try codeUnit(start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A character outside the Basic Multilingual Plane is written as a surrogate pair.
    if unit < 0xDC00, next == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") {
      position += 2
      let low = try codeUnit(start)
      if (0xDC00..<0xE000).contains(low) {
        let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
        if let scalar = Unicode.Scalar(value) { return scalar }
      }
    }
    throw failure("a surrogate has no partner", at: start)
  }

  private mutating func codeUnit(_ start: Int) throws(InvocationError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("an escape needs four hexadecimal digits", at: start)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}

extension InvocationError {
  /// Creates the error of a request that is not JSON, or not the JSON of a request.
  static func malformedRequest(_ reason: String) -> InvocationError {
    InvocationError(Code(rawValue: "malformedRequest"), reason)
  }
}
