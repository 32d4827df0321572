import CallExplanations
import DynamicInvocation

extension CallExplanation {
  /// The types without the qualifiers and names that a comparison ignores.
  var canonicalText: String { types.text(dialect: .gnu, options: .structNames) }

  /// Returns the explanation as JSON.
  ///
  /// The encoding of a struct contains the encodings of its members. Once the encodings have used more than
  /// ``mostEncodingBytes``, the remaining ones are null.
  func json(of text: String, declaration: String? = nil) -> JSONValue {
    typealias Member = JSONValue.Member
    var bytesLeft = Self.mostEncodingBytes
    var members = [
      Member("types", .string(text)), Member("canonical", .string(canonicalText)), Member("abi", .string(abi.rawValue)),
      Member("isMethod", .bool(types.isMethod)), Member("frameLength", .optional(frameLength)),
      Member("stackSize", .optional(stackSize)), Member("backend", .optional(backend)),
      Member("reason", .string(reason)),
    ]
    if let declaration { members.insert(Member("declaration", .string(declaration)), at: 1) }
    if let fixedArgumentCount { members.append(Member("fixed", .integer(fixedArgumentCount))) }
    if let refusal { members.append(refusal.member) }
    members.append(Member("result", .object(result.json(&bytesLeft))))
    let arguments = arguments.map { JSONValue.object([Member("index", .optional($0.index))] + $0.json(&bytesLeft)) }
    members.append(Member("arguments", .array(arguments)))
    return .object(members)
  }

  /// The maximum number of bytes of all encodings of an explanation: twice the longest encoding, for the values and
  /// their members.
  private static let mostEncodingBytes = 2 * TypeEncoding.Limits.length

  /// Returns the encoding of a type, or null if the byte limit is reached.
  fileprivate static func encoding(_ type: TypeEncoding, _ bytesLeft: inout Int) -> JSONValue {
    guard bytesLeft > 0 else { return .null }
    let text = type.description
    bytesLeft -= text.utf8.count
    return .string(text)
  }
}

extension CallExplanation.Value {
  fileprivate func json(_ bytesLeft: inout Int) -> [JSONValue.Member] {
    typealias Member = JSONValue.Member
    return [
      Member("encoding", CallExplanation.encoding(type, &bytesLeft)), Member("size", .optional(size)),
      Member("alignment", .optional(alignment)), Member("fields", .array(fields.map { $0.json(&bytesLeft) })),
      Member("location", .string(location)),
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
  fileprivate func json(_ bytesLeft: inout Int) -> JSONValue {
    typealias Member = JSONValue.Member
    var members = [
      Member("name", .optional(name)), Member("encoding", CallExplanation.encoding(type, &bytesLeft)), Member("offset", .integer(offset)),
      Member("size", .optional(size)),
    ]
    if let bits { members.append(Member("bits", .array([.integer(bits.lowerBound), .integer(bits.upperBound)]))) }
    members.append(Member("fields", .array(fields.map { $0.json(&bytesLeft) })))
    return .object(members)
  }
}
