/// A step of the file: a call, a property that is set, or an undo.
final class Step: Decodable {
  /// The name of a function, method or property.
  let call: String?
  /// The name of a property.
  let set: String?
  let undo: Bool?
  let arguments: [JSONValue]?
  /// The new value of the property.
  let to: JSONValue?
  /// The call that undoes this one.
  let inverse: Step?
}

/// A value of a JSON file.
enum JSONValue: Decodable {
  case value(Any)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .value(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .value(number)
    } else if let number = try? container.decode(Double.self) {
      self = .value(number)
    } else {
      self = .value(try container.decode(String.self))
    }
  }

  var any: Any {
    switch self {
    case .value(let value): value
    }
  }
}
