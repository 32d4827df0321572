public import DynamicInvocation
public import Foundation

extension Invocation {
  /// Sets an argument from any value of Swift or Foundation, as the argument's type demands.
  ///
  /// An argument of type `@` takes the object itself: an NSNumber or NSValue stays one, NSNull and nil become null, and a Swift value becomes the object
  /// that Foundation bridges it to, as a `String` an NSString. A value whose Swift type is that of the encoding is set as it is. Any other is boxed and
  /// converted: an NSNumber to a scalar, an NSValue to a struct of its layout, an NSString to a C string or the name of a selector.
  ///
  /// - Parameters:
  ///   - any: The value.
  ///   - index: The index; of a method 0 is the target, 1 the selector.
  ///   - options: How to convert; exactly by default.
  /// - Throws: ``/DynamicInvocation/InvocationError`` with the argument and its encoding: `indexOutOfRange`, `typeMismatch`, `outOfRange`, `inexact`, `nullNotAllowed`.
  ///   The argument then keeps what it had.
  /// - Complexity: O(bytes of the value), with some dynamic casts; a text and a bridged object allocate.
  public func setArgument(any: Any?, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    let type = try methodSignature.argumentType(at: index)
    do {
      if case .object = type.kind { return try setArgument(ObjectBridge.object(for: any), at: index) }
      // A text is boxed, which refuses one that C would see a part of.
      guard let value = BoxedValue.unwrapped(any) as? any EncodedValue, !(value is String), try set(value, type.valueKind, at: index) else {
        return try setArgument(boxed: BoxedValue(any, options: options), at: index, options: options)
      }
    } catch {
      throw error.placed(.index(index), type)
    }
  }

  /// Sets a value whose type is the argument's; says whether it is.
  private func set<Value: EncodedValue>(_ value: Value, _ kind: ValueKind, at index: Int) throws(InvocationError) -> Bool {
    guard Value.accepts(kind) else { return false }
    try setArgument(value, at: index)
    return true
  }

  /// Sets the arguments, of a method those after the target and the selector, from any values.
  ///
  /// - Throws: ``/DynamicInvocation/InvocationError`` `countMismatch` when the values are not as many as the arguments, and what setting one throws. The arguments
  ///   before the failing one are set.
  public func setArguments(any values: [Any?], options: ConversionOptions = []) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    let count = methodSignature.numberOfArguments - first
    guard values.count == count else {
      throw InvocationError(.countMismatch, "\(values.count) values given, the signature '\(methodSignature)' takes \(count)")
    }
    for (offset, value) in values.enumerated() { try setArgument(any: value, at: first + offset, options: options) }
  }

  /// Sets the result from any value of Swift or Foundation, as the return type demands.
  ///
  /// - Throws: ``/DynamicInvocation/InvocationError`` as setting an argument does, and `typeMismatch` for a text, whose C string a result does not own.
  public func setReturnValue(any: Any?, options: ConversionOptions = []) throws(InvocationError) {
    let type = methodSignature.returnType
    do {
      if case .object = type.kind { return try setReturnValue(ObjectBridge.object(for: any)) }
      try setReturnValue(boxed: BoxedValue(any, options: options), options: options)
    } catch {
      throw error.placed(.result, type)
    }
  }

  /// Returns an argument as Foundation has it, as the foundation value of its box; nil for null.
  ///
  /// - Throws: ``/DynamicInvocation/InvocationError`` `indexOutOfRange`, `argumentNotSet`.
  public func anyArgument(at index: Int) throws(InvocationError) -> Any? { try boxedArgument(at: index).foundationValue }

  /// Returns the result as Foundation has it, as the foundation value of its box; nil for null and for void.
  ///
  /// - Throws: ``/DynamicInvocation/InvocationError`` `noReturnValue` before there is one.
  public func anyReturnValue() throws(InvocationError) -> Any? { try boxedReturnValue().foundationValue }
}

extension InvocationError {
  /// The same error, at an argument or result of a type.
  fileprivate func placed(_ argument: Argument, _ type: TypeEncoding) -> InvocationError {
    InvocationError(
      code, reason, argument: argument, encoding: type.description, byteOffset: nil, candidates: candidates)
  }
}

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

/// NSObject and its subclasses, NSNumber, NSString, NSDictionary and yours, are parameters and results of the type `@`.
extension NSObject: EncodedObject {}
