import CFFIShim

/// A number of C's `long double` type, in the format of the platform.
///
/// The format is x87 80-bit extended precision on x86-64, IEEE quadruple precision on other Linux platforms, and double
/// precision on Apple silicon. Size and alignment are the C type's, so the value can be copied from and to
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

  /// Creates a number from an integer of at most 128 bits, rounded to the precision of the format.
  public init(_ value: some FixedWidthInteger) {
    let magnitude = UInt128(value.magnitude)
    let (high, low) = (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
    unsafe self.init { unsafe cffi_long_double_set_magnitude(high, low, value < 0, $0) }
  }

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

// MARK: - Exact

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

extension FixedWidthInteger {
  /// Creates an integer from the number, or nil if the number has a fraction, is out of range, or is not finite.
  public init?(exactly value: LongDouble) {
    guard let magnitude = value.exactMagnitude else { return nil }
    guard value < LongDouble() else {
      self.init(exactly: magnitude)
      return
    }
    // The magnitude of the least integer is greater than any positive integer.
    guard Self.isSigned, magnitude <= Self.min.magnitude else { return nil }
    self = 0 &- Self(truncatingIfNeeded: magnitude)
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

// MARK: - Text

extension LongDouble: LosslessStringConvertible {
  /// Creates a number from text, or nil if the whole text is not a number.
  ///
  /// Decimal and hexadecimal numbers, `inf`, `infinity` and `nan` are accepted in C syntax, always with a decimal
  /// point, whatever the locale. Digits beyond the precision are rounded. A number out of range is also nil.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public init?(_ text: String) {
    guard !text.utf8.contains(0) else { return nil }
    var isNumber = false
    unsafe self.init { address in isNumber = unsafe cffi_long_double_parse(text, address) }
    guard isNumber else { return nil }
  }
}

extension LongDouble: CustomStringConvertible {
  /// The shortest decimal text that reads back as the same number, such as `0.1` or `1e+4000`; `inf`, `-inf` or `nan`.
  public var description: String { DecimalText(scientificText).description }

  /// The number in the format of C's `%Le`, with the fewest digits that identify it.
  private var scientificText: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CFFI_LONG_DOUBLE_TEXT)) { text in
      guard let start = text.baseAddress else { return "" }
      let length = unsafe withAddress { unsafe cffi_long_double_format($0, start, text.count) }
      guard length > 0 else { preconditionFailure("the C library has no C locale") }
      return unsafe String(cString: start)
    }
  }
}

/// Converts scientific notation to the format of a Swift Double: plain unless the number is very large or very small.
private struct DecimalText: CustomStringConvertible {
  package let description: String

  package init(_ scientific: String) {
    let parts = scientific.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      description = scientific
      return
    }
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let digits = String(parts[0].filter(\.isNumber))
    let zero: Character = "0"
    switch exponent {
    case -4..<0:
      description = sign + "0." + String(repeating: zero, count: -exponent - 1) + digits
    case 0..<20:
      // Every integer below 10^20 that fits the 64-bit precision of a long double is written out.
      let padded = digits + String(repeating: zero, count: max(0, exponent + 2 - digits.count))
      let point = padded.index(padded.startIndex, offsetBy: exponent + 1)
      description = sign + padded[..<point] + "." + padded[point...]
    default:
      let fraction = digits.dropFirst()
      let point = fraction.isEmpty ? "" : "."
      let mark = exponent < 0 ? "e-" : "e+"
      // At least two exponent digits, as Swift writes them.
      let magnitude = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
      description = sign + digits.prefix(1) + point + fraction + mark + magnitude
    }
  }
}
