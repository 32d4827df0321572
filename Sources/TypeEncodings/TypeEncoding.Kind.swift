extension TypeEncoding {
  /// The kind of a type, with its parts.
  public enum Kind: Sendable {
    /// No value: `v`.
    case void
    /// An integer, a floating-point number or a bool.
    case scalar(Scalar)
    /// A complex number with two parts of the given type: `jf`, `jd`, `jD`, or of an integer type, as GCC's extension
    /// allows.
    case complex(Scalar)
    /// A vector of `count` elements with the given size and alignment in bytes: `![16,16f]`, `<4f>`.
    case vector(element: Scalar, count: Int, size: Int, alignment: Int)
    /// A pointer to a null-terminated C string: `*`.
    case cString
    /// An interned string of the runtime, treated as a C string: `%`.
    case atom
    /// An object: `@`, with the quoted class name and protocols that follow it.
    case object(annotation: String?)
    /// A block: `@?`, with its method types if the extended form `@?<...>` states them.
    case block(MethodTypes?)
    /// A class: `#`.
    case classObject
    /// A selector: `:`.
    case selector
    /// A pointer to a type: `^T`. A function pointer is a pointer to ``unknown``.
    case pointer(TypeEncoding)
    /// A type that an encoding cannot express, usually a function: `?`.
    case unknown
    /// A fixed number of elements: `[4i]`.
    case array(count: Int, element: TypeEncoding)
    /// A struct: `{Name=...}`.
    case structure(Record)
    /// A union: `(Name=...)`.
    case union(Record)
    /// A bit-field, which is meaningful only as a member of a struct or union.
    case bitField(BitField)
  }
}

extension TypeEncoding {
  /// The name and the members of a struct or union.
  public struct Record: Sendable {
    /// The name as written: `?` for an anonymous type, empty if the encoding states no name.
    public let name: String

    /// The members with their offsets, or nil for an incomplete type such as `{Opaque}`.
    public let fields: [Field]?
  }

  /// A member of a struct or union, with its offset.
  public struct Field: Sendable {
    /// The name, or nil if the encoding does not state it.
    public let name: String?

    /// The type.
    public let type: TypeEncoding

    /// The offset in bytes from the start of the struct.
    ///
    /// For a bit-field, the offset of the byte that contains its first bit.
    public let offset: Int

    /// The bits of a bit-field, counted from the start of the struct, or nil for other members.
    public let bits: Range<Int>?
  }

  /// The width of a bit-field and the type it was declared with.
  public struct BitField: Sendable, Hashable {
    /// The width in bits; 0 closes a storage unit.
    public let width: Int

    /// The declared type.
    ///
    /// The NeXT form `b3` does not state the type. It is then ``TypeEncoding/LayoutHints/bitFieldType`` if that is set,
    /// otherwise `unsigned int`, or `unsigned long long` above 32 bits.
    public let container: Scalar

    /// The first bit, counted from the start of the struct, if the GNU form `b0I3` states it, otherwise nil.
    public let position: Int?

    /// How it is declared, or nil if only an encoding is known.
    package let declaration: Declaration?

    package init(width: Int, container: Scalar, position: Int?, declaration: Declaration? = nil) {
      self.width = width
      self.container = container
      self.position = position
      self.declaration = declaration
    }

    /// What the declaration of a bit-field states besides its type and width, on which compilers base how a struct is
    /// passed.
    package struct Declaration: OptionSet, Sendable, Hashable {
      package let rawValue: UInt8

      package init(rawValue: UInt8) { self.rawValue = rawValue }

      /// The attribute `packed`, of the bit-field or of its struct, but not `#pragma pack`.
      package static let packed: Declaration = Declaration(rawValue: 1)
      /// No name: padding.
      package static let unnamed: Declaration = Declaration(rawValue: 2)
    }
  }
}

extension TypeEncoding {
  /// The qualifiers that may precede a type.
  ///
  /// Qualifiers change how a value is used, not how it is passed.
  public struct Qualifiers: OptionSet, Sendable, Hashable {
    /// One bit for each qualifier, in the order they are written.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `r`, const.
    public static let const: Qualifiers = Qualifiers(rawValue: 1 << 0)
    /// `n`, in.
    public static let `in`: Qualifiers = Qualifiers(rawValue: 1 << 1)
    /// `N`, inout.
    public static let `inout`: Qualifiers = Qualifiers(rawValue: 1 << 2)
    /// `o`, out.
    public static let out: Qualifiers = Qualifiers(rawValue: 1 << 3)
    /// `O`, bycopy.
    public static let byCopy: Qualifiers = Qualifiers(rawValue: 1 << 4)
    /// `R`, byref.
    public static let byReference: Qualifiers = Qualifiers(rawValue: 1 << 5)
    /// `V`, oneway.
    public static let oneway: Qualifiers = Qualifiers(rawValue: 1 << 6)
    /// `A`, atomic.
    public static let atomic: Qualifiers = Qualifiers(rawValue: 1 << 7)
    /// `|`, invisible to the garbage collector of the GNU runtime.
    public static let collectorInvisible: Qualifiers = Qualifiers(rawValue: 1 << 8)

    /// The characters of the qualifiers, in bit order.
    static let characters: [UInt8] = Array("rnNoORVA|".utf8)

    init?(character: UInt8) {
      guard let bit = Self.characters.firstIndex(of: character) else { return nil }
      rawValue = 1 << UInt16(bit)
    }

    /// The characters of the set, in the order compilers write them.
    var text: String {
      String(decoding: Self.characters.enumerated().filter { rawValue & (1 << UInt16($0.offset)) != 0 }.map(\.element), as: UTF8.self)
    }
  }
}
