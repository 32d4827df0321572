internal import DynamicInvocation

/// An argument of an ``EventRecorder/Record``.
enum RecordedArgument: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  case uint(UInt)
  case float(Float)
  case double(Double)
  case string(String)
  /// A geometry struct: the name of its kind, and its numbers.
  case geometry(Shape, [Double])
  /// A value that is not saved, with its description by kind.
  case notSaved(String)

  enum Shape: String, Codable, Sendable {
    case point, size, rect, vector, offset, insets

    var numberCount: Int {
      switch self {
      case .point, .size, .vector, .offset: 2
      case .rect, .insets: 4
      }
    }
  }

  init(_ box: BoxedValue) {
    self =
      switch box {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .uint(let value): .uint(value)
      case .float(let value): .float(value)
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      case .point(let value): .geometry(.point, [value.x, value.y])
      case .size(let value): .geometry(.size, [value.width, value.height])
      case .rect(let value): .geometry(.rect, [value.origin.x, value.origin.y, value.size.width, value.size.height])
      case .vector(let value): .geometry(.vector, [value.dx, value.dy])
      case .offset(let value): .geometry(.offset, [value.horizontal, value.vertical])
      case .insets(let value): .geometry(.insets, [value.top, value.left, value.bottom, value.right])
      case .object(let object): .notSaved("an object of the class \(type(of: object))")
      case .type: .notSaved("a class")
      case .selector: .notSaved("a selector")
      case .pointer: .notSaved("a pointer")
      case .int128, .uint128: .notSaved("a number of 128 bits")
      case .longDouble: .notSaved("a long double")
      case .range: .notSaved("a range")
      case .affineTransform, .transform3D: .notSaved("a transform")
      case .value(let value): .notSaved("a value of the type \(value.encoding)")
      }
  }

  /// The box; nil if the argument was not saved.
  var box: BoxedValue? {
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .uint(let value): return .uint(value)
    case .float(let value): return .float(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .geometry(let kind, let n):
      switch kind {
      case .point: return .point(Geometry.Point(x: n[0], y: n[1]))
      case .size: return .size(Geometry.Size(width: n[0], height: n[1]))
      case .rect: return .rect(Geometry.Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
      case .vector: return .vector(Geometry.Vector(dx: n[0], dy: n[1]))
      case .offset: return .offset(Geometry.Offset(horizontal: n[0], vertical: n[1]))
      case .insets: return .insets(Geometry.EdgeInsets(top: n[0], left: n[1], bottom: n[2], right: n[3]))
      }
    case .notSaved: return nil
    }
  }
}

extension RecordedArgument: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case null, bool, int, uint, float, double, string, point, size, rect, vector, offset, insets, notSaved
  }

  /// A key of any name, to find those that are unknown.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    guard try decoder.container(keyedBy: AnyKey.self).allKeys.count == 1, let key = values.allKeys.first else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "an argument has one value"))
    }
    switch key {
    case .null:
      guard try values.decode(Bool.self, forKey: key) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "null is written as true")
      }
      self = .null
    case .bool: self = .bool(try values.decode(Bool.self, forKey: key))
    case .int: self = .int(try values.decode(Int.self, forKey: key))
    case .uint: self = .uint(try values.decode(UInt.self, forKey: key))
    case .float:
      let number = try values.decode(RecordedNumber.self, forKey: key).value
      guard let value = number.isNaN ? Float(number) : Float(exactly: number) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "\(number) is no Float")
      }
      self = .float(value)
    case .double: self = .double(try values.decode(RecordedNumber.self, forKey: key).value)
    case .string: self = .string(try values.decode(String.self, forKey: key))
    case .notSaved: self = .notSaved(try values.decode(String.self, forKey: key))
    case .point, .size, .rect, .vector, .offset, .insets:
      let numbers = try values.decode([RecordedNumber].self, forKey: key).map(\.value)
      guard let kind = Shape(rawValue: key.rawValue), numbers.count == kind.numberCount else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "another number of numbers")
      }
      self = .geometry(kind, numbers)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .null: try values.encode(true, forKey: .null)
    case .bool(let value): try values.encode(value, forKey: .bool)
    case .int(let value): try values.encode(value, forKey: .int)
    case .uint(let value): try values.encode(value, forKey: .uint)
    case .float(let value): try values.encode(RecordedNumber(value: Double(value)), forKey: .float)
    case .double(let value): try values.encode(RecordedNumber(value: value), forKey: .double)
    case .string(let value): try values.encode(value, forKey: .string)
    case .notSaved(let value): try values.encode(value, forKey: .notSaved)
    case .geometry(let kind, let numbers):
      guard let key = Key(rawValue: kind.rawValue) else { preconditionFailure("each kind has a key") }
      try values.encode(numbers.map { RecordedNumber(value: $0) }, forKey: key)
    }
  }
}

/// A floating-point number; infinities and NaN are text, as some formats have no such numbers.
private struct RecordedNumber: Codable {
  let value: Double

  init(value: Double) { self.value = value }

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let value = try? single.decode(Double.self) {
      self.value = value
    } else if case let text = try single.decode(String.self), let value = Double(text), !value.isFinite, "\(value)" == text {
      self.value = value
    } else {
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "this is no number")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    if value.isFinite { try single.encode(value) } else { try single.encode("\(value)") }
  }
}
