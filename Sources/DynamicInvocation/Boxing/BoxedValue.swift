/// A value with its dynamic type, for an argument whose parameter type is not known when the value is created.
///
/// The signature decides the conversion, not the box: `.int(7)` becomes a `short` for a parameter `s` and a `double`
/// for `d`. Conversion is exact. An integer converts to another integer type if it fits, to a floating-point number if
/// that represents it exactly, and back. A bool converts only to a bool. Null converts only to a pointer, an object, a
/// class, a selector or a block. Geometry converts to any struct with its layout, whatever the name of the struct.
///
/// - Complexity: The rarer and larger cases, 128-bit numbers, `long double` and transforms, store their value on the
///   heap.
@safe
public enum BoxedValue {
  /// Null.
  case null
  /// A bool.
  case bool(Bool)
  /// A signed integer.
  case int(Int)
  /// An unsigned integer.
  case uint(UInt)
  /// A signed integer of 128 bits.
  indirect case int128(Int128)
  /// An unsigned integer of 128 bits.
  indirect case uint128(UInt128)
  /// A single-precision floating-point number.
  case float(Float)
  /// A double-precision floating-point number.
  case double(Double)
  /// A number of C's `long double`.
  indirect case longDouble(LongDouble)
  /// A string: a C string, or the name of a selector.
  case string(String)
  /// An object.
  case object(AnyObject)
  /// A class.
  case type(AnyClass)
  /// A selector.
  case selector(MethodSelector)
  /// An address; it does not keep the memory alive.
  case pointer(UnsafeRawPointer)
  /// A point.
  case point(Geometry.Point)
  /// A size.
  case size(Geometry.Size)
  /// A rectangle.
  case rect(Geometry.Rect)
  /// A vector.
  case vector(Geometry.Vector)
  /// A range of indices.
  case range(Geometry.IndexRange)
  /// Edge insets.
  case insets(Geometry.EdgeInsets)
  /// An offset.
  case offset(Geometry.Offset)
  /// A two-dimensional affine transform.
  indirect case affineTransform(Geometry.Transform2D)
  /// A three-dimensional transform.
  indirect case transform3D(Geometry.Transform3D)
  /// Any value as its bytes and its type: a struct, a union, an array, a vector, a complex number.
  case value(EncodedBytes)
}

extension BoxedValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a bool.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a signed integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a double-precision number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension BoxedValue: CustomStringConvertible {
  /// The value as text: numbers as Swift prints them, strings in quotes, structs in braces, objects by their type.
  ///
  /// A union is shown as its bytes in parentheses, as hexadecimal digits. References within the bytes of a value are
  /// not followed: they are shown as addresses.
  ///
  /// - Complexity: O(bytes of the text), at most about 4,000.
  public var description: String {
    var text = ValueText()
    text.write(self)
    return text.text
  }

  /// Returns several values as text, with the length limit of one value.
  ///
  /// After the limit, each remaining value is `...`.
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
}

// MARK: By case

extension BoxedValue {
  /// The kind of value in one word, for messages.
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
    case .point, .size, .rect, .vector, .range, .insets, .offset, .affineTransform, .transform3D:
      unsafe withGeometry { type, _ in type.word } ?? ""
    case .value(let value): "value of type \(value.encoding.shortText)"
    }
  }

  /// Calls a closure with the type and the bytes of the geometry struct in the box; returns nil for any other value.
  func withGeometry<Result>(_ body: (any GeometryStruct.Type, UnsafeRawBufferPointer) -> Result) -> Result? {
    func lend<Value: GeometryStruct>(_ value: Value) -> Result { unsafe withUnsafeBytes(of: value) { unsafe body(Value.self, $0) } }
    return switch self {
    case .point(let value): lend(value)
    case .size(let value): lend(value)
    case .rect(let value): lend(value)
    case .vector(let value): lend(value)
    case .range(let value): lend(value)
    case .insets(let value): lend(value)
    case .offset(let value): lend(value)
    case .affineTransform(let value): lend(value)
    case .transform3D(let value): lend(value)
    case .null, .bool, .int, .uint, .int128, .uint128, .float, .double, .longDouble, .string, .object, .type, .selector, .pointer, .value:
      nil
    }
  }

  /// The geometry struct in the box, or nil for any other value.
  package var geometry: (any GeometryStruct)? { unsafe withGeometry { type, bytes in unsafe type.init(copying: bytes) } }
}

extension ValueText {
  /// Writes a boxed value: numbers as Swift prints them, strings in quotes, structs in braces, objects by their type.
  package mutating func write(_ value: BoxedValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append("\(value)")
    case .int(let value): append("\(value)")
    case .uint(let value): append("\(value)")
    case .int128(let value): append("\(value)")
    case .uint128(let value): append("\(value)")
    case .float(let value): append("\(value)")
    case .double(let value): append("\(value)")
    case .longDouble(let value): append("\(value)")
    case .string(let value): writeQuoted(value)
    case .object(let value): append("<\(Swift.type(of: value))>")
    case .type(let value): append("\(value)")
    case .selector(let value): write(selector: UInt(bitPattern: unsafe value.pointer))
    case .pointer(let value): write(address: UInt(bitPattern: value))
    case .point, .size, .rect, .vector, .range, .insets, .offset, .affineTransform, .transform3D:
      append(value.geometry?.description ?? "")
    case .value(let value): write(value)
    }
  }
}
