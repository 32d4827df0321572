import DynamicInvocation

extension ExactNumber {
  /// Creates the number of a box.
  ///
  /// Returns nil for other boxes, and for patterns of `long double` that are invalid.
  init?(_ value: BoxedValue) {
    switch value {
    case .int(let value): self.init(value)
    case .uint(let value): self.init(value)
    case .int128(let value): self.init(value)
    case .uint128(let value): self.init(value)
    case .float(let value): self.init(bits: UInt64(value.bitPattern), .single)
    case .double(let value): self.init(bits: value.bitPattern, .double)
    case .longDouble(let value): self.init(value)
    default: return nil
    }
  }

  private init?(_ value: LongDouble) {
    #if arch(x86_64)
      let number = value.float80Value
      let sign: UInt16 = number.sign == .minus ? 1 << 15 : 0
      self.init(significand: Self.significand(number), signAndExponent: sign | UInt16(number.exponentBitPattern))
    #else
      guard let number = Double(exactly: value) else { return nil }
      self.init(bits: number.bitPattern, .double)
    #endif
  }

  #if arch(x86_64)
    /// Returns the 64 bits of a significand, including the leading one, which Swift's bit pattern omits.
    private static func significand(_ number: Float80) -> UInt64 {
      withUnsafeBytes(of: number) { $0.load(as: UInt64.self) }
    }
  #endif
}

extension TypeEncoding.Scalar {
  /// The format of a floating-point type.
  var format: FloatingFormat? {
    switch self {
    case .float16: .half
    case .float: .single
    case .double: .double
    case .longDouble: size == 8 ? .double : .x87
    default: nil
    }
  }
}
