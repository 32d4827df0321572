import SwiftFunctions
import DynamicInvocation
import Foundation

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
    if Self.openTypes.contains(ObjectIdentifier(type)), Self.isObject(value), let fields = SwiftTypeParts.fields(of: type) {
      return try structure(value, fields, as: type)
    }
    if let decodable = SwiftCoding.decodable(type) {
      guard let decoded = SwiftCoding.value(value, as: decodable) else { throw mismatch(value, "the coding of a \(name)") }
      return decoded
    }
    // Which values of the fields are valid is known to these modules only.
    guard !name.hasPrefix("_"), !Self.closedModules.contains(String(name.prefix { $0 != "." })) else { throw refused("a value", type) }
    guard let fields = SwiftTypeParts.fields(of: type) else { throw refused("a value", type) }
    return try structure(value, fields, as: type)
  }

  /// The structs of Foundation all of whose stored properties are public and of which all values are valid.
  private static let openTypes: Set<ObjectIdentifier> = [
    ObjectIdentifier(NSRange.self), ObjectIdentifier(CGPoint.self), ObjectIdentifier(CGSize.self), ObjectIdentifier(CGRect.self),
    ObjectIdentifier(NSEdgeInsets.self), ObjectIdentifier(OperatingSystemVersion.self),
  ]

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
    let given: [JSONValue]
    switch value {
    case .array(let list): given = list
    case .object(let members): given = try labelled(members, elements, as: type)
    default: throw mismatch(value, "an array of \(elements.count)")
    }
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

  /// The values of a tuple in order, from an object with its labels.
  private func labelled(
    _ members: [JSONValue.Member], _ elements: [SwiftTypeParts.Part], as type: Any.Type
  ) throws(InvocationError) -> [JSONValue] {
    let names = elements.map(\.name)
    var values: [JSONValue] = []
    for name in names {
      let given = members.filter { SwiftTypeParts.plainName($0.name) == name }
      guard given.count == 1, members.count == names.count else {
        let found = "[" + members.map { JSONValue.string($0.name).summary }.joined(separator: ", ") + "]"
        throw failure(.typeMismatch, "\(found) are not the labels of \(_typeName(type, qualified: true)): \(names.joined(separator: ", "))")
      }
      values.append(given[0].value)
    }
    return values
  }

  // MARK: Structs

  private mutating func structure(
    _ value: JSONValue, _ fields: [SwiftTypeParts.Part], as type: Any.Type
  ) throws(InvocationError) -> Any {
    let names = fields.map(\.name)
    guard case .object(let members) = value else {
      throw mismatch(value, "an object with \(names.joined(separator: ", "))")
    }
    if let unknown = members.first(where: { !names.contains(SwiftTypeParts.plainName($0.name)) }) {
      let name = JSONValue.string(unknown.name).summary
      let known = names.isEmpty ? "" : ", only " + names.joined(separator: ", ")
      throw failure(.typeMismatch, "\(_typeName(type, qualified: true)) has no field \(name)\(known)")
    }
    var values: [Any] = []
    for field in fields {
      let given = members.first { SwiftTypeParts.plainName($0.name) == field.name }?.value
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
    _ value: JSONValue, _ cases: [SwiftTypeParts.Case], as enumeration: Any.Type
  ) throws(InvocationError) -> Any {
    if case .string(let name) = value, let given = cases.first(where: { $0.name == SwiftTypeParts.plainName(name) }) {
      guard given.payload == nil else {
        throw failure(.typeMismatch, "the case '\(name)' has a value: pass {\"\(name)\": ...}")
      }
      if let made = SwiftTypeParts.value(of: enumeration, given, payload: nil) { return made }
    }
    if case .object(let members) = value, let member = members.first, members.count == 1,
      let given = cases.first(where: { $0.name == SwiftTypeParts.plainName(member.name) }), let type = given.payload
    {
      let outer = path
      path += "." + given.name
      let payload = try payload(member.value, as: type)
      path = outer
      if let made = SwiftTypeParts.value(of: enumeration, given, payload: payload) { return made }
    }
    if let raw = enumeration as? any RawRepresentable.Type { return try rawValue(value, raw) }
    throw mismatch(value, "one of the cases \(cases.map(\.name).joined(separator: ", "))")
  }

  /// Reads the value of a case; the only one, if it has a label, also without brackets and label.
  private mutating func payload(_ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    guard SwiftTypeParts.elements(of: type)?.count == 1 else { return try self.value(value, as: type) }
    let outer = path
    do throws(InvocationError) { return try self.value(value, as: type) } catch let withLabel {
      let failed = path
      path = outer
      do throws(InvocationError) { return try self.value(.array([value]), as: type) } catch {
        switch value {
        case .array, .object: path = failed
        default: throw error
        }
        throw withLabel
      }
    }
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
