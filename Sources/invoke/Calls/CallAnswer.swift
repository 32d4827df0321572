import DynamicInvocation

/// What came of a call.
struct CallAnswer: Sendable {
  /// The result; null for void.
  var result: JSONValue

  /// The buffers that arguments were passed as, by the index of the argument, as the callee left them.
  var buffers: [(index: Int, values: JSONValue)] = []

  /// The callee's `errno`, if it was asked for.
  var errorNumber: CInt?

  /// The answer as a line of a batch.
  var line: JSONValue {
    var members = [JSONValue.Member("result", result)]
    if !buffers.isEmpty {
      members.append(JSONValue.Member("buffers", .object(buffers.map { JSONValue.Member("\($0.index)", $0.values) })))
    }
    if let errorNumber { members.append(JSONValue.Member("errno", .integer(errorNumber))) }
    return .object(members)
  }
}

extension InvocationError {
  /// The error as a line of a batch.
  var line: JSONValue { .object(members) }

  /// The error as a member of an answer.
  var members: [JSONValue.Member] {
    let parts = [JSONValue.Member("kind", .string(code.rawValue)), JSONValue.Member("message", .string(description))]
    return [JSONValue.Member("error", .object(parts))]
  }
}
