import DynamicInvocation
import Foundation

extension BoxedValue: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { self }
}

extension EncodedBytes: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .value(self) }
}

extension String: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .string(self) }
}

extension DynamicInvocation.Selector: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .selector(self) }
}

extension Unmanaged: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { unsafe .object(takeUnretainedValue()) }
}

// MARK: The engine's geometry

extension Point: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .point(self) }
}

extension Size: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .size(self) }
}

extension Rect: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .rect(self) }
}

extension Vector: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .vector(self) }
}

extension IndexRange: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .range(self) }
}

extension EdgeInsets: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .insets(self) }
}

extension Offset: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .offset(self) }
}

extension Transform2D: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .affineTransform(self) }
}

extension Transform3D: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .transform3D(self) }
}

// MARK: Foundation's geometry

extension CGPoint: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .point(Point(self)) }
}

extension CGSize: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .size(Size(self)) }
}

extension CGRect: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .rect(Rect(self)) }
}

extension NSEdgeInsets: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .insets(EdgeInsets(self)) }
}

extension AffineTransform: FoundationBoxable {
  func boxed(_ options: ConversionOptions) -> BoxedValue { .affineTransform(Transform2D(self)) }
}

extension NSRange: FoundationBoxable {
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = IndexRange(self) else { throw InvocationError(.outOfRange, "the range (\(location), \(length)) is negative") }
    return .range(range)
  }
}

extension Range: FoundationBoxable where Bound == Int {
  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = IndexRange(self) else { throw InvocationError(.outOfRange, "the range \(self) is negative") }
    return .range(range)
  }
}
