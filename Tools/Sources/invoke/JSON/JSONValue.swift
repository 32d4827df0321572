/// A JSON value without loss: numbers keep their digits, objects keep the order of their members.
///
/// Foundation's JSON converts numbers to a few fixed types. Here a number is converted only when the type encoding
/// specifies its type, so that 64-bit and 128-bit integers stay exact and a `float` is rounded once. A line of a batch
/// may contain anything, and Foundation's reader in Swift 6.3 ends the process at an array nested 513 deep, accepts a
/// trailing comma, and reads 1.0000000000000001 as an integer. The fault is gone when a `JSONDecoder` refuses `[1,]`.
enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// The number as written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A member of an object.
  struct Member: Sendable {
    var name: String
    var value: JSONValue

    init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral {
  /// Creates an object; a member whose value is nil is left out.
  init(dictionaryLiteral elements: (String, JSONValue?)...) {
    self = .object(elements.compactMap { name, value in value.map { Member(name, $0) } })
  }

  init(booleanLiteral value: Bool) { self = .bool(value) }

  /// The members of an object; none of any other value.
  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// Creates the number of an integer.
  static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

  /// Creates an array of strings, or nil if there are none.
  static func strings(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }

  /// Creates a string, or null for nil.
  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Creates the number of an integer, or null for nil.
  static func optional(_ number: Int?) -> JSONValue { number.map { .integer($0) } ?? .null }

  /// A short description for messages: long texts are truncated, arrays and objects are only counted.
  var summary: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .number(let text): return Self.shortened(text)
    case .string(let text): return JSONValue.string(Self.shortened(text)).text
    case .array(let elements): return "an array of \(elements.count)"
    case .object: return "an object"
    }
  }

  private static let longestSummary = 60

  private static func shortened(_ text: String) -> String {
    text.utf8.count <= longestSummary ? text : String(text.unicodeScalars.prefix(longestSummary)) + "..."
  }
}

extension JSONValue {
  /// The value on one line, without whitespace.
  var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value on one line, without whitespace.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Writes a text in quotes.
  ///
  /// Characters that a terminal would interpret or not show are escaped.
  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 { write(ascii: byte, to: &bytes) }
    } else {
      for scalar in text.unicodeScalars {
        if scalar.isASCII {
          write(ascii: UInt8(scalar.value), to: &bytes)
        } else if scalar.isHidden {
          for unit in String(scalar).utf16 { write(escape: unit, to: &bytes) }
        } else {
          bytes += String(scalar).utf8
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func write(ascii byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): bytes += "\\\"".utf8
    case UInt8(ascii: "\\"): bytes += "\\\\".utf8
    case 0x0A: bytes += "\\n".utf8
    case 0x0D: bytes += "\\r".utf8
    case 0x09: bytes += "\\t".utf8
    case 0..<0x20, 0x7F: write(escape: UInt16(byte), to: &bytes)
    default: bytes.append(byte)
    }
  }

  private static func write(escape unit: UInt16, to bytes: inout [UInt8]) {
    let digits = String(unit, radix: 16)
    bytes += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, a format character, or a line or paragraph separator, which a terminal
  /// interprets or does not show.
  fileprivate var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
