import DynamicInvocation
import Foundation

/// Values of Foundation's types as their coding specifies: a date is a number, a URL is a string.
///
/// The stored properties of these types are private, and which values of them are valid is known to Foundation only.
enum SwiftCoding {
  private static let modules: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
  ]

  /// Whether a type is declared in a module of Foundation.
  private static func isOfFoundation(_ type: Any.Type) -> Bool {
    modules.contains(String(_typeName(type, qualified: true).prefix { $0 != "." }))
  }

  /// Returns a type of Foundation that can be decoded, or nil for any other type.
  static func decodable(_ type: Any.Type) -> (any Decodable.Type)? {
    isOfFoundation(type) ? type as? any Decodable.Type : nil
  }

  /// Returns the value that is coded as a JSON value, or nil if there is none.
  static func value<Value: Decodable>(_ json: JSONValue, as type: Value.Type) -> Value? {
    try? JSONDecoder().decode(type, from: Data(json.text.utf8))
  }

  /// Returns the coding of a value of Foundation, or nil if the type is another one or the value has no coding.
  static func json(_ value: Any) -> JSONValue? {
    guard isOfFoundation(type(of: value)), let value = value as? any Encodable, let data = try? JSONEncoder().encode(value) else {
      return nil
    }
    return try? JSONParser.parse(Array(data))
  }
}
