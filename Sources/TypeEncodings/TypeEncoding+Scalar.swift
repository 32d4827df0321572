extension TypeEncoding {
  /// An arithmetic type.
  ///
  /// The raw value is the character of its encoding.
  public enum Scalar: UInt8, Sendable, CaseIterable {
    /// `c`, an 8-bit signed integer.
    case int8 = 0x63
    /// `C`, an 8-bit unsigned integer.
    case uint8 = 0x43
    /// `s`, a 16-bit signed integer.
    case int16 = 0x73
    /// `S`, a 16-bit unsigned integer.
    case uint16 = 0x53
    /// `i`, a 32-bit signed integer.
    case int32 = 0x69
    /// `I`, a 32-bit unsigned integer.
    case uint32 = 0x49
    /// `q`, a 64-bit signed integer.
    case int64 = 0x71
    /// `Q`, a 64-bit unsigned integer.
    case uint64 = 0x51
    /// `t`, a 128-bit signed integer.
    case int128 = 0x74
    /// `T`, a 128-bit unsigned integer.
    case uint128 = 0x54
    /// A blank, clang's encoding of a 16-bit floating-point number.
    case float16 = 0x20
    /// `f`, a 32-bit floating-point number.
    case float = 0x66
    /// `d`, a 64-bit floating-point number.
    case double = 0x64
    /// `D`, the platform's `long double`: 80 bits in 16 bytes on x86-64, a quad on AArch64 Linux, a `double` on Apple silicon.
    case longDouble = 0x44
    /// `B`, C's `_Bool`.
    case bool = 0x42
  }
}

extension TypeEncoding.Scalar {
  /// The properties of an arithmetic type that determine its layout, how it is passed and how its values are converted.
  ///
  /// ``ScalarNumbers`` defines the Swift type of the values.
  package struct Traits: Sendable {
    /// The name in C.
    var cName: String
    /// The name in Swift.
    var swiftName: String
    /// The size in bytes; the alignment is the same.
    var size: Int
    /// The number of bytes that hold the value; the other bytes are padding.
    package var valueBytes: Int
    package var format: Format
    package var registers: RegisterClass
    /// The type to which C promotes a variadic argument of this type, or nil.
    ///
    /// Source: C11, section 6.5.2.2, paragraphs 6 and 7.
    package var promoted: TypeEncoding.Scalar?

    init(
      _ cName: String, _ swiftName: String, size: Int, valueBytes: Int? = nil, _ format: Format, _ registers: RegisterClass,
      promoted: TypeEncoding.Scalar?
    ) {
      (self.cName, self.swiftName, self.size, self.valueBytes) = (cName, swiftName, size, valueBytes ?? size)
      (self.format, self.registers, self.promoted) = (format, registers, promoted)
    }
  }

  /// The representation of a number in its bytes.
  package enum Format: Sendable {
    case bool, signedInteger, unsignedInteger
    /// A binary format of IEEE 754.
    case floatingPoint
    /// The platform's `long double`, whatever its format.
    case longDouble
  }

  /// The registers that a scalar is passed in, as classified by section 3.2.3 of the System V psABI.
  ///
  /// On AArch64 every floating-point number is passed in a vector register.
  package enum RegisterClass: Sendable {
    /// INTEGER: one general-purpose register for each eightbyte.
    case general
    /// SSE: one vector register.
    case vector
    /// X87: in memory as an argument, st(0) as a result.
    case x87
  }

  /// The traits, one row for each type.
  package var traits: Traits {
    switch self {
    case .int8: Traits("signed char", "Int8", size: 1, .signedInteger, .general, promoted: .int32)
    case .uint8: Traits("unsigned char", "UInt8", size: 1, .unsignedInteger, .general, promoted: .int32)
    case .int16: Traits("short", "Int16", size: 2, .signedInteger, .general, promoted: .int32)
    case .uint16: Traits("unsigned short", "UInt16", size: 2, .unsignedInteger, .general, promoted: .int32)
    case .int32: Traits("int", "Int32", size: 4, .signedInteger, .general, promoted: nil)
    case .uint32: Traits("unsigned int", "UInt32", size: 4, .unsignedInteger, .general, promoted: nil)
    case .int64: Traits("long long", "Int64", size: 8, .signedInteger, .general, promoted: nil)
    case .uint64: Traits("unsigned long long", "UInt64", size: 8, .unsignedInteger, .general, promoted: nil)
    case .int128: Traits("__int128", "Int128", size: 16, .signedInteger, .general, promoted: nil)
    case .uint128: Traits("unsigned __int128", "UInt128", size: 16, .unsignedInteger, .general, promoted: nil)
    // Of the floating-point types, paragraph 6 names `float` only.
    case .float16: Traits("_Float16", "Float16", size: 2, .floatingPoint, .vector, promoted: nil)
    case .float: Traits("float", "Float", size: 4, .floatingPoint, .vector, promoted: .double)
    case .double: Traits("double", "Double", size: 8, .floatingPoint, .vector, promoted: nil)
    case .longDouble:
      Traits(
        "long double", "LongDouble", size: TargetABI.LongDouble.host.size, valueBytes: TargetABI.LongDouble.host.valueBytes, .longDouble,
        .x87, promoted: nil)
    case .bool: Traits("_Bool", "Bool", size: 1, .bool, .general, promoted: .int32)
    }
  }
}

extension TypeEncoding.Scalar {
  /// The size in bytes; the alignment is the same.
  public var size: Int { traits.size }

  /// Whether the type is an integer or a bool.
  public var isInteger: Bool {
    switch traits.format {
    case .bool, .signedInteger, .unsignedInteger: true
    case .floatingPoint, .longDouble: false
    }
  }

  /// Whether the type is a signed integer.
  public var isSigned: Bool { traits.format == .signedInteger }

  /// The name of the type in C.
  public var cName: String { traits.cName }

  /// The name of the corresponding type in Swift.
  package var swiftName: String { traits.swiftName }
}
