import CFFIShim

/// A number of C's long double type, whatever format the platform gives it.
///
/// That is x87's 80 bits on x86-64, IEEE quadruple precision on other Linux, and plain double precision on Apple silicon. Size and
/// alignment are those of the C type, so the value can be copied from and to memory that C reads. Padding bytes have no meaning:
/// two values are equal when their numbers are, and every value made here has zeroes for padding.
///
/// - Complexity: No operation but those with text allocates.
@frozen
public struct LongDouble: Sendable, BitwiseCopyable {
  #if os(Windows) || arch(arm) || (arch(arm64) && canImport(Darwin))
    private var storage: UInt64 = 0
  #else
    // The only standard integer with the alignment of C's type.
    private var storage: UInt128 = 0
  #endif

  /// Creates zero.
  public init() {}

  /// Creates the same number, which always exists.
  public init(_ value: Double) { unsafe self.init { unsafe cffi_long_double_set_double(value, $0) } }

  /// Creates the number of an integer, rounded where the format has fewer than 64 bits of precision.
  public init(_ value: Int64) { unsafe self.init { unsafe cffi_long_double_set_int64(value, $0) } }

  /// Creates the number of an integer, rounded where the format has fewer than 64 bits of precision.
  public init(_ value: UInt64) { unsafe self.init { unsafe cffi_long_double_set_uint64(value, $0) } }

  /// Creates the number of an integer, rounded to the precision of the format.
  public init(_ value: Int128) { self.init(magnitude: value.magnitude, isNegative: value < 0) }

  /// Creates the number of an integer, rounded to the precision of the format.
  public init(_ value: UInt128) { self.init(magnitude: value, isNegative: false) }

  private init(magnitude: UInt128, isNegative: Bool) {
    let (high, low) = (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
    unsafe self.init { unsafe cffi_long_double_set_magnitude(high, low, isNegative, $0) }
  }

  /// Creates the number of an integer, rounded where the format has fewer than 64 bits of precision.
  public init(_ value: Int) { self.init(Int64(value)) }

  /// The nearest double-precision number, infinite when this one is beyond the range.
  public var doubleValue: Double { unsafe withAddress { unsafe cffi_long_double_get_double($0) } }

  /// Creates a value that C writes.
  init(_ write: (UnsafeMutableRawPointer) -> Void) {
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      if let address = bytes.baseAddress { unsafe write(address) }
    }
  }

  /// Lets C read the value.
  func withAddress<Result>(_ read: (UnsafeRawPointer) -> Result) -> Result {
    unsafe withUnsafePointer(to: storage) { unsafe read(UnsafeRawPointer($0)) }
  }

  /// The same for all equal numbers, with every byte significant.
  var canonicalBits: some Hashable {
    unsafe withAddress { address in unsafe LongDouble { unsafe cffi_long_double_canonicalize(address, $0) } }.storage
  }
}

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
