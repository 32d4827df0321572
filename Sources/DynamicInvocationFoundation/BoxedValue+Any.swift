public import DynamicInvocation
package import Foundation

#if canImport(QuartzCore)
  internal import QuartzCore
#endif

#if canImport(UIKit)
  internal import UIKit
#endif

extension BoxedValue {
  /// Creates a box of any Swift or Foundation value.
  ///
  /// - nil, NSNull, and an empty optional inside `Any` are null. Other optionals and `AnyHashable` are unwrapped.
  /// - An NSNumber is the Boolean, integer or floating-point number that it stores, regardless of its `objCType`. An
  ///   NSDecimalNumber or `Decimal` is an integer if it is whole, otherwise a `Double` if that is exact.
  /// - A `String` or NSString is a text. An NSValue, NSAffineTransform or struct of geometry is geometry. An NSValue of
  ///   a scalar or an array is that scalar or array.
  /// - All number types of Swift, pointers, classes, selectors, ``/DynamicInvocation/EncodedBytes``,
  ///   ``/DynamicInvocation/BoxedValue`` itself, and structs without references that declare an encoding keep their
  ///   type.
  /// - Any other object is an object, and so is a Swift value that Foundation bridges to one: `Data` as NSData, an
  ///   array as NSArray.
  ///
  /// - Parameters:
  ///   - any: The value.
  ///   - options: With `truncating`, a decimal number that is not exact in double precision is rounded to it.
  /// - Throws: `.DynamicInvocation.InvocationError` `typeMismatch` with the dynamic type of any other value,
  ///   `inexact` for a decimal fraction, `outOfRange` for a negative range.
  /// - Complexity: O(bytes of the value), with some dynamic casts. Texts and bytes are copied.
  public init(_ any: Any?, options: ConversionOptions = []) throws(InvocationError) {
    guard let value = Self.unwrapped(any) else {
      self = .null
      return
    }
    if Swift.type(of: value) is AnyClass {
      self = try Self(object: value as AnyObject, options)
    } else if let box = try Self.box(of: value, options) {
      self = box
    } else if let pointer = value as? any _EncodedPointer {
      self = unsafe UnsafeRawPointer(bitPattern: pointer.addressBits).map { unsafe .pointer($0) } ?? .null
    } else if let type = value as? AnyClass {
      self = .type(type)
    } else if let value = value as? any EncodedValue {
      self = .value(try Self.bytes(of: value))
    } else if let value = value as? any _ObjectiveCBridgeable {
      self = try Self(object: value._bridgeToObjectiveC() as AnyObject, options)
    } else {
      throw Self.noBox(value)
    }
  }

  /// Creates a box of any Swift or Foundation value for a parameter, whose type determines the conversion.
  ///
  /// For an object type, `@`, an object is itself, including an NSNumber, and a Swift value becomes the object that
  /// Foundation bridges it to. For any other type the box is made by ``init(_:options:)``.
  ///
  /// - Parameters:
  ///   - any: The value.
  ///   - type: The parameter's type.
  ///   - options: The options, as without a type.
  /// - Throws: `.DynamicInvocation.InvocationError` `typeMismatch` for a value that is not an object where an object
  ///   is required, and the errors of ``init(_:options:)``.
  /// - Complexity: O(bytes of the value), with some dynamic casts. A text and a bridged object allocate.
  public init(_ any: Any?, for type: TypeEncoding, options: ConversionOptions = []) throws(InvocationError) {
    guard case .object = type.kind else {
      try self.init(any, options: options)
      return
    }
    self = try ObjectBridge.object(for: any).map { .object($0) } ?? .null
  }

  /// Returns the box of a value, or nil if its type has no box.
  static func box(of value: Any, _ options: ConversionOptions) throws(InvocationError) -> BoxedValue? {
    if let value = value as? any FoundationBoxable { return try value.boxed(options) }
    if let number = value as? any ScalarInteger { return box(of: number) }
    return (value as? any GeometryStruct)?.box
  }

  private static func box<Number: ScalarInteger>(of number: Number) -> BoxedValue {
    guard Number.isSigned else { return UInt(exactly: number).map { .uint($0) } ?? .uint128(UInt128(number)) }
    return Int(exactly: number).map { .int($0) } ?? .int128(Int128(number))
  }

  private init(object: AnyObject, _ options: ConversionOptions) throws(InvocationError) {
    switch object {
    case is NSNull: self = .null
    case let number as NSNumber: self = try number.boxed(options)
    case let value as NSValue: self = try value.boxed()
    case let text as NSString: self = .string(String(describing: text))
    default:
      #if !canImport(UIKit)
        if let transform = object as? NSAffineTransform {
          self = .affineTransform(Geometry.Transform2D(transform))
          return
        }
      #endif
      self = .object(object)
    }
  }

  /// Returns the value without the optionals and hashable wrappers around it, or nil for an empty optional.
  static func unwrapped(_ any: Any?) -> Any? {
    guard var value = any else { return nil }
    while let wrapper = value as? any AnyWrapper {
      guard let inner = wrapper.wrapped else { return nil }
      value = inner
    }
    return value
  }

  static func noBox(_ value: Any) -> InvocationError {
    InvocationError(.typeMismatch, "a value of type \(Swift.type(of: value)) has no box")
  }

  /// Returns the bytes of a value that declares its encoding and contains no references.
  private static func bytes<Value: EncodedValue>(of value: Value) throws(InvocationError) -> EncodedBytes {
    // Only the compiler knows whether a type is bitwise copyable. That it has nothing to retain is also known at run
    // time.
    guard _isPOD(Value.self) else { throw noBox(value) }
    return try EncodedBytes(storing: value)
  }
}

// MARK: - Foundation

extension BoxedValue {
  /// The value as a Swift or Foundation value, without loss; nil for null.
  ///
  /// - A Boolean or a number is an NSNumber. A 128-bit integer is an NSDecimalNumber, which represents it exactly. A
  ///   `long double` is an NSNumber if a `Double` or a 64-bit integer represents it exactly, otherwise its
  ///   ``/DynamicInvocation/EncodedBytes``.
  /// - A text is a `String`. An object, a class, a selector and a pointer are themselves.
  /// - Geometry is an NSValue if Foundation supports it safely, an affine transform is an NSAffineTransform, and any other
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
  package var nsValue: NSValue? {
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
