import TypeEncodings

/// The index of a type in a table.
struct TypeID: Hashable, Sendable {
  var index: Int32
}

/// A type with its qualifiers.
struct QualifiedType: Sendable {
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    static let const = Flags(rawValue: 1)
    static let volatile = Flags(rawValue: 2)
    static let atomic = Flags(rawValue: 4)
    /// The type was written as the name of a typedef, which decides where its `const` is encoded.
    static let typedefName = Flags(rawValue: 8)
    /// Written only in the text of a type.
    static let restrict = Flags(rawValue: 16)
    /// What has the type is not in the memory that addresses are of, but in a segment or another address space.
    static let otherMemory = Flags(rawValue: 32)
    /// An array of a parameter whose number of elements, or that of an inner array, is not a constant.
    static let variableLength = Flags(rawValue: 64)
  }

  var id: TypeID
  var flags: Flags = []
  /// The alignment that an attribute of a typedef states, or 0.
  var alignment: UInt16 = 0
}

extension QualifiedType {
  /// A basic type, whose index is its raw value.
  init(_ basic: Basic) { self.init(id: TypeID(index: Int32(basic.rawValue))) }
}

/// A type without qualifiers.
enum TypeNode: Sendable {
  case basic(Basic)
  case complex(Basic)
  case vector(Basic, size: Int)
  case pointer(QualifiedType)
  case block(QualifiedType)
  /// An array; without a count it is incomplete.
  case array(QualifiedType, count: Int?)
  /// The index of a ``FunctionNode``.
  case function(Int32)
  /// The index of a ``RecordNode``.
  case record(Int32)
  /// The index of an ``EnumerationNode``.
  case enumeration(Int32)
  /// A type that the engine cannot pass, with its size and alignment if they are known.
  case unsupported(String, size: Int?)
}

/// The types of a function.
struct FunctionNode: Sendable {
  var result: QualifiedType
  var parameters: [QualifiedType]
  var names: [Name]
  /// The first byte of each parameter, if the reader stores them.
  var offsets: [Int32] = []
  var isVariadic = false
  /// Whether the declaration states the parameters: `int f()` does not.
  var hasPrototype = true
  /// The reason for which it is not called as its types state, such as an attribute of another convention.
  var refusal: String?
}

/// A member of a struct or union.
struct MemberNode: Sendable {
  var name: Name
  var type: QualifiedType
  /// The width of a bit-field.
  var width: Int?
  var isPacked = false
  /// The alignment that an attribute states, or 0.
  var alignment = 0
}

/// A struct or union.
struct RecordNode: Sendable {
  var name: Name
  var isUnion: Bool
  /// The members, or nil while the type is incomplete.
  var members: [MemberNode]?
  var isBeingDefined = false
  var isPacked = false
  /// The maximum alignment of a member by `#pragma pack`, or 0.
  var packing = 0
  /// The minimum alignment that an attribute states, or 0.
  var alignment = 0
  var isTransparent = false
  /// The reason for which the layout is not known, such as an attribute; then there is none.
  var refusal: String?
  /// The tag token of the definition, for messages.
  var offset: Int32
  /// The index of the declaration that defines it, or -1.
  var declaration: Int32 = -1
  /// Computed when the definition ends.
  var layout: NodeLayout?
  /// The alignment that the members give it, without its own attribute.
  var memberAlignment = 1
  /// The first bit of each member.
  var positions: [Int] = []
}

/// An enum.
struct EnumerationNode: Sendable {
  var name: Name
  /// The integer type, or nil while the type is incomplete.
  var underlying: Basic?
  /// Whether the declaration states the integer type.
  var isFixed = false
  /// Whether the enumerators are declared.
  var isDefined = false
  /// Whether `int` represents all enumerators.
  var fitsInt = true
  /// The reason for which values are not passed as those of the integer type, such as an attribute.
  var refusal: String?
  var offset: Int32
  /// The index of the declaration that defines it, or -1.
  var declaration: Int32 = -1
}

/// The size and the alignment of a type, in bytes.
struct NodeLayout: Sendable {
  var size: Int
  var alignment: Int
}

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
