import DynamicInvocation

extension SwiftValueReader {
  /// Reads a tuple, an enum or a struct.
  ///
  /// - Throws: An error for every other type, whose values cannot be made of JSON.
  mutating func composite(_ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    if let elements = SwiftTypeParts.elements(of: type) { return try tuple(value, elements, as: type) }
    if type is AnyObject.Type { throw refused("an object", type) }
    if let cases = SwiftTypeParts.cases(of: type), !cases.isEmpty { return try enumeration(value, cases, as: type) }
    if let raw = type as? any RawRepresentable.Type, !Self.isObject(value) { return try rawValue(value, raw) }
    let name = _typeName(type, qualified: true)
    if let decodable = SwiftCoding.decodable(type) {
      guard let decoded = SwiftCoding.value(value, as: decodable) else { throw mismatch(value, "the coding of a \(name)") }
      return decoded
    }
    // Which values of the fields are valid is known to these modules only.
    guard !name.hasPrefix("_"), !Self.closedModules.contains(String(name.prefix { $0 != "." })) else { throw refused("a value", type) }
    guard let fields = SwiftTypeParts.fields(of: type) else { throw refused("a value", type) }
    return try structure(value, fields, as: type)
  }

  private static let closedModules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "Dispatch",
    "Synchronization",
  ]

  private func refused(_ what: String, _ type: Any.Type) -> InvocationError {
    failure(.unsupportedType, "\(what) of type \(_typeName(type, qualified: true)) cannot be made of JSON")
  }

  private static func isObject(_ value: JSONValue) -> Bool {
    if case .object = value { true } else { false }
  }

  private mutating func tuple(
    _ value: JSONValue, _ elements: [SwiftTypeParts.Part], as type: Any.Type
  ) throws(InvocationError) -> Any {
    if elements.isEmpty, case .null = value { return () }
    guard case .array(let given) = value else { throw mismatch(value, "an array of \(elements.count)") }
    guard given.count == elements.count else {
      throw failure(.countMismatch, "\(given.count) values given, the tuple has \(elements.count)")
    }
    var values: [Any] = []
    for (index, element) in elements.enumerated() {
      values.append(try part("[\(index)]", given[index], as: element.type))
    }
    guard let tuple = SwiftTypeParts.value(of: type, parts: elements, values) else { throw refused("a tuple", type) }
    return tuple
  }

  // MARK: Structs

  private mutating func structure(
    _ value: JSONValue, _ fields: [SwiftTypeParts.Part], as type: Any.Type
  ) throws(InvocationError) -> Any {
    let names = fields.map(\.name)
    guard case .object(let members) = value else {
      throw mismatch(value, "an object with \(names.joined(separator: ", "))")
    }
    if let unknown = members.first(where: { !names.contains($0.name) }) {
      let name = JSONValue.string(unknown.name).summary
      let known = names.isEmpty ? "" : ", only " + names.joined(separator: ", ")
      throw failure(.typeMismatch, "\(_typeName(type, qualified: true)) has no field \(name)\(known)")
    }
    var values: [Any] = []
    for field in fields {
      let given = members.first { $0.name == field.name }?.value
      if given == nil, (field.type as? any SwiftContainer.Type)?.wrapped == nil {
        throw failure(.typeMismatch, "the field '\(field.name)' of type \(_typeName(field.type, qualified: true)) is missing")
      }
      values.append(try part("." + field.name, given ?? .null, as: field.type))
    }
    guard let value = SwiftTypeParts.value(of: type, parts: fields, values) else { throw refused("a value", type) }
    return value
  }

  // MARK: Enums

  private mutating func enumeration(
    _ value: JSONValue, _ cases: [SwiftTypeParts.Case], as type: Any.Type
  ) throws(InvocationError) -> Any {
    if case .string(let name) = value, let given = cases.first(where: { $0.name == name }) {
      guard given.payload == nil else {
        throw failure(.typeMismatch, "the case '\(name)' has a value: pass {\"\(name)\": ...}")
      }
      if let made = SwiftTypeParts.value(of: type, given, payload: nil) { return made }
    }
    if case .object(let members) = value, let member = members.first, members.count == 1,
      let given = cases.first(where: { $0.name == member.name }), let payload = given.payload
    {
      let payload = try part("." + member.name, member.value, as: payload)
      if let made = SwiftTypeParts.value(of: type, given, payload: payload) { return made }
    }
    if let raw = type as? any RawRepresentable.Type { return try rawValue(value, raw) }
    throw mismatch(value, "one of the cases \(cases.map(\.name).joined(separator: ", "))")
  }

  private mutating func rawValue<Value: RawRepresentable>(
    _ value: JSONValue, _: Value.Type
  ) throws(InvocationError) -> Any {
    guard let raw = try self.value(value, as: Value.RawValue.self) as? Value.RawValue, let made = Value(rawValue: raw) else {
      throw mismatch(value, "a case or a raw value of \(_typeName(Value.self, qualified: true))")
    }
    return made
  }
}
