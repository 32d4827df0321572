import DynamicInvocation

/// The format of a processor's `long double`.
public enum LongDoubleFormat: Sendable {
  /// 80 bits in 16 bytes, of x86-64.
  case extended
  /// 128 bits, of AArch64 Linux.
  case quad
  /// A `double`, of Apple's 64-bit Arm platforms.
  case double

  /// The format of this host.
  public static var host: LongDoubleFormat {
    #if arch(x86_64)
      .extended
    #else
      TypeEncoding.Scalar.longDouble.size == 16 ? .quad : .double
    #endif
  }

  /// The number of bits that contain the value.
  public var bits: Int {
    switch self {
    case .extended: 80
    case .quad: 128
    case .double: 64
    }
  }
}
