import Foundation

extension Decodable {
  /// Reads a value from a file of JSON text.
  init(jsonPath path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension Encodable {
  /// Returns the value as JSON text with sorted keys and a line for each member.
  func jsonText() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
