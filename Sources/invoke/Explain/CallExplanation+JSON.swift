import DynamicInvocation

extension CallExplanation {
  /// The types without what does not count in a comparison.
  var canonicalText: String { types.text(dialect: .gnu, options: .structNames) }

  /// The explanation as JSON.
  func json(of text: String) -> JSONValue {
    typealias Member = JSONValue.Member
    var members = [
      Member("types", .string(text)), Member("canonical", .string(canonicalText)), Member("abi", .string(abi.rawValue)),
      Member("isMethod", .bool(types.isMethod)), Member("frameLength", .optional(frameLength)),
      Member("stackSize", .optional(stackSize)), Member("lane", .optional(lane)), Member("reason", .string(reason)),
    ]
    if let fixedArgumentCount { members.append(Member("fixed", .integer(fixedArgumentCount))) }
    if let refusal { members.append(contentsOf: refusal.members) }
    members.append(Member("result", .object(result.json)))
    members.append(
      Member("arguments", .array(arguments.map { .object([Member("index", .optional($0.index))] + $0.json) })))
    return .object(members)
  }
}

extension CallExplanation.Value {
  fileprivate var json: [JSONValue.Member] {
    typealias Member = JSONValue.Member
    return [
      Member("encoding", .string(type.description)), Member("size", .optional(size)), Member("alignment", .optional(alignment)),
      Member("fields", .array(fields.map(\.json))), Member("location", .string(location)),
      Member(
        "parts",
        .array(
          parts.map {
            .object([Member("place", .string($0.place)), Member("offset", .integer($0.offset)), Member("size", .integer($0.size))])
          })),
    ]
  }
}

extension CallExplanation.Field {
  fileprivate var json: JSONValue {
    typealias Member = JSONValue.Member
    var members = [
      Member("name", .optional(name)), Member("encoding", .string(type.description)), Member("offset", .integer(offset)),
      Member("size", .optional(size)),
    ]
    if let bits { members.append(Member("bits", .array([.integer(bits.lowerBound), .integer(bits.upperBound)]))) }
    members.append(Member("fields", .array(fields.map(\.json))))
    return .object(members)
  }
}
