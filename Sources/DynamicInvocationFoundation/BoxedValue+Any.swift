public import DynamicInvocation
import Foundation

extension BoxedValue {
  /// Boxes any value of Swift or Foundation.
  ///
  /// - nil, NSNull, and an empty optional inside `Any` are null; other optionals and `AnyHashable` are unwrapped.
  /// - An NSNumber is the bool, the integer or the floating-point number that it holds, whatever its `objCType` says; an NSDecimalNumber or `Decimal`
  ///   an integer when it is whole, else a `Double` when that is exact.
  /// - A `String` or NSString is a text; an NSValue, NSAffineTransform or struct of geometry is geometry; an NSValue of a scalar or array is that.
  /// - Every number type of Swift, pointers, classes, selectors, ``/DynamicInvocation/EncodedBytes`` and ``/DynamicInvocation/BoxedValue`` itself, and structs without references that
  ///   declare an encoding, are what they say.
  /// - Any other object is an object, and so is a Swift value that Foundation bridges to one: `Data` as NSData, an array as NSArray.
  ///
  /// - Parameters:
  ///   - any: The value.
  ///   - options: With `truncating` a decimal number is rounded to double precision where it is not exact.
  /// - Throws: ``/DynamicInvocation/InvocationError`` `typeMismatch` naming the dynamic type of any other value, `inexact` for a decimal fraction, `outOfRange` for
  ///   a negative range.
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
    } else if let pointer = value as? any EncodedPointer {
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

  /// Boxes any value of Swift or Foundation for a parameter of a type, which decides what becomes of it.
  ///
  /// For an object's type, `@`, an object is itself, an NSNumber too, and a Swift value becomes the object that Foundation bridges it to. For any
  /// other type the box is that of ``init(_:options:)``.
  ///
  /// - Parameters:
  ///   - any: The value.
  ///   - type: The parameter's type.
  ///   - options: As without a type.
  /// - Throws: ``/DynamicInvocation/InvocationError`` `typeMismatch` for a value that is no object where one is wanted, and as without a type.
  /// - Complexity: O(bytes of the value), with some dynamic casts; a text and a bridged object allocate.
  public init(_ any: Any?, for type: TypeEncoding, options: ConversionOptions = []) throws(InvocationError) {
    guard case .object = type.kind else {
      try self.init(any, options: options)
      return
    }
    self = try ObjectBridge.object(for: any).map { .object($0) } ?? .null
  }

  /// The box of a value of a type that has one, or nil.
  static func box(of value: Any, _ options: ConversionOptions) throws(InvocationError) -> BoxedValue? {
    if let value = value as? any FoundationBoxable { return try value.boxed(options) }
    return (value as? any GeometryStruct)?.box
  }

  private init(object: AnyObject, _ options: ConversionOptions) throws(InvocationError) {
    switch object {
    case is NSNull: self = .null
    case let number as NSNumber: self = try number.boxed(options)
    case let value as NSValue: self = try value.boxed()
    case let text as NSString: self = .string(String(describing: text))
    case let transform as NSAffineTransform: self = .affineTransform(Transform2D(transform))
    default: self = .object(object)
    }
  }

  /// The value without the optionals and hashable wrappers around it, or nil for none.
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

  /// The bytes of a value that declares its encoding and has no references.
  private static func bytes<Value: EncodedValue>(of value: Value) throws(InvocationError) -> EncodedBytes {
    // Whether a type is bitwise copyable is known to the compiler only; that it has nothing to retain, at run time too.
    guard _isPOD(Value.self) else { throw noBox(value) }
    return try EncodedBytes(storing: value)
  }
}
