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
    /// `D`, the platform's `long double`: 80 bits in 16 bytes on x86-64, a quad on AArch64 Linux.
    case longDouble = 0x44
    /// `B`, C's `_Bool`.
    case bool = 0x42
  }
}

extension TypeEncoding.Scalar {
  /// The size in bytes; the alignment is the same.
  public var size: Int {
    switch self {
    case .int8, .uint8, .bool: 1
    case .int16, .uint16, .float16: 2
    case .int32, .uint32, .float: 4
    case .int64, .uint64, .double: 8
    case .int128, .uint128: 16
    case .longDouble: Self.longDoubleSize
    }
  }

  #if arch(arm64) && canImport(Darwin)
    // Apple's 64-bit Arm platforms make long double a double.
    private static let longDoubleSize = 8
  #else
    private static let longDoubleSize = 16
  #endif

  /// Whether it is an integer or a bool.
  public var isInteger: Bool {
    switch self {
    case .float16, .float, .double, .longDouble: false
    default: true
    }
  }

  /// Whether it is a signed integer.
  public var isSigned: Bool {
    switch self {
    case .int8, .int16, .int32, .int64, .int128: true
    default: false
    }
  }

  /// The name a C programmer knows it by.
  public var cName: String {
    switch self {
    case .int8: "signed char"
    case .uint8: "unsigned char"
    case .int16: "short"
    case .uint16: "unsigned short"
    case .int32: "int"
    case .uint32: "unsigned int"
    case .int64: "long long"
    case .uint64: "unsigned long long"
    case .int128: "__int128"
    case .uint128: "unsigned __int128"
    case .float16: "_Float16"
    case .float: "float"
    case .double: "double"
    case .longDouble: "long double"
    case .bool: "_Bool"
    }
  }

  /// The name a Swift programmer knows it by.
  public var swiftName: String {
    switch self {
    case .int8: "Int8"
    case .uint8: "UInt8"
    case .int16: "Int16"
    case .uint16: "UInt16"
    case .int32: "Int32"
    case .uint32: "UInt32"
    case .int64: "Int64"
    case .uint64: "UInt64"
    case .int128: "Int128"
    case .uint128: "UInt128"
    case .float16: "Float16"
    case .float: "Float"
    case .double: "Double"
    case .longDouble: "LongDouble"
    case .bool: "Bool"
    }
  }
}
