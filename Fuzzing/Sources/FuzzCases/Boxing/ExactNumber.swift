/// A number of any arithmetic type, without rounding: an integer times a power of two, an infinity, or NaN.
///
/// It uses only the formats of the types and shares no arithmetic with the engine.
enum ExactNumber: Equatable {
  /// The magnitude is odd, or zero with an exponent of zero; a zero may be negative.
  case finite(isNegative: Bool, magnitude: UInt128, exponent: Int)
  case infinity(isNegative: Bool)
  case notANumber

  /// Creates a number from parts that need not be in lowest terms.
  init(isNegative: Bool, magnitude: UInt128, exponent: Int) {
    guard magnitude != 0 else {
      self = .finite(isNegative: isNegative, magnitude: 0, exponent: 0)
      return
    }
    let zeros = magnitude.trailingZeroBitCount
    self = .finite(isNegative: isNegative, magnitude: magnitude >> UInt128(zeros), exponent: exponent + zeros)
  }

  /// Creates a whole number.
  init(_ value: some FixedWidthInteger) {
    self.init(isNegative: value < 0, magnitude: UInt128(value.magnitude), exponent: 0)
  }

  /// Reads the bits of an IEEE 754 interchange format.
  init(bits: UInt64, _ format: FloatingFormat) {
    let stored = format.precision - 1
    let biased = Int(bits >> UInt64(stored)) & ((1 << format.exponentBits) - 1)
    let fraction = bits & ((1 << UInt64(stored)) - 1)
    let isNegative = bits >> UInt64(stored + format.exponentBits) & 1 != 0
    if biased == (1 << format.exponentBits) - 1 {
      self = fraction == 0 ? .infinity(isNegative: isNegative) : .notANumber
    } else if biased == 0 {
      self.init(isNegative: isNegative, magnitude: UInt128(fraction), exponent: format.leastExponent)
    } else {
      self.init(
        isNegative: isNegative, magnitude: UInt128(fraction | 1 << UInt64(stored)), exponent: format.leastExponent + biased - 1)
    }
  }

  /// Reads the parts of an x87 number.
  ///
  /// Returns nil for patterns that are invalid operands.
  init?(significand: UInt64, signAndExponent: UInt16) {
    let isNegative = signAndExponent >> 15 != 0
    let biased = Int(signAndExponent & 0x7FFF)
    let isNormal = significand >> 63 != 0
    if biased == 0x7FFF {
      guard isNormal else { return nil }
      self = significand << 1 == 0 ? .infinity(isNegative: isNegative) : .notANumber
    } else if biased == 0 {
      guard !isNormal else { return nil }
      self.init(isNegative: isNegative, magnitude: UInt128(significand), exponent: FloatingFormat.x87.leastExponent)
    } else {
      guard isNormal else { return nil }
      self.init(
        isNegative: isNegative, magnitude: UInt128(significand), exponent: FloatingFormat.x87.leastExponent + biased - 1)
    }
  }

  /// Whether it is a whole number.
  var isWhole: Bool {
    if case .finite(_, _, let exponent) = self { exponent >= 0 } else { false }
  }

  /// Returns whether an integer type of `bits` bits represents the number.
  func fits(bits: Int, isSigned: Bool) -> Bool {
    guard case .finite(let isNegative, let magnitude, let exponent) = self, exponent >= 0 else { return false }
    guard magnitude != 0 else { return true }
    let length = 128 - magnitude.leadingZeroBitCount + exponent
    guard isSigned else { return !isNegative && length <= bits }
    // The magnitude of the minimum integer is a power of two, one more than the maximum.
    return length < bits || isNegative && length == bits && magnitude == 1
  }

  /// Returns whether a floating-point format represents the number.
  ///
  /// Every format represents infinities and NaN.
  func fits(_ format: FloatingFormat) -> Bool {
    guard case .finite(_, let magnitude, let exponent) = self, magnitude != 0 else { return true }
    let length = 128 - magnitude.leadingZeroBitCount
    return length <= format.precision && exponent >= format.leastExponent && exponent + length <= format.mostExponent
  }

  /// The number, with a negative zero as zero.
  var withoutSignOfZero: ExactNumber {
    if case .finite(_, 0, _) = self { ExactNumber(0) } else { self }
  }
}

/// A binary floating-point format.
struct FloatingFormat {
  /// The bits of a significand, including the leading one.
  let precision: Int
  let exponentBits: Int

  static let half = FloatingFormat(precision: 11, exponentBits: 5)
  static let single = FloatingFormat(precision: 24, exponentBits: 8)
  static let double = FloatingFormat(precision: 53, exponentBits: 11)
  static let x87 = FloatingFormat(precision: 64, exponentBits: 15)

  /// The exponent of the smallest positive number.
  var leastExponent: Int { 3 - (1 << (exponentBits - 1)) - precision }

  /// The exponent of the smallest power of two that exceeds every number.
  var mostExponent: Int { 1 << (exponentBits - 1) }
}
