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
