import CallExplanations
import DynamicInvocation

extension CallExplanation {
  /// The types without the qualifiers and names that a comparison ignores.
  var canonicalText: String { types.text(dialect: .gnu, options: .structNames) }

  /// Returns the explanation as JSON.
  ///
  /// The encoding of a struct contains the encodings of its members. Once the encodings have used more than twice the
  /// bytes of the longest encoding, for the values and their members, the remaining ones are null.
  func json(of text: String, declaration: String? = nil) -> JSONValue {
    var bytesLeft = 2 * TypeEncoding.Limits.length
    let result = JSONValue.object(result.json(&bytesLeft))
    let arguments = arguments.map { JSONValue.object([JSONValue.Member("index", .optional($0.index))] + $0.json(&bytesLeft)) }
    return [
      "types": .string(text), "declaration": declaration.map { .string($0) }, "canonical": .string(canonicalText),
      "abi": .string(abi.rawValue), "isMethod": .bool(types.isMethod), "frameLength": .optional(frameLength),
      "stackSize": .optional(stackSize), "backend": .optional(backend), "reason": .string(reason),
      "fixed": fixedArgumentCount.map { .integer($0) }, "error": refusal?.json, "result": result, "arguments": .array(arguments),
    ]
  }

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
    let json: JSONValue = [
      "encoding": CallExplanation.encoding(type, &bytesLeft), "size": .optional(size), "alignment": .optional(alignment),
      "fields": type.membersJSON(at: 0, &bytesLeft), "location": .string(location),
      "parts": .array(parts.map { ["place": .string($0.place), "offset": .integer($0.offset), "size": .integer($0.size)] }),
    ]
    return json.members
  }
}

extension TypeEncoding {
  /// The members of a struct or union.
  var members: [Field] {
    switch kind {
    case .structure(let record), .union(let record): record.fields ?? []
    default: []
    }
  }

  /// Returns the members, with offsets from the start of the whole value.
  fileprivate func membersJSON(at start: Int, _ bytesLeft: inout Int) -> JSONValue {
    .array(
      members.map { field in
        [
          "name": .optional(field.name), "encoding": CallExplanation.encoding(field.type, &bytesLeft),
          "offset": .integer(start + field.offset), "size": .optional(field.type.size),
          "bits": field.bits.map { .array([.integer(8 * start + $0.lowerBound), .integer(8 * start + $0.upperBound)]) },
          "fields": field.type.membersJSON(at: start + field.offset, &bytesLeft),
        ]
      })
  }
}
