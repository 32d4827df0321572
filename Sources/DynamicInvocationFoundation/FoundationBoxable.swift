import DynamicInvocation
import Foundation

/// A Swift type whose values can be boxed.
///
/// This is a conformance rather than a cast to each type because on Linux a cast from `Any` converts between numbers
/// and objects.
protocol FoundationBoxable {
  /// Returns the value as a box.
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue
}

/// A type that only wraps another value.
protocol AnyWrapper {
  /// The wrapped value, or nil if there is no value.
  var wrapped: Any? { get }
}

extension Optional: AnyWrapper {
  var wrapped: Any? { self }
}

extension AnyHashable: AnyWrapper {
  var wrapped: Any? { base }
}

extension Decimal: FoundationBoxable {}

extension BoxedValue: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { self }
}

extension EncodedBytes: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .value(self) }
}

extension String: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .string(self) }
}

extension DynamicInvocation.MethodSelector: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .selector(self) }
}

extension Unmanaged: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { unsafe .object(takeUnretainedValue()) }
}

extension FoundationBoxable where Self: FixedWidthInteger & SignedInteger {
  func boxed(_ options: ConversionOptions) -> BoxedValue { Int(exactly: self).map { .int($0) } ?? .int128(Int128(self)) }
}

extension FoundationBoxable where Self: FixedWidthInteger & UnsignedInteger {
  func boxed(_ options: ConversionOptions) -> BoxedValue { UInt(exactly: self).map { .uint($0) } ?? .uint128(UInt128(self)) }
}

extension Int: FoundationBoxable {}
extension Int8: FoundationBoxable {}
extension Int16: FoundationBoxable {}
extension Int32: FoundationBoxable {}
extension Int64: FoundationBoxable {}
extension Int128: FoundationBoxable {}
extension UInt: FoundationBoxable {}
extension UInt8: FoundationBoxable {}
extension UInt16: FoundationBoxable {}
extension UInt32: FoundationBoxable {}
extension UInt64: FoundationBoxable {}
extension UInt128: FoundationBoxable {}

extension Bool: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .bool(self) }
}

extension Float: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .float(self) }
}

extension Double: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .double(self) }
}

extension LongDouble: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .longDouble(self) }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: FoundationBoxable {
    func boxed(_ options: ConversionOptions) -> BoxedValue { .float(Float(self)) }
  }
#endif

#if arch(x86_64) && !os(Windows) && !os(Android)
  extension Swift.Float80: FoundationBoxable {
    func boxed(_ options: ConversionOptions) -> BoxedValue { .longDouble(LongDouble(self)) }
  }
#endif
