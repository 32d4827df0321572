import DynamicInvocation
import Foundation
@_spi(Tools) import SwiftFunctions

/// Converts JSON values to values of Swift types, which metadata describe.
///
/// If a value cannot be read, the function is not called.
struct SwiftValueReader: JSONReader {
  /// The name of the argument's type, which errors state.
  private let argumentType: String

  var path = ""

  /// Reads an argument of the command line.
  ///
  /// - Parameters:
  ///   - word: JSON, or a bare word for a string.
  ///   - takesAnyWord: Whether a word is a string wherever a string is expected, even if it is JSON of another kind.
  /// - Returns: A value of exactly the type.
  /// - Throws: An error with the type, the path in the argument, and the reason.
  static func argument(_ word: String, as type: Any.Type, takesAnyWord: Bool) throws(InvocationError) -> Any {
    var reader = SwiftValueReader(argumentType: _typeName(type, qualified: true))
    let value: JSONValue
    do throws(InvocationError) {
      value = try GivenValue(word: word).value(asText: isText(type)) { value in
        guard takesAnyWord else { return true }
        if case .null = value { return type is any SwiftContainer.Type }
        return false
      }
    } catch {
      throw reader.failure(error.code, error.reason)
    }
    return try reader.value(value, as: type)
  }

  private static func isText(_ type: Any.Type) -> Bool {
    if let container = type as? any SwiftContainer.Type { return container.wrapped.map(isText) ?? false }
    return type == String.self || type == Substring.self || type == Character.self || type == Unicode.Scalar.self
  }

  /// Reads a value.
  ///
  /// - Returns: A value of exactly the type.
  fileprivate mutating func value(_ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    switch type {
    case is Bool.Type:
      guard case .bool(let isTrue) = value else { throw mismatch(value, "true or false") }
      return isTrue
    case is String.Type: return try text(value)
    case is Substring.Type: return Substring(try text(value))
    case is Character.Type:
      let text = try text(value)
      guard let character = text.first, text.count == 1 else { throw mismatch(value, "one character") }
      return character
    case is Unicode.Scalar.Type:
      let scalars = try text(value).unicodeScalars
      guard let scalar = scalars.first, scalars.count == 1 else { throw mismatch(value, "one Unicode scalar") }
      return scalar
    case let integer as any FixedWidthInteger.Type where Self.isStandardNumber(type): return try self.integer(value, integer)
    case let number as any (BinaryFloatingPoint & LosslessStringConvertible).Type where Self.isStandardNumber(type):
      return try self.number(value, number)
    case is CGFloat.Type: return CGFloat(try floating(value, Double.self, argumentType))
    case let container as any SwiftContainer.Type: return try container.read(value, &self)
    default: return try composite(value, as: type)
    }
  }

  private func text(_ value: JSONValue) throws(InvocationError) -> String {
    guard case .string(let text) = value else { throw mismatch(value, "a string") }
    return text
  }

  private func integer<Integer: FixedWidthInteger>(_ value: JSONValue, _: Integer.Type) throws(InvocationError) -> Any {
    try integer(value, Integer.self, argumentType, orText: Integer.bitWidth > 64)
  }

  private func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: JSONValue, _: Number.Type
  ) throws(InvocationError) -> Any {
    try floating(value, Number.self, argumentType)
  }

  /// Whether a floating-point type is one of the standard library or `CGFloat`: the initializers of others may trap.
  static func isStandardNumber(_ type: Any.Type) -> Bool {
    type == CGFloat.self || _typeName(type, qualified: true).hasPrefix("Swift.")
  }

  /// Reads a part of a value, whose name or index is added to the path.
  fileprivate mutating func typedPart<Part>(_ step: String, _ value: JSONValue, as type: Part.Type) throws(InvocationError) -> Part {
    let part = try part(step, value, as: type as Any.Type)
    guard let part = part as? Part else { throw mismatch(value, _typeName(type, qualified: true)) }
    return part
  }

  private mutating func part(_ step: String, _ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    try part(step) { (reader) throws(InvocationError) in try reader.value(value, as: type) }
  }

  // MARK: Errors

  /// Creates an error for the value at the current path.
  fileprivate func failure(_ code: InvocationError.Code, _ reason: String) -> InvocationError { failure(code, reason, argumentType) }

  /// Creates the error for a value of another kind.
  fileprivate func mismatch(_ value: JSONValue, _ wanted: String) -> InvocationError { mismatch(value, wanted, argumentType) }
}

// MARK: - Tuples, structs and enums

extension SwiftValueReader {
  /// Reads a tuple, an enum or a struct.
  ///
  /// - Throws: An error for every other type, whose values cannot be made of JSON.
  private mutating func composite(_ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    if let elements = SwiftReflection.elements(of: type) { return try tuple(value, elements, as: type) }
    if type is AnyObject.Type { throw refused("an object", type) }
    if let cases = SwiftReflection.cases(of: type), !cases.isEmpty { return try enumeration(value, cases, as: type) }
    let isObject = if case .object = value { true } else { false }
    if let raw = type as? any RawRepresentable.Type, !isObject { return try rawValue(value, raw) }
    let name = _typeName(type, qualified: true)
    if Self.openTypes.contains(ObjectIdentifier(type)), isObject, let fields = SwiftReflection.fields(of: type) {
      return try structure(value, fields, as: type)
    }
    if let decodable = SwiftCoding.decodable(type) {
      guard let decoded = SwiftCoding.value(value, as: decodable) else { throw mismatch(value, "the coding of a \(name)") }
      return decoded
    }
    // Only these modules know which values of the fields are valid.
    guard !name.hasPrefix("_"), !Self.closedModules.contains(String(name.prefix { $0 != "." })) else { throw refused("a value", type) }
    guard let fields = SwiftReflection.fields(of: type) else { throw refused("a value", type) }
    return try structure(value, fields, as: type)
  }

  /// The structs of Foundation whose stored properties are all public and may have any value.
  private static let openTypes: Set<ObjectIdentifier> = [
    ObjectIdentifier(NSRange.self), ObjectIdentifier(CGPoint.self), ObjectIdentifier(CGSize.self), ObjectIdentifier(CGRect.self),
    ObjectIdentifier(NSEdgeInsets.self), ObjectIdentifier(OperatingSystemVersion.self),
  ]

  private static let closedModules = SwiftCoding.modules.union(["Swift", "Dispatch", "Synchronization"])

  private func refused(_ what: String, _ type: Any.Type) -> InvocationError {
    failure(.unsupportedType, "\(what) of type \(_typeName(type, qualified: true)) cannot be made of JSON")
  }

  private mutating func tuple(
    _ value: JSONValue, _ elements: [SwiftReflection.Part], as type: Any.Type
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
    for (index, element) in elements.enumerated() { values.append(try part("[\(index)]", given[index], as: element.type)) }
    guard let tuple = SwiftReflection.value(of: type, parts: elements, values) else { throw refused("a tuple", type) }
    return tuple
  }

  /// The values of a tuple in order, from an object with its labels.
  private func labelled(
    _ members: [JSONValue.Member], _ elements: [SwiftReflection.Part], as type: Any.Type
  ) throws(InvocationError) -> [JSONValue] {
    let names = elements.map(\.name)
    var values: [JSONValue] = []
    for name in names {
      let given = members.filter { SwiftReflection.plainName($0.name) == name }
      guard given.count == 1, members.count == names.count else {
        let found = "[" + members.map { JSONValue.string($0.name).summary }.joined(separator: ", ") + "]"
        throw failure(.typeMismatch, "\(found) are not the labels of \(_typeName(type, qualified: true)): \(names.joined(separator: ", "))")
      }
      values.append(given[0].value)
    }
    return values
  }

  private mutating func structure(
    _ value: JSONValue, _ fields: [SwiftReflection.Part], as type: Any.Type
  ) throws(InvocationError) -> Any {
    let names = fields.map(\.name)
    guard case .object(let members) = value else { throw mismatch(value, "an object with \(names.joined(separator: ", "))") }
    if let unknown = members.first(where: { !names.contains(SwiftReflection.plainName($0.name)) }) {
      let name = JSONValue.string(unknown.name).summary
      let known = names.isEmpty ? "" : ", only " + names.joined(separator: ", ")
      throw failure(.typeMismatch, "\(_typeName(type, qualified: true)) has no field \(name)\(known)")
    }
    var values: [Any] = []
    for field in fields {
      let given = members.first { SwiftReflection.plainName($0.name) == field.name }?.value
      if given == nil, (field.type as? any SwiftContainer.Type)?.wrapped == nil {
        throw failure(.typeMismatch, "the field '\(field.name)' of type \(_typeName(field.type, qualified: true)) is missing")
      }
      values.append(try part("." + field.name, given ?? .null, as: field.type))
    }
    guard let value = SwiftReflection.value(of: type, parts: fields, values) else { throw refused("a value", type) }
    return value
  }

  private mutating func enumeration(
    _ value: JSONValue, _ cases: [SwiftReflection.Case], as enumeration: Any.Type
  ) throws(InvocationError) -> Any {
    if case .string(let name) = value, let given = cases.first(where: { $0.name == SwiftReflection.plainName(name) }) {
      guard given.payload == nil else {
        throw failure(.typeMismatch, "the case '\(name)' has a value: pass {\"\(name)\": ...}")
      }
      if let made = SwiftReflection.value(of: enumeration, given, payload: nil) { return made }
    }
    if case .object(let members) = value, let member = members.first, members.count == 1,
      let given = cases.first(where: { $0.name == SwiftReflection.plainName(member.name) }), let type = given.payload
    {
      let payload = try part("." + given.name) { (reader) throws(InvocationError) in try reader.payload(member.value, as: type) }
      if let made = SwiftReflection.value(of: enumeration, given, payload: payload) { return made }
    }
    if let raw = enumeration as? any RawRepresentable.Type { return try rawValue(value, raw) }
    throw mismatch(value, "one of the cases \(cases.map(\.name).joined(separator: ", "))")
  }

  /// Reads the payload of a case; a single labelled value may also stand without brackets and label.
  private mutating func payload(_ value: JSONValue, as type: Any.Type) throws(InvocationError) -> Any {
    guard SwiftReflection.elements(of: type)?.count == 1 else { return try self.value(value, as: type) }
    do throws(InvocationError) { return try self.value(value, as: type) } catch let withLabel {
      do throws(InvocationError) { return try self.value(.array([value]), as: type) } catch {
        switch value {
        case .array, .object: throw withLabel
        default: throw error
        }
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

// MARK: - Containers

/// A generic type of the standard library whose values are made of other values.
protocol SwiftContainer {
  /// For an optional type, the type of its value.
  static var wrapped: Any.Type? { get }

  /// Reads a value.
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any
}

extension SwiftContainer {
  static var wrapped: Any.Type? { nil }
}

extension Optional: SwiftContainer {
  static var wrapped: Any.Type? { Wrapped.self }

  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    if case .null = value { return Self.none as Any }
    return Self.some(try reader.typedPart("", value, as: Wrapped.self)) as Any
  }
}

extension SwiftValueReader {
  /// Reads the elements of an array.
  fileprivate mutating func elements<Element>(_ value: JSONValue, as type: Element.Type) throws(InvocationError) -> [Element] {
    guard case .array(let given) = value else { throw mismatch(value, "an array") }
    var elements: [Element] = []
    elements.reserveCapacity(given.count)
    for (index, each) in given.enumerated() { elements.append(try typedPart("[\(index)]", each, as: type)) }
    return elements
  }

  /// Reads the bounds of a range, an object with their names, as ``SwiftValueWriter`` writes it.
  fileprivate mutating func bounds<Bound: Comparable>(
    _ names: [String], of value: JSONValue, as type: Bound.Type
  ) throws(InvocationError) -> [Bound] {
    var bounds: [Bound] = []
    for name in names {
      guard value.members.count == names.count, let member = value.members.first(where: { $0.name == name }) else {
        throw mismatch(value, "an object with \(names.joined(separator: " and "))")
      }
      bounds.append(try typedPart("." + name, member.value, as: type))
    }
    // NaN is not a bound.
    guard bounds[0] <= bounds[bounds.count - 1] else { throw mismatch(value, "a range, whose lower bound is not above the upper one") }
    return bounds
  }
}

extension Range: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    let bounds = try reader.bounds(["lowerBound", "upperBound"], of: value, as: Bound.self)
    return bounds[0]..<bounds[1]
  }
}

extension ClosedRange: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    let bounds = try reader.bounds(["lowerBound", "upperBound"], of: value, as: Bound.self)
    return bounds[0]...bounds[1]
  }
}

extension PartialRangeFrom: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    try reader.bounds(["lowerBound"], of: value, as: Bound.self)[0]...
  }
}

extension PartialRangeUpTo: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    ..<(try reader.bounds(["upperBound"], of: value, as: Bound.self)[0])
  }
}

extension PartialRangeThrough: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    ...(try reader.bounds(["upperBound"], of: value, as: Bound.self)[0])
  }
}

/// A collection that is made of its elements.
private protocol SwiftElements: SwiftContainer, Sequence {
  init(_ elements: [Element])
}

extension SwiftElements {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    Self(try reader.elements(value, as: Element.self))
  }
}

extension Array: SwiftElements {}
extension ArraySlice: SwiftElements {}
extension ContiguousArray: SwiftElements {}
extension Set: SwiftElements {}

extension Dictionary: SwiftContainer {
  /// Reads an object, whose names are strings, numbers or cases of an enum, depending on the type of the keys, or an array of
  /// pairs.
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    var dictionary: Self = [:]
    switch value {
    case .array:
      for (key, value) in try reader.elements(value, as: (Key, Value).self) {
        guard dictionary.updateValue(value, forKey: key) == nil else { throw reader.failure(.typeMismatch, "a key is given twice") }
      }
    case .object(let members):
      for member in members {
        let isNumber = Key.self is any FixedWidthInteger.Type && WrittenNumber(decimal: member.name) != nil
        let name = JSONValue.string(member.name)
        let place = "[" + name.summary + "]"
        let key = try reader.typedPart(place, isNumber ? .number(member.name) : name, as: Key.self)
        guard dictionary.updateValue(try reader.typedPart(place, member.value, as: Value.self), forKey: key) == nil else {
          throw reader.failure(.typeMismatch, "the key \(name.summary) is given twice")
        }
      }
    default: throw reader.mismatch(value, "an object")
    }
    return dictionary
  }
}
