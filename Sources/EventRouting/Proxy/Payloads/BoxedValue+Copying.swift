public import DynamicInvocation

extension BoxedValue {
  /// Boxes a typed value, for a parameter of another type.
  ///
  /// - Throws: ``DeliveryFailure`` when the type's encoding is not Swift's layout, or none that can be passed.
  @usableFromInline
  init<Value: BoxConvertible>(copying value: Value) throws {
    do throws(InvocationError) {
      self = try value.boxed()
    } catch {
      throw DeliveryFailure(reason: error)
    }
  }
}
