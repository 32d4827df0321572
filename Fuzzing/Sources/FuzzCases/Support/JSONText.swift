/// A JSON value, parsed as strictly as RFC 8259 specifies and independently of the program's own parser.
enum JSONText: Equatable {
  case word(String)
  case number(String)
  case string(String)
  case array([JSONText])
  case object([String: JSONText])

  /// Parses a text that is one value.
  ///
  /// Returns nil for any other text.
  init?(_ bytes: some Sequence<UInt8>) {
    var reader = Reader(rest: Array(bytes)[...])
    guard let value = reader.value(), reader.rest.isEmpty else { return nil }
    self = value
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Character) -> Bool {
      guard let byte = rest.first, byte == character.asciiValue else { return false }
      rest.removeFirst()
      return true
    }

    mutating func run(of isPart: (UInt8) -> Bool) -> String {
      let run = rest.prefix(while: isPart)
      rest = rest.dropFirst(run.count)
      return String(decoding: run, as: UTF8.self)
    }

    mutating func value() -> JSONText? {
      switch rest.first.map({ Character(Unicode.Scalar($0)) }) {
      case "\""?: return string().map { .string($0) }
      case "["?: return array()
      case "{"?: return object()
      case let first? where first == "-" || first.isDigit: return number()
      default:
        let word = run { $0 >= 0x61 && $0 <= 0x7A }
        return ["null", "true", "false"].contains(word) ? .word(word) : nil
      }
    }

    private mutating func number() -> JSONText? {
      var text = take("-") ? "-" : ""
      let whole = digits()
      guard !whole.isEmpty, whole == "0" || whole.first != "0" else { return nil }
      text += whole
      if take(".") {
        let fraction = digits()
        guard !fraction.isEmpty else { return nil }
        text += "." + fraction
      }
      if take("e") || take("E") {
        let sign = take("-") ? "-" : take("+") ? "+" : ""
        let exponent = digits()
        guard !exponent.isEmpty else { return nil }
        text += "e" + sign + exponent
      }
      return .number(text)
    }

    private mutating func digits() -> String { run { $0 >= 0x30 && $0 <= 0x39 } }

    private mutating func array() -> JSONText? {
      var elements: [JSONText] = []
      guard take("[") else { return nil }
      if take("]") { return .array(elements) }
      repeat {
        guard let element = value() else { return nil }
        elements.append(element)
      } while take(",")
      return take("]") ? .array(elements) : nil
    }

    private mutating func object() -> JSONText? {
      var members: [String: JSONText] = [:]
      guard take("{") else { return nil }
      if take("}") { return .object(members) }
      repeat {
        guard let name = string(), take(":"), let member = value(), members.updateValue(member, forKey: name) == nil else { return nil }
      } while take(",")
      return take("}") ? .object(members) : nil
    }

    private mutating func string() -> String? {
      var bytes: [UInt8] = []
      guard take("\"") else { return nil }
      while let byte = rest.popFirst(), byte >= 0x20 {
        switch byte {
        case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
        case UInt8(ascii: "\\"):
          guard let escaped = escape() else { return nil }
          bytes += String(escaped).utf8
        default: bytes.append(byte)
        }
      }
      return nil
    }

    /// Reads what the program writes after a backslash: a letter, or the number of a control character.
    private mutating func escape() -> Unicode.Scalar? {
      switch rest.popFirst().map({ Character(Unicode.Scalar($0)) }) {
      case "\""?: return "\""
      case "\\"?: return "\\"
      case "n"?: return "\n"
      case "r"?: return "\r"
      case "t"?: return "\t"
      case "u"?:
        let digits = String(decoding: rest.prefix(4), as: UTF8.self)
        rest = rest.dropFirst(4)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      default: return nil
      }
    }
  }
}

extension Character {
  /// Whether it is a decimal digit.
  fileprivate var isDigit: Bool { isASCII && isNumber }
}
