import CFFIShim

extension Double {
  /// Creates the same number, or nil if it would have to be rounded.
  ///
  /// Nil for a NaN, as between the standard types.
  public init?(exactly value: LongDouble) {
    var number = 0.0
    guard unsafe value.withAddress({ unsafe cffi_long_double_get_exact_double($0, &number) }) else { return nil }
    self = number
  }
}

extension Int64 {
  /// Creates an integer from the number, or nil if the number has a fraction, is out of range, or is not finite.
  public init?(exactly value: LongDouble) {
    var number: Int64 = 0
    guard unsafe value.withAddress({ unsafe cffi_long_double_get_exact_int64($0, &number) }) else { return nil }
    self = number
  }
}

extension UInt64 {
  /// Creates an integer from the number, or nil if the number has a fraction, is out of range, or is not finite.
  public init?(exactly value: LongDouble) {
    var number: UInt64 = 0
    guard unsafe value.withAddress({ unsafe cffi_long_double_get_exact_uint64($0, &number) }) else { return nil }
    self = number
  }
}

extension Int128 {
  /// Creates an integer from the number, or nil if the number has a fraction, is out of range, or is not finite.
  public init?(exactly value: LongDouble) {
    guard let magnitude = value.exactMagnitude else { return nil }
    guard value < LongDouble() else {
      self.init(exactly: magnitude)
      return
    }
    // The magnitude of the least integer is greater than that of any positive one.
    guard magnitude <= Int128.min.magnitude else { return nil }
    self = 0 &- Int128(truncatingIfNeeded: magnitude)
  }
}

extension UInt128 {
  /// Creates an integer from the number, or nil if the number has a fraction, is out of range, or is not finite.
  public init?(exactly value: LongDouble) {
    guard value >= LongDouble(), let magnitude = value.exactMagnitude else { return nil }
    self = magnitude
  }
}

extension LongDouble {
  /// The magnitude, if it is an integer of at most 128 bits.
  fileprivate var exactMagnitude: UInt128? {
    var (high, low): (UInt64, UInt64) = (0, 0)
    guard unsafe withAddress({ unsafe cffi_long_double_get_exact_magnitude($0, &high, &low) }) else { return nil }
    return UInt128(high) << 64 | UInt128(low)
  }
}

// As in the standard library, which has no Float80 where C has no such `long double`. Each condition of the package is the same.
#if arch(x86_64) && !os(Windows) && !os(Android)
  extension LongDouble {
    /// `Float80`, the standard library's type of the same format; nil on a platform without it.
    @inlinable package static var standardType: (any BinaryFloatingPoint.Type)? { Float80.self }

    /// Creates the same number; both types have the same format on this platform.
    public init(_ value: Float80) {
      var value = value
      unsafe self.init { address in unsafe withUnsafePointer(to: &value) { unsafe cffi_long_double_copy($0, address) } }
    }

    /// The same number as the Swift type of that format.
    public var float80Value: Float80 { unsafe withAddress { unsafe $0.load(as: Float80.self) } }
  }
#else
  extension LongDouble {
    /// The standard library's type of the same format; nil, as this platform has none.
    @inlinable package static var standardType: (any BinaryFloatingPoint.Type)? { nil }
  }
#endif
