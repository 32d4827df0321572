import EventRouting

extension DispatchReport {
  /// The report as JSON.
  var json: JSONValue {
    typealias Member = JSONValue.Member
    var members = [
      Member("key", .string(key.name)), Member("sender", .string(sender.name)), Member("handled", .bool(!isUnhandled)),
      Member("handledBy", .array(handledBy.map { .string($0.name) })), Member("visits", .array(visits.map(\.json))),
    ]
    if let routingError { members.append(Member("routingError", .string("\(routingError)"))) }
    if let diagnosis { members.append(Member("diagnosis", .string("\(diagnosis)"))) }
    return .object(members)
  }
}

extension DispatchReport.Visit {
  fileprivate var json: JSONValue {
    typealias Member = JSONValue.Member
    var members = [
      Member("node", .optional(responder?.name)), Member("depth", .integer(depth)), Member("key", .string(key.name)),
      Member("answer", .string("\(answer)")),
    ]
    if !errors.isEmpty { members.append(Member("errors", .array(errors.map { .string("\($0)") }))) }
    if let rewrite {
      members.append(
        Member(
          "sentOn",
          .object([
            Member("key", .string(rewrite.to.name)), Member("arguments", .array(rewrite.arguments.map { .string($0) })),
          ])))
    }
    return .object(members)
  }
}
