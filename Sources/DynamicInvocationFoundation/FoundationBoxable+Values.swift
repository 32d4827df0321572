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
