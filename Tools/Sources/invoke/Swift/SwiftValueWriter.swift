import DynamicInvocation
import Foundation
@_spi(Tools) import SwiftFunctions

/// Converts Swift values to JSON values by reflection: the inverse of ``SwiftValueReader``.
enum SwiftValueWriter {
  /// The deepest nesting of values.
  private static let deepest = 512

  /// Returns the JSON value of a value; null for nil and for no result.
  ///
  /// An object, a function and a type are their descriptions: objects may refer to each other in a cycle.
  ///
  /// - Throws: `limitExceeded` if the value is nested deeper than 512 levels.
  static func json(_ value: Any, depth: Int = 0) throws(InvocationError) -> JSONValue {
    guard depth < deepest else {
      throw InvocationError(.limitExceeded, "the value is nested deeper than \(deepest) levels", argument: .result)
    }
    if let scalar = scalar(value) { return scalar }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle != .enum, let coded = SwiftCoding.json(value) { return coded }
    let children = Array(mirror.children)
    func all(_ values: some Sequence<Any>) throws(InvocationError) -> [JSONValue] {
      var list: [JSONValue] = []
      for value in values { list.append(try json(value, depth: depth + 1)) }
      return list
    }
    switch mirror.displayStyle {
    case .optional: return try children.first.map { (child) throws(InvocationError) in try json(child.value, depth: depth + 1) } ?? .null
    case .tuple: return value is Void ? .null : .array(try all(children.map(\.value)))
    case .collection: return .array(try all(children.map(\.value)))
    // The order of a set and of a dictionary differs from run to run.
    case .set: return .array(try all(children.map(\.value)).sorted { $0.text < $1.text })
    case .dictionary: return dictionary(try all(children.map(\.value)))
    case .enum: return try enumeration(value, children.first, depth)
    // Ranges reflect their bounds as members without a style.
    case nil where value is any RangeExpression: return try members(children, depth)
    case .struct where children.isEmpty && value is any CustomReflectable: return .string(String(describing: value))
    case .struct where children.allSatisfy { $0.label != nil }: return try members(children, depth)
    default: return .string(String(describing: value))
    }
  }

  private static func members(_ children: [Mirror.Child], _ depth: Int) throws(InvocationError) -> JSONValue {
    var members: [JSONValue.Member] = []
    for child in children {
      members.append(JSONValue.Member(SwiftReflection.plainName(child.label ?? ""), try json(child.value, depth: depth + 1)))
    }
    return .object(members)
  }

  private static func scalar(_ value: Any) -> JSONValue? {
    switch value {
    case let value as Bool: return .bool(value)
    case let value as String: return .string(value)
    case let value as Substring: return .string(String(value))
    case let value as Character: return .string(String(value))
    case let value as Unicode.Scalar: return .string(String(Character(value)))
    // Number types of other modules are shown as what they are made of.
    case let value as any FixedWidthInteger where SwiftValueReader.isStandardNumber(type(of: value)):
      return type(of: value).bitWidth > 64 ? .string("\(value)") : .integer(value)
    case let value as any (BinaryFloatingPoint & CustomStringConvertible) where SwiftValueReader.isStandardNumber(type(of: value)):
      return ValueWriter.number(value)
    case let value as any _Pointer: return .string(address(value))
    default: return nil
    }
  }

  private static func address(_ pointer: some _Pointer) -> String { "0x" + String(UInt(bitPattern: pointer), radix: 16) }

  /// Returns an object if the keys are strings, integers or cases of enums, else an array of pairs.
  private static func dictionary(_ pairs: [JSONValue]) -> JSONValue {
    var members: [JSONValue.Member] = []
    for case .array(let pair) in pairs where pair.count == 2 {
      switch pair[0] {
      case .string(let name), .number(let name): members.append(JSONValue.Member(name, pair[1]))
      default: return .array(pairs.sorted { $0.text < $1.text })
      }
    }
    return .object(members.sorted { $0.name < $1.name })
  }

  /// Returns the name of the case, or an object with the name and the payload.
  private static func enumeration(_ value: Any, _ payload: Mirror.Child?, _ depth: Int) throws(InvocationError) -> JSONValue {
    guard let name = SwiftReflection.caseName(of: value) ?? payload?.label.map(SwiftReflection.plainName) else {
      return .string(String(describing: value))
    }
    guard let payload else { return .string(name) }
    return .object([JSONValue.Member(name, try json(payload.value, depth: depth + 1))])
  }
}

/// Values of Foundation's types as their coding specifies: a date is a number, a URL is a string.
///
/// The stored properties of these types are private, and only Foundation knows which of their values are valid.
enum SwiftCoding {
  static let modules: Set<String> = [
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
