import TypeEncodings

/// A basic type of C.
///
/// Types with the same representation, such as `long` and `long long`, or `float` and `_Float32`, are distinct.
enum Basic: UInt8, Sendable {
  case void, bool, char, signedChar, unsignedChar, short, unsignedShort, int, unsignedInt, long, unsignedLong, longLong,
    unsignedLongLong, int128, unsignedInt128, float16, float, float32, double, float64, float32x, float64x, longDouble

  /// The encoding; nil for void.
  func scalar(_ target: TargetABI) -> TypeEncoding.Scalar? {
    switch self {
    case .void: nil
    case .bool: .bool
    case .char: target.isCharSigned ? .int8 : .uint8
    case .signedChar: .int8
    case .unsignedChar: .uint8
    case .short: .int16
    case .unsignedShort: .uint16
    case .int: .int32
    case .unsignedInt: .uint32
    case .long, .longLong: .int64
    case .unsignedLong, .unsignedLongLong: .uint64
    case .int128: .int128
    case .unsignedInt128: .uint128
    case .float16: .float16
    case .float, .float32: .float
    case .double, .float64, .float32x: .double
    case .longDouble, .float64x: .longDouble
    }
  }

  /// The size in bytes; the alignment is the same.
  func size(_ target: TargetABI) -> Int {
    switch self {
    case .void, .bool, .char, .signedChar, .unsignedChar: 1
    case .short, .unsignedShort, .float16: 2
    case .int, .unsignedInt, .float, .float32: 4
    case .long, .unsignedLong, .longLong, .unsignedLongLong, .double, .float64, .float32x: 8
    case .int128, .unsignedInt128: 16
    case .longDouble, .float64x: target.longDouble.size
    }
  }

  /// Whether it is `long double` or a type with the same representation, whatever that is.
  var isLongDouble: Bool { self == .longDouble || self == .float64x }

  var isInteger: Bool {
    switch self {
    case .void, .float16, .float, .float32, .double, .float64, .float32x, .float64x, .longDouble: false
    default: true
    }
  }

  func isSigned(_ target: TargetABI) -> Bool {
    switch self {
    case .char: target.isCharSigned
    case .signedChar, .short, .int, .long, .longLong, .int128: true
    default: false
    }
  }

  /// Whether an integer type represents a value.
  func represents(_ value: Int128, _ target: TargetABI) -> Bool {
    let bits = self == .bool ? 1 : 8 * size(target)
    return bits >= 128 || Integer.wrapped(value, bits: bits, isSigned: isSigned(target)) == value
  }

  /// The integer type of a size and a sign.
  static func integer(size: Int, isSigned: Bool) -> Basic? {
    switch size {
    case 1: isSigned ? .signedChar : .unsignedChar
    case 2: isSigned ? .short : .unsignedShort
    case 4: isSigned ? .int : .unsignedInt
    case 8: isSigned ? .long : .unsignedLong
    case 16: isSigned ? .int128 : .unsignedInt128
    default: nil
    }
  }

  /// The name in C.
  var name: String {
    switch self {
    case .void: "void"
    case .bool: "_Bool"
    case .char: "char"
    case .signedChar: "signed char"
    case .unsignedChar: "unsigned char"
    case .short: "short"
    case .unsignedShort: "unsigned short"
    case .int: "int"
    case .unsignedInt: "unsigned int"
    case .long: "long"
    case .unsignedLong: "unsigned long"
    case .longLong: "long long"
    case .unsignedLongLong: "unsigned long long"
    case .int128: "__int128"
    case .unsignedInt128: "unsigned __int128"
    case .float16: "_Float16"
    case .float: "float"
    case .float32: "_Float32"
    case .double: "double"
    case .float64: "_Float64"
    case .float32x: "_Float32x"
    case .float64x: "_Float64x"
    case .longDouble: "long double"
    }
  }
}

extension Basic {
  /// The type to which two operands are converted.
  ///
  /// Source: C11, section 6.3.1.8.
  static func common(_ left: Basic, _ right: Basic) -> Basic {
    if !left.isInteger || !right.isInteger {
      if left.isInteger { return right }
      if right.isInteger { return left }
      return left.floatingRank >= right.floatingRank ? left : right
    }
    let (one, other) = (left.promoted, right.promoted)
    if one.isUnsigned == other.isUnsigned { return one.rank > other.rank ? one : other }
    let (signed, unsigned) = one.isUnsigned ? (other, one) : (one, other)
    if unsigned.rank >= signed.rank { return unsigned }
    // `long` and `long long` have one size; any other signed type of a higher rank is wider.
    let isWider = signed == .int128 || unsigned == .unsignedInt
    return isWider ? signed : Basic(rawValue: signed.rawValue + 1) ?? unsigned
  }

  /// The order of the floating-point types by the numbers that they hold; that of `long double` is the highest, also where it
  /// has the format of `double`.
  private var floatingRank: Int {
    switch self {
    case .longDouble, .float64x: 3
    case .double, .float64, .float32x: 2
    case .float, .float32: 1
    default: 0
    }
  }

  /// An integer of a lower rank than `int` becomes an `int`.
  private var promoted: Basic { rawValue < Basic.int.rawValue ? .int : self }

  /// The rank of `int` and of a higher integer type, whose signed and unsigned types follow each other.
  private var rank: UInt8 { (rawValue + 1) / 2 }

  private var isUnsigned: Bool { rawValue & 1 == 0 }
}
