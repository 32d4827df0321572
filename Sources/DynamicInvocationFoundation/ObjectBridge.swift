import DynamicInvocation
import Foundation

/// Finds the object that a parameter of type `@` gets for a value.
enum ObjectBridge {
  /// The object for a value, or nil for null.
  ///
  /// An object is itself: a number box is not opened, as the parameter asks for the object. NSNull is null.
  static func object(for any: Any?) throws(InvocationError) -> AnyObject? {
    guard let value = BoxedValue.unwrapped(any) else { return nil }
    if type(of: value) is AnyClass { return value is NSNull ? nil : value as AnyObject }
    // Before boxing: a Decimal is an NSDecimalNumber, not the integer in it.
    if let value = value as? any _ObjectiveCBridgeable { return value._bridgeToObjectiveC() as AnyObject }
    guard let box = try BoxedValue.box(of: value, []) else { throw mismatch(value) }
    if box.isNull { return nil }
    guard let object = box.foundationObject else { throw mismatch(value) }
    return object
  }

  private static func mismatch(_ value: Any) -> InvocationError {
    InvocationError(.typeMismatch, "a value of type \(type(of: value)) is not an object")
  }
}
