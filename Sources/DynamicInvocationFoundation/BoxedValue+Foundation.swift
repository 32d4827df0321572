public import DynamicInvocation
public import Foundation

extension BoxedValue {
  /// The value as Foundation has it, without loss; nil for null.
  ///
  /// - A bool and a number are an NSNumber; of 128 bits an NSDecimalNumber, which holds each of them exactly. A `long double` is an NSNumber when a
  ///   `Double` or a 64-bit integer is the same number, else its ``/DynamicInvocation/EncodedBytes``.
  /// - A text is a `String`; an object, a class, a selector and a pointer are themselves.
  /// - Geometry is an NSValue where ``nsValue`` has one, an affine transform an NSAffineTransform, any other the engine's own struct.
  /// - Other bytes stay ``/DynamicInvocation/EncodedBytes``.
  public var foundationValue: Any? {
    switch self {
    case .null: nil
    case .string(let value): value
    case .object(let value): value
    case .type(let value): value
    case .selector(let value): value
    case .pointer(let value): unsafe value
    case .longDouble(let value): Self.number(value) ?? (try? EncodedBytes(value)) as Any?
    case .value(let value): value
    default: foundationObject ?? geometry as Any?
    }
  }

  /// The value as an object of Foundation, or nil when it is null or has none.
  var foundationObject: AnyObject? {
    switch self {
    case .bool(let value): NSNumber(value: value)
    case .int(let value): NSNumber(value: value)
    case .uint(let value): NSNumber(value: value)
    case .int128(let value): NSDecimalNumber(string: "\(value)")
    case .uint128(let value): NSDecimalNumber(string: "\(value)")
    case .float(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .longDouble(let value): Self.number(value)
    case .string(let value): NSString(string: value)
    case .object(let value): value
    case .affineTransform(let value): NSAffineTransform(transform: AffineTransform(value))
    default: nsValue
    }
  }

  private static func number(_ value: LongDouble) -> NSNumber? {
    if value != value { return NSNumber(value: Double.nan) }
    if let value = Double(exactly: value) { return NSNumber(value: value) }
    if let value = Int64(exactly: value) { return NSNumber(value: value) }
    return UInt64(exactly: value).map { NSNumber(value: $0) }
  }

  /// Geometry as an NSValue; nil for what Foundation has no safe NSValue of.
  ///
  /// Those are points, sizes, rectangles, edge insets, and ranges within `Int`. Foundation on Linux ends the process for an NSValue of any other struct
  /// or of a pointer, so none is tried.
  public var nsValue: NSValue? {
    switch self {
    case .point(let value): NSValue(point: CGPoint(value))
    case .size(let value): NSValue(size: CGSize(value))
    case .rect(let value): NSValue(rect: CGRect(value))
    case .insets(let value): NSValue(edgeInsets: NSEdgeInsets(value))
    case .range(let value): NSRange(value).map { NSValue(range: $0) }
    default: nil
    }
  }
}
