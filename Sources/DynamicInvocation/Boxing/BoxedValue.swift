/// A value with its dynamic type, as an argument that does not know the parameter it will meet.
///
/// The signature decides what becomes of it, never the box: `.int(7)` is a `short` for a parameter `s` and a `double` for `d`. Conversion is exact. An
/// integer becomes another when it fits, a floating-point number when that holds it exactly, and back; a bool becomes only a bool; null becomes only
/// a pointer, an object, a class, a selector or a block. Geometry becomes any struct of its layout, whatever the struct is called.
///
/// - Complexity: The rarer and larger cases, 128-bit numbers, `long double` and transforms, hold their value on the heap.
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
  /// A floating-point number of single precision.
  case float(Float)
  /// A floating-point number of double precision.
  case double(Double)
  /// A floating-point number of C's `long double`.
  indirect case longDouble(LongDouble)
  /// A text: a C string, or the name of a selector.
  case string(String)
  /// An object.
  case object(AnyObject)
  /// A class.
  case type(AnyClass)
  /// A selector.
  case selector(Selector)
  /// An address; what it points to is not kept alive.
  case pointer(UnsafeRawPointer)
  /// A point.
  case point(Point)
  /// A size.
  case size(Size)
  /// A rectangle.
  case rect(Rect)
  /// A vector.
  case vector(Vector)
  /// A range of indices.
  case range(IndexRange)
  /// Edge insets.
  case insets(EdgeInsets)
  /// An offset.
  case offset(Offset)
  /// An affine transform of the plane.
  indirect case affineTransform(Transform2D)
  /// A transform of space.
  indirect case transform3D(Transform3D)
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
  /// Creates a number of double precision.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
}
