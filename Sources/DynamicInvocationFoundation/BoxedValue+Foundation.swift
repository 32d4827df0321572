public import DynamicInvocation
public import Foundation
#if canImport(QuartzCore)
  internal import QuartzCore
#endif
#if canImport(UIKit)
  internal import UIKit
#endif

extension BoxedValue {
  /// The value as a Swift or Foundation value, without loss; nil for null.
  ///
  /// - A Boolean or a number is an NSNumber. A 128-bit integer is an NSDecimalNumber, which represents it exactly. A
  ///   `long double` is an NSNumber if a `Double` or a 64-bit integer represents it exactly, otherwise its
  ///   ``/DynamicInvocation/EncodedBytes``.
  /// - A text is a `String`. An object, a class, a selector and a pointer are themselves.
  /// - Geometry is an NSValue if ``nsValue`` supports it, an affine transform is an NSAffineTransform, and any other
  ///   geometry is the engine's own struct.
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

  /// The value as a Foundation object, or nil if it is null or there is no such object.
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
    case .affineTransform(let value): Self.object(value) ?? nsValue
    default: nsValue
    }
  }

  /// The object that macOS and Linux have for an affine transform.
  private static func object(_ transform: Geometry.Transform2D) -> AnyObject? {
    #if canImport(UIKit)
      nil
    #else
      NSAffineTransform(transform: AffineTransform(transform))
    #endif
  }

  private static func number(_ value: LongDouble) -> NSNumber? {
    if value != value { return NSNumber(value: Double.nan) }
    if let value = Double(exactly: value) { return NSNumber(value: value) }
    if let value = Int64(exactly: value) { return NSNumber(value: value) }
    return UInt64(exactly: value).map { NSNumber(value: $0) }
  }

  /// Geometry as an NSValue; nil for other values and for geometry that Foundation's NSValue does not support safely.
  ///
  /// Points, sizes, rectangles, edge insets, and ranges within `Int` are supported, on Apple's platforms also vectors and
  /// transforms, with UIKit also offsets. Foundation on Linux ends the process for an NSValue of any other struct or of a
  /// pointer, so none is created.
  public var nsValue: NSValue? {
    switch self {
    case .range(let value): NSRange(value).map { NSValue(range: $0) }
    #if canImport(Darwin)
      case .point(let value): NSValue.copying(CGPoint(value))
      case .size(let value): NSValue.copying(CGSize(value))
      case .rect(let value): NSValue.copying(CGRect(value))
      case .vector(let value): NSValue.copying(CGVector(value))
      case .affineTransform(let value): NSValue.copying(CGAffineTransform(value))
      #if canImport(QuartzCore)
        case .transform3D(let value): NSValue.copying(CATransform3D(value))
      #endif
      #if canImport(UIKit)
        case .insets(let value): NSValue.copying(UIEdgeInsets(value))
        case .offset(let value): NSValue.copying(UIOffset(value))
      #else
        case .insets(let value): NSValue.copying(NSEdgeInsets(value))
      #endif
    #else
      case .point(let value): NSValue(point: CGPoint(value))
      case .size(let value): NSValue(size: CGSize(value))
      case .rect(let value): NSValue(rect: CGRect(value))
      case .insets(let value): NSValue(edgeInsets: NSEdgeInsets(value))
    #endif
    default: nil
    }
  }
}

#if canImport(Darwin)
  extension NSValue {
    /// Returns a value with the bytes of a struct.
    fileprivate static func copying<Value: _BridgedGeometry>(_ value: Value) -> NSValue {
      unsafe withUnsafePointer(to: value) { unsafe NSValue(bytes: $0, objCType: Value.typeEncoding.description) }
    }
  }
#endif
