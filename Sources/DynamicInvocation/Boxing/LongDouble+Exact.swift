import CFFIShim

extension Double {
  /// Creates the same number, or nil when only rounding would give one; nil for a NaN, as between the standard types.
  public init?(exactly value: LongDouble) {
    var number = 0.0
    guard unsafe value.withAddress({ unsafe cffi_long_double_get_exact_double($0, &number) }) else { return nil }
    self = number
  }
}

extension Int64 {
  /// Creates the integer that the number is, or nil when it has a fraction, is out of range, or is not finite.
  public init?(exactly value: LongDouble) {
    var number: Int64 = 0
    guard unsafe value.withAddress({ unsafe cffi_long_double_get_exact_int64($0, &number) }) else { return nil }
    self = number
  }
}

extension UInt64 {
  /// Creates the integer that the number is, or nil when it has a fraction, is out of range, or is not finite.
  public init?(exactly value: LongDouble) {
    var number: UInt64 = 0
    guard unsafe value.withAddress({ unsafe cffi_long_double_get_exact_uint64($0, &number) }) else { return nil }
    self = number
  }
}
