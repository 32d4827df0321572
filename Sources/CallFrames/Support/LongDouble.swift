import CFFIShim

/// A number of C's `long double` type, in the format of the platform.
///
/// The format is x87 80-bit extended precision on x86-64, IEEE quadruple precision on other Linux platforms, and double
/// precision on Apple silicon. Size and alignment are those of the C type, so the value can be copied from and to
/// memory that C reads. Padding bytes have no meaning: two values are equal when their numbers are, and every value
/// created by this type has zero padding.
///
/// - Complexity: Only operations with text allocate.
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

  /// Creates the same number; every `Double` is represented exactly.
  public init(_ value: Double) { unsafe self.init { unsafe cffi_long_double_set_double(value, $0) } }

  /// Creates a number from an integer, rounded where the format has fewer than 64 bits of precision.
  public init(_ value: Int64) { unsafe self.init { unsafe cffi_long_double_set_int64(value, $0) } }

  /// Creates a number from an integer, rounded where the format has fewer than 64 bits of precision.
  public init(_ value: UInt64) { unsafe self.init { unsafe cffi_long_double_set_uint64(value, $0) } }

  /// Creates a number from an integer, rounded to the precision of the format.
  public init(_ value: Int128) { self.init(magnitude: value.magnitude, isNegative: value < 0) }

  /// Creates a number from an integer, rounded to the precision of the format.
  public init(_ value: UInt128) { self.init(magnitude: value, isNegative: false) }

  private init(magnitude: UInt128, isNegative: Bool) {
    let (high, low) = (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
    unsafe self.init { unsafe cffi_long_double_set_magnitude(high, low, isNegative, $0) }
  }

  /// Creates a number from an integer, rounded where the format has fewer than 64 bits of precision.
  public init(_ value: Int) { self.init(Int64(value)) }

  /// The nearest double-precision number; infinite if this number is out of range.
  public var doubleValue: Double { unsafe withAddress { unsafe cffi_long_double_get_double($0) } }

  /// Creates a value that a C function writes.
  package init(_ write: (UnsafeMutableRawPointer) -> Void) {
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      if let address = bytes.baseAddress { unsafe write(address) }
    }
  }

  /// Calls a closure with the address of the value, for a C function to read.
  package func withAddress<Result>(_ read: (UnsafeRawPointer) -> Result) -> Result {
    unsafe withUnsafePointer(to: storage) { unsafe read(UnsafeRawPointer($0)) }
  }

  /// A canonical representation, equal for all equal numbers, in which every byte is significant.
  package var canonicalBits: some Hashable {
    unsafe withAddress { address in unsafe LongDouble { unsafe cffi_long_double_canonicalize(address, $0) } }.storage
  }
}

extension LongDouble: Equatable {
  /// Returns whether two numbers are equal: zeros are equal whatever their sign, and a NaN equals nothing.
  public static func == (left: LongDouble, right: LongDouble) -> Bool {
    unsafe left.withAddress { left in unsafe right.withAddress { right in unsafe cffi_long_double_is_equal(left, right) } }
  }
}

extension LongDouble: Hashable {
  /// Hashes the canonical representation of the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(canonicalBits) }
}

extension LongDouble: Comparable {
  /// Returns whether the first number is less than the second; false if either is a NaN.
  public static func < (left: LongDouble, right: LongDouble) -> Bool {
    unsafe left.withAddress { left in unsafe right.withAddress { right in unsafe cffi_long_double_is_less(left, right) } }
  }

  /// Returns whether the first number is less than or equal to the second; false if either is a NaN.
  public static func <= (left: LongDouble, right: LongDouble) -> Bool { left < right || left == right }

  /// Returns whether the first number is greater than or equal to the second; false if either is a NaN.
  public static func >= (left: LongDouble, right: LongDouble) -> Bool { right <= left }
}
