/// The rules of C in which the 64-bit platforms differ, as far as declarations and the layout of records are concerned.
///
/// Apple's platforms have rules of their own: on AArch64 they lay records out as on x86-64.
package enum TargetABI: Sendable, CaseIterable {
  /// Linux on x86-64: the System V psABI.
  case x86_64
  /// Linux on AArch64: AAPCS64.
  case aarch64
  /// Apple's platforms on x86-64.
  case appleX86_64
  /// Apple's platforms on AArch64.
  case appleAArch64

  /// The platform that the package was compiled for.
  package static var host: TargetABI {
    #if arch(arm64) && canImport(Darwin)
      .appleAArch64
    #elseif arch(arm64)
      .aarch64
    #elseif canImport(Darwin)
      .appleX86_64
    #else
      .x86_64
    #endif
  }

  package var isApple: Bool { self == .appleX86_64 || self == .appleAArch64 }

  /// Whether `char` is signed: it is not on AArch64 Linux (AAPCS64, section 10.1.1).
  package var isCharSigned: Bool { self != .aarch64 }

  /// Whether `wchar_t`, which has 32 bits, is signed: it is not on AArch64 Linux (AAPCS64, section 10.1.1).
  package var isWideCharacterSigned: Bool { self != .aarch64 }

  /// Whether an unnamed bit-field aligns its record, and one of no bits even a packed record (AAPCS64, section 10.1.8).
  package var alignsUnnamedBitFields: Bool { self == .aarch64 }

  /// The largest alignment of a vector without a stated alignment, in bytes; nil if a vector is aligned to its size.
  package var largestVectorAlignment: Int? { self == .x86_64 ? nil : 16 }

  package var longDouble: LongDouble {
    switch self {
    case .x86_64, .appleX86_64: .extended
    case .aarch64: .quad
    case .appleAArch64: .double
    }
  }

  /// The type of variable argument lists.
  package enum ArgumentList: Sendable {
    /// An array of one struct (System V psABI for x86-64, section 3.5.7).
    case array
    /// A struct (AAPCS64, appendix A).
    case structure
    /// A `char *` (Apple's "Writing ARM64 code for Apple platforms").
    case pointer
  }

  package var argumentList: ArgumentList {
    switch self {
    case .x86_64, .appleX86_64: .array
    case .aarch64: .structure
    case .appleAArch64: .pointer
    }
  }
}

extension TargetABI {
  /// A format of `long double`.
  package enum LongDouble: Sendable {
    /// The format of `double`.
    case double
    /// The 80 bits of x87, in 16 bytes.
    case extended
    /// The 128 bits of IEEE 754.
    case quad

    /// The format of the platform that the package was compiled for.
    ///
    /// It is the format of ``TargetABI/host``, except on Windows and on Android. Their x86-64 has neither the x87
    /// format in C nor a `Float80` in Swift.
    package static var host: LongDouble {
      #if os(Windows)
        .double
      #elseif os(Android)
        .quad
      #else
        TargetABI.host.longDouble
      #endif
    }

    /// The size in bytes; the alignment is the same.
    package var size: Int { self == .double ? 8 : 16 }

    /// The number of bytes that hold the value; the other bytes are padding.
    package var valueBytes: Int { self == .extended ? 10 : size }
  }
}
