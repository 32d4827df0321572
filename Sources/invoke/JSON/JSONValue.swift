/// A JSON value that loses nothing: numbers keep their digits, objects the order of their members.
///
/// Foundation's JSON reads numbers into a few fixed types. Here a number becomes a value only when the type encoding tells which, so that
/// 64-bit and 128-bit integers stay exact and a `float` is rounded once. A line of a batch may hold anything, and Foundation's reader in Swift 6.3
/// ends the process at an array nested 513 deep, takes a trailing comma, and reads 1.0000000000000001 as an integer.
enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// The number as it was written.
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

extension JSONValue {
  /// An integer.
  static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

  /// A text, or null when there is none.
  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// An integer, or null when there is none.
  static func optional(_ number: Int?) -> JSONValue { number.map { .integer($0) } ?? .null }

  /// The value in a few words, for messages: long texts are cut, arrays and objects only counted.
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
