extension BoxedValue: CustomStringConvertible {
  /// The value as text: numbers as Swift prints them, strings in quotes, structs in braces, objects by their type.
  ///
  /// A union is its bytes, in parentheses, as hexadecimal digits. References among the bytes of a value are not followed: they are addresses.
  ///
  /// - Complexity: O(bytes of the text), at most some 4,000.
  public var description: String {
    var text = ValueText()
    text.write(self)
    return text.text
  }

  /// Several values as text, within the bounds of one: when they are reached, the others are `...`.
  package static func descriptions(of values: [BoxedValue]) -> [String] {
    var text = ValueText()
    var length = 0
    return values.map { value in
      guard !text.isFull else { return "..." }
      text.write(value)
      defer { length = text.text.utf8.count }
      return String(text.text.utf8.dropFirst(length)) ?? ""
    }
  }

  /// What the box holds, in a word, for messages.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int, .uint, .int128, .uint128: "integer"
    case .float, .double, .longDouble: "number"
    case .string: "string"
    case .object: "object"
    case .type: "class"
    case .selector: "selector"
    case .pointer: "pointer"
    case .point: "point"
    case .size: "size"
    case .rect: "rect"
    case .vector: "vector"
    case .range: "range"
    case .insets: "edge insets"
    case .offset: "offset"
    case .affineTransform: "affine transform"
    case .transform3D: "3D transform"
    case .value(let value): "value of type \(value.encoding.shortText)"
    }
  }
}

extension EncodedBytes: CustomStringConvertible {
  /// The parts in braces, at most the first 32 of each struct or array; of a union the bytes, of a scalar the value.
  ///
  /// - Complexity: O(bytes of the text), at most some 4,000.
  public var description: String {
    var text = ValueText()
    text.write(self)
    return text.text
  }
}
