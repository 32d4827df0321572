import CFFIShim

extension LongDouble: Equatable {
  /// Whether two numbers are equal: zeroes are, whatever their sign, and a NaN equals nothing.
  public static func == (left: LongDouble, right: LongDouble) -> Bool {
    unsafe left.withAddress { left in unsafe right.withAddress { right in unsafe cffi_long_double_is_equal(left, right) } }
  }
}

extension LongDouble: Hashable {
  /// Feeds the number, the same for equal ones, to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(canonicalBits) }
}

extension LongDouble: Comparable {
  /// Whether the first number is less than the second; never when one is a NaN.
  public static func < (left: LongDouble, right: LongDouble) -> Bool {
    unsafe left.withAddress { left in unsafe right.withAddress { right in unsafe cffi_long_double_is_less(left, right) } }
  }

  /// Whether the first number is less than the second or equal to it; never when one is a NaN.
  public static func <= (left: LongDouble, right: LongDouble) -> Bool { left < right || left == right }

  /// Whether the first number is greater than the second or equal to it; never when one is a NaN.
  public static func >= (left: LongDouble, right: LongDouble) -> Bool { right <= left }
}
