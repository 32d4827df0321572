import DynamicInvocation
import Foundation

/// A Swift type whose values have a box.
///
/// A conformance rather than a cast to each type: on Linux a cast from `Any` converts between numbers and objects.
protocol FoundationBoxable {
  /// The value as a box.
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue
}

/// A type that only wraps another value.
protocol AnyWrapper {
  /// The value inside, or nil for none.
  var wrapped: Any? { get }
}

extension Optional: AnyWrapper {
  var wrapped: Any? { self }
}

extension AnyHashable: AnyWrapper {
  var wrapped: Any? { base }
}

extension Decimal: FoundationBoxable {}
