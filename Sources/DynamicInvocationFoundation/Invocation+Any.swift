public import DynamicInvocation
public import Foundation

extension Invocation {
  /// Sets an argument from any Swift or Foundation value, as its type requires.
  ///
  /// An argument of type `@` takes the object itself: an NSNumber or NSValue is not unboxed, NSNull and nil become
  /// null, and a Swift value becomes the object that Foundation bridges it to, such as an NSString for a `String`. A
  /// value whose Swift type matches the encoding is set directly. Any other value is boxed and converted: an NSNumber
  /// to a scalar, an NSValue to a struct of its layout, an NSString to a C string or the name of a selector.
  ///
  /// - Parameters:
  ///   - any: The value.
  ///   - index: The index of the argument. In a method, 0 is the target and 1 the selector.
  ///   - options: The conversion options; exact by default.
  /// - Throws: `.DynamicInvocation.InvocationError` with the argument and its encoding: `indexOutOfRange`,
  ///   `typeMismatch`, `outOfRange`, `inexact`, `nullNotAllowed`. The argument is then unchanged.
  /// - Complexity: O(bytes of the value), with some dynamic casts. A text and a bridged object allocate.
  public func setArgument(any: Any?, at index: Int, options: ConversionOptions = []) throws(InvocationError) {
    let type: TypeEncoding
    do { type = try methodSignature.argumentType(at: index) } catch { throw named(error) }
    do {
      if case .object = type.kind { return try setArgument(ObjectBridge.object(for: any), at: index) }
      // A text is boxed, because boxing rejects a text with a null character, which C would truncate.
      guard let value = BoxedValue.unwrapped(any) as? any EncodedValue, !(value is String), try set(value, type.valueKind, at: index) else {
        return try setArgument(boxed: BoxedValue(any, options: options), at: index, options: options)
      }
    } catch {
      throw named(error.placed(.index(index), type))
    }
  }

  /// Sets a value if its Swift type matches the argument's type, and returns whether it does.
  private func set<Value: EncodedValue>(_ value: Value, _ kind: ValueKind, at index: Int) throws(InvocationError) -> Bool {
    guard Value.accepts(kind) else { return false }
    try setArgument(value, at: index)
    return true
  }

  /// Sets the arguments from any values; in a method, those after the target and the selector.
  ///
  /// - Throws: `.DynamicInvocation.InvocationError` `countMismatch` if the number of values is not the number of
  ///   arguments, and the errors of ``setArgument(any:at:options:)``. The arguments before the failing one are set.
  public func setArguments(any values: [Any?], options: ConversionOptions = []) throws(InvocationError) {
    let first = methodSignature.isMethod ? 2 : 0
    let count = methodSignature.numberOfArguments - first
    guard values.count == count else {
      let reason = "\(values.count.counted("value")) given, the signature '\(methodSignature)' takes \(count)"
      throw named(InvocationError(.countMismatch, reason))
    }
    for (offset, value) in values.enumerated() { try setArgument(any: value, at: first + offset, options: options) }
  }

  /// Sets the result from any Swift or Foundation value, as the return type requires.
  ///
  /// - Throws: `.DynamicInvocation.InvocationError` as ``setArgument(any:at:options:)`` does, and `typeMismatch` for
  ///   a text, because a result does not own the C string.
  public func setReturnValue(any: Any?, options: ConversionOptions = []) throws(InvocationError) {
    let type = methodSignature.returnType
    do {
      if case .object = type.kind { return try setReturnValue(ObjectBridge.object(for: any)) }
      try setReturnValue(boxed: BoxedValue(any, options: options), options: options)
    } catch {
      throw named(error.placed(.result, type))
    }
  }

  /// Returns an argument as the Foundation value of its box; nil for null.
  ///
  /// - Throws: `.DynamicInvocation.InvocationError` `indexOutOfRange`, `argumentNotSet`.
  public func anyArgument(at index: Int) throws(InvocationError) -> Any? { try boxedArgument(at: index).foundationValue }

  /// Returns the result as the Foundation value of its box; nil for null and for void.
  ///
  /// - Throws: `.DynamicInvocation.InvocationError` `noReturnValue` before there is a result.
  public func anyReturnValue() throws(InvocationError) -> Any? { try boxedReturnValue().foundationValue }
}

extension InvocationError {
  /// Returns the same error with the argument or result and its type.
  fileprivate func placed(_ argument: Argument, _ type: TypeEncoding) -> InvocationError {
    InvocationError(
      code, reason, argument: argument, encoding: type.description, byteOffset: nil, candidates: candidates)
  }
}

/// Finds the object to pass for a value to a parameter of type `@`.
enum ObjectBridge {
  /// Returns the object for a value, or nil for null.
  ///
  /// An object is itself: an NSNumber is not unboxed, because the parameter requires the object. NSNull is null.
  static func object(for any: Any?) throws(InvocationError) -> AnyObject? {
    guard let value = BoxedValue.unwrapped(any) else { return nil }
    if type(of: value) is AnyClass { return value is NSNull ? nil : value as AnyObject }
    // Before boxing: a Decimal is an NSDecimalNumber here, not the integer that a box would contain.
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

/// NSObject and its subclasses, such as NSNumber, NSString, NSDictionary and custom ones, are parameters and results of
/// the type `@`.
extension NSObject: EncodedObject {}
