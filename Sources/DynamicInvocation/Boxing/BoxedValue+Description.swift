extension BoxedValue: CustomStringConvertible {
  /// The value as text: numbers as Swift prints them, strings in quotes, structs in braces, objects by their type.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .int128(let value): "\(value)"
    case .uint128(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .longDouble(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .object(let value): "<\(Swift.type(of: value))>"
    case .type(let value): "\(value)"
    case .selector(let value): "\(value)"
    case .pointer(let value): "0x" + String(UInt(bitPattern: value), radix: 16)
    case .point(let value): "\(value)"
    case .size(let value): "\(value)"
    case .rect(let value): "\(value)"
    case .vector(let value): "\(value)"
    case .range(let value): "\(value)"
    case .insets(let value): "\(value)"
    case .offset(let value): "\(value)"
    case .affineTransform(let value): "\(value)"
    case .transform3D(let value): "\(value)"
    case .value(let value): "\(value)"
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
    case .value(let value): "value of type \(value.encoding)"
    }
  }
}

extension EncodedBytes: CustomStringConvertible {
  /// The parts in braces, at most the first 32 of them.
  public var description: String {
    let shown = (0..<min(count, 32)).map { "\(self[$0])" }
    return "{" + (shown + (count > 32 ? ["..."] : [])).joined(separator: ", ") + "}"
  }
}
