import TypeEncodings

/// The index of a type in a table.
package struct TypeID: Hashable, Sendable {
  var index: Int32
}

/// A type with its qualifiers.
package struct QualifiedType: Sendable {
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let const = Flags(rawValue: 1)
    package static let volatile = Flags(rawValue: 2)
    package static let atomic = Flags(rawValue: 4)
    /// The type was written as the name of a typedef, which decides where its `const` is encoded.
    package static let typedefName = Flags(rawValue: 8)
    /// Written only in the text of a type.
    package static let restrict = Flags(rawValue: 16)
    /// The value is in a segment or another address space, whose addresses are not pointers.
    package static let otherMemory = Flags(rawValue: 32)
    /// An array parameter with a number of elements, its own or an inner array's, that is not a constant.
    static let variableLength = Flags(rawValue: 64)
  }

  package var id: TypeID
  package var flags: Flags = []
  /// The alignment that an attribute of a typedef states, or 0.
  var alignment: UInt16 = 0
}

extension QualifiedType {
  /// A basic type, whose index is its raw value.
  init(_ basic: Basic) { self.init(id: TypeID(index: Int32(basic.rawValue))) }
}

/// A type without qualifiers.
package enum TypeNode: Sendable {
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
package struct FunctionNode: Sendable {
  package var result: QualifiedType
  package var parameters: [QualifiedType]
  package var names: [Name]
  /// The first byte of each parameter, if the reader stores them.
  package var offsets: [Int32] = []
  package var isVariadic = false
  /// Whether the declaration states the parameters: `int f()` does not.
  package var hasPrototype = true
  /// The reason for which it is not called as its types state, such as an attribute of another convention.
  package var refusal: String?
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
package struct RecordNode: Sendable {
  package var name: Name
  package var isUnion: Bool
  /// The members, or nil while the type is incomplete.
  var members: [MemberNode]?
  /// Whether the definition is missing.
  package var isIncomplete: Bool { members == nil }
  var isBeingDefined = false
  var isPacked = false
  /// The maximum alignment of a member by `#pragma pack`, or 0.
  var packing = 0
  /// The minimum alignment that an attribute states, or 0.
  var alignment = 0
  var isTransparent = false
  /// The reason why the layout is not known, such as an attribute; then ``layout`` is nil.
  var refusal: String?
  /// The tag token of the definition, for messages.
  var offset: Int32
  /// The index of the declaration that defines it, or -1.
  var declaration: Int32 = -1
  /// The layout, computed when the definition ends.
  var layout: TypeEncoding.StatedLayout?
}

/// An enum.
package struct EnumerationNode: Sendable {
  package var name: Name
  /// The integer type, or nil while the type is incomplete.
  package var underlying: Basic?
  /// Whether the declaration states the integer type.
  var isFixed = false
  /// Whether the enumerators are declared.
  var isDefined = false
  /// Whether `int` represents all enumerators.
  var fitsInt = true
  /// The reason for which values are not passed as values of the integer type, such as an attribute.
  package var refusal: String?
  var offset: Int32
  /// The index of the declaration that defines it, or -1.
  var declaration: Int32 = -1
}

/// A basic type of C.
///
/// Types with the same representation, such as `long` and `long long`, or `float` and `_Float32`, are distinct.
package enum Basic: UInt8, Sendable {
  case void, bool, char, signedChar, unsignedChar, short, unsignedShort, int, unsignedInt, long, unsignedLong, longLong,
    unsignedLongLong, int128, unsignedInt128, float16, float, float32, double, float64, float32x, float64x, longDouble

  /// The name in C, and the type of an encoding with the same representation; `char` is signed here, and void none.
  private var row: (name: String, scalar: TypeEncoding.Scalar?) {
    switch self {
    case .void: ("void", nil)
    case .bool: ("_Bool", .bool)
    case .char: ("char", .int8)
    case .signedChar: ("signed char", .int8)
    case .unsignedChar: ("unsigned char", .uint8)
    case .short: ("short", .int16)
    case .unsignedShort: ("unsigned short", .uint16)
    case .int: ("int", .int32)
    case .unsignedInt: ("unsigned int", .uint32)
    case .long: ("long", .int64)
    case .unsignedLong: ("unsigned long", .uint64)
    case .longLong: ("long long", .int64)
    case .unsignedLongLong: ("unsigned long long", .uint64)
    case .int128: ("__int128", .int128)
    case .unsignedInt128: ("unsigned __int128", .uint128)
    case .float16: ("_Float16", .float16)
    case .float: ("float", .float)
    case .float32: ("_Float32", .float)
    case .double: ("double", .double)
    case .float64: ("_Float64", .double)
    case .float32x: ("_Float32x", .double)
    case .float64x: ("_Float64x", .longDouble)
    case .longDouble: ("long double", .longDouble)
    }
  }

  /// The name in C.
  package var name: String { row.name }

  /// The encoding; nil for void.
  func scalar(_ target: TargetABI) -> TypeEncoding.Scalar? { self == .char && !target.isCharSigned ? .uint8 : row.scalar }

  /// The size in bytes, which is 1 for void; the alignment is the same.
  func size(_ target: TargetABI) -> Int { isLongDouble ? target.longDouble.size : row.scalar?.size ?? 1 }

  /// Whether it is `long double` or a type with the same representation, whatever that is.
  var isLongDouble: Bool { self == .longDouble || self == .float64x }

  var isInteger: Bool { self != .void && rawValue < Basic.float16.rawValue }

  func isSigned(_ target: TargetABI) -> Bool { scalar(target)?.isSigned ?? false }

  /// The value modulo the number of values of an integer type, in its range.
  func wrapped(_ value: Int128, _ target: TargetABI) -> Int128 {
    let bits = 8 * size(target)
    guard bits < 128 else { return value }
    let low = value & ((Int128(1) << bits) - 1)
    return isSigned(target) && low >> (bits - 1) != 0 ? low - (Int128(1) << bits) : low
  }

  /// Whether an integer type represents a value.
  func represents(_ value: Int128, _ target: TargetABI) -> Bool {
    self == .bool ? value == 0 || value == 1 : wrapped(value, target) == value
  }

  /// The integer type of a size and a sign.
  static func integer(size: Int, isSigned: Bool) -> Basic {
    switch size {
    case 1: isSigned ? .signedChar : .unsignedChar
    case 2: isSigned ? .short : .unsignedShort
    case 4: isSigned ? .int : .unsignedInt
    case 8: isSigned ? .long : .unsignedLong
    default: isSigned ? .int128 : .unsignedInt128
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

  /// The order of the floating-point types by the numbers that they hold.
  ///
  /// `long double` is the highest, also where it has the format of `double`.
  private var floatingRank: Int { isLongDouble ? 16 : row.scalar?.size ?? 0 }

  /// An integer of a lower rank than `int` becomes an `int`.
  private var promoted: Basic { rawValue < Basic.int.rawValue ? .int : self }

  /// The rank of `int` and of a higher integer type, whose signed and unsigned types follow each other.
  private var rank: UInt8 { (rawValue + 1) / 2 }

  private var isUnsigned: Bool { rawValue & 1 == 0 }
}
