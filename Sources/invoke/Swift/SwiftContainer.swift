import DynamicInvocation

/// A generic type of the standard library whose values are made of other values.
protocol SwiftContainer {
  /// For an optional type, the type of its value.
  static var wrapped: Any.Type? { get }

  /// Reads a value.
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any
}

extension SwiftContainer {
  static var wrapped: Any.Type? { nil }

  /// Reads the elements of an array.
  fileprivate static func elements<Element>(
    _ value: JSONValue, _ reader: inout SwiftValueReader, as type: Element.Type
  ) throws(InvocationError) -> [Element] {
    guard case .array(let given) = value else { throw reader.mismatch(value, "an array") }
    var elements: [Element] = []
    elements.reserveCapacity(given.count)
    for (index, each) in given.enumerated() {
      guard let element = try reader.part("[\(index)]", each, as: Element.self) as? Element else {
        throw reader.mismatch(each, _typeName(Element.self, qualified: true))
      }
      elements.append(element)
    }
    return elements
  }
}

extension Optional: SwiftContainer {
  static var wrapped: Any.Type? { Wrapped.self }

  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    if case .null = value { return Self.none as Any }
    guard let some = try reader.value(value, as: Wrapped.self) as? Wrapped else {
      throw reader.mismatch(value, _typeName(Wrapped.self, qualified: true))
    }
    return Self.some(some) as Any
  }
}

extension SwiftContainer {
  /// Reads the bounds of a range, an object as ``SwiftValueWriter`` writes it.
  fileprivate static func bounds<Bound: Comparable>(
    _ value: JSONValue, _ reader: inout SwiftValueReader, as type: Bound.Type
  ) throws(InvocationError) -> (Bound, Bound) {
    guard case .object(let members) = value, members.count == 2, let first = members.first(where: { $0.name == "lowerBound" }),
      let last = members.first(where: { $0.name == "upperBound" })
    else { throw reader.mismatch(value, "an object with lowerBound and upperBound") }
    guard let lower = try reader.part(".lowerBound", first.value, as: type) as? Bound,
      let upper = try reader.part(".upperBound", last.value, as: type) as? Bound, lower <= upper
    else { throw reader.mismatch(value, "a range, whose lower bound is not above the upper one") }
    return (lower, upper)
  }
}

extension SwiftContainer {
  /// Reads the only bound of a range.
  fileprivate static func bound<Bound: Comparable>(
    _ name: String, _ value: JSONValue, _ reader: inout SwiftValueReader, as type: Bound.Type
  ) throws(InvocationError) -> Bound {
    guard case .object(let members) = value, members.count == 1, members[0].name == name,
      let bound = try reader.part("." + name, members[0].value, as: type) as? Bound,
      // Not a number.
      bound == bound
    else { throw reader.mismatch(value, "an object with \(name)") }
    return bound
  }
}

extension Range: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    let (lower, upper) = try bounds(value, &reader, as: Bound.self)
    return lower..<upper
  }
}

extension ClosedRange: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    let (lower, upper) = try bounds(value, &reader, as: Bound.self)
    return lower...upper
  }
}

extension PartialRangeFrom: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    try bound("lowerBound", value, &reader, as: Bound.self)...
  }
}

extension PartialRangeUpTo: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    ..<(try bound("upperBound", value, &reader, as: Bound.self))
  }
}

extension PartialRangeThrough: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    ...(try bound("upperBound", value, &reader, as: Bound.self))
  }
}

extension Array: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    try elements(value, &reader, as: Element.self)
  }
}

extension ArraySlice: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    try elements(value, &reader, as: Element.self)[...]
  }
}

extension ContiguousArray: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    ContiguousArray(try elements(value, &reader, as: Element.self))
  }
}

extension Set: SwiftContainer {
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    Set(try elements(value, &reader, as: Element.self))
  }
}

extension Dictionary: SwiftContainer {
  /// Reads an object, whose names are strings, numbers or cases of an enum, as the type of the keys is, or an array of
  /// pairs.
  static func read(_ value: JSONValue, _ reader: inout SwiftValueReader) throws(InvocationError) -> Any {
    if case .array = value {
      var dictionary: Self = [:]
      for (key, value) in try elements(value, &reader, as: (Key, Value).self) {
        guard dictionary.updateValue(value, forKey: key) == nil else { throw reader.failure(.typeMismatch, "a key is given twice") }
      }
      return dictionary
    }
    guard case .object(let members) = value else { throw reader.mismatch(value, "an object") }
    var dictionary: Self = [:]
    for member in members {
      let isNumber = Key.self is any FixedWidthInteger.Type && DecimalNumber(member.name) != nil
      let name = JSONValue.string(member.name)
      let place = "[" + name.summary + "]"
      guard let key = try reader.part(place, isNumber ? .number(member.name) : name, as: Key.self) as? Key,
        let value = try reader.part(place, member.value, as: Value.self) as? Value
      else { throw reader.mismatch(name, "a key") }
      guard dictionary.updateValue(value, forKey: key) == nil else {
        throw reader.failure(.typeMismatch, "the key \(name.summary) is given twice")
      }
    }
    return dictionary
  }
}
