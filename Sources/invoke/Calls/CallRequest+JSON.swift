import DynamicInvocation

extension CallRequest {
  private static let keys = ["library", "symbol", "types", "arguments", "fixed", "dialect"]

  /// Reads a line of a batch.
  ///
  /// It is `{"library": ..., "symbol": ..., "types": ..., "arguments": [...]}`, with `fixed` and `dialect` where they matter.
  ///
  /// - Throws: A `malformedRequest` error when it is no JSON or no request. A member of another name is an error:
  ///   it may be a misspelt `fixed`, without which a variadic call is wrong.
  init(line: [UInt8]) throws(InvocationError) {
    let value = try JSONParser.parse(line)
    guard case .object(let members) = value else {
      throw .malformedRequest("\(value.summary) is not an object with \"library\", \"symbol\", \"types\" and \"arguments\"")
    }
    var parts: [String: JSONValue] = [:]
    for member in members {
      guard Self.keys.contains(member.name) else {
        let name = JSONValue.string(member.name).summary
        throw .malformedRequest("a request has no member \(name), only \(Self.keys.joined(separator: ", "))")
      }
      parts[member.name] = member.value
    }
    library = try Self.text("library", parts)
    symbol = try Self.text("symbol", parts)
    types = try Self.text("types", parts)
    switch parts["arguments"] {
    case .array(let values)?: arguments = values.map { Argument(value: $0, word: nil) }
    case nil: arguments = []
    case let other?: throw .malformedRequest("\"arguments\" is \(other.summary), not an array")
    }
    switch parts["fixed"] {
    case nil, .null?: fixedCount = nil
    case .number(let text)?:
      guard let count = Int(text), count >= 0 else { throw .malformedRequest("\"fixed\" is \(text), not a count") }
      fixedCount = count
    case let other?: throw .malformedRequest("\"fixed\" is \(other.summary), not a count")
    }
    switch parts["dialect"] {
    case nil, .null?: dialect = .next
    case .string("next")?: dialect = .next
    case .string("gnu")?: dialect = .gnu
    case let other?: throw .malformedRequest("\"dialect\" is \(other.summary), not \"next\" or \"gnu\"")
    }
  }

  private static func text(_ key: String, _ parts: [String: JSONValue]) throws(InvocationError) -> String {
    switch parts[key] {
    case .string(let text)?: return text
    case nil: throw .malformedRequest("\"\(key)\" is missing")
    case let other?: throw .malformedRequest("\"\(key)\" is \(other.summary), not a string")
    }
  }
}
