extension TypeEncoding {
  /// The kind of a type, with its parts.
  public enum Kind: Sendable {
    /// No value: `v`.
    case void
    /// An integer, a floating-point number or a bool.
    case scalar(Scalar)
    /// A complex number of two such parts: `jf`, `jd`, `jD`, or an integer, GCC's extension.
    case complex(Scalar)
    /// A vector of `count` elements, as wide and as aligned as stated: `![16,16f]`, `<4f>`.
    case vector(element: Scalar, count: Int, size: Int, alignment: Int)
    /// A pointer to characters that end in a zero: `*`.
    case cString
    /// The runtime's interned string, treated as a C string: `%`.
    case atom
    /// An object: `@`, with the class name and protocols that were quoted after it.
    case object(annotation: String?)
    /// A block: `@?`, with its method types when the extended form `@?<...>` gives them.
    case block(MethodTypes?)
    /// A class: `#`.
    case classObject
    /// A selector: `:`.
    case selector
    /// A pointer to a type: `^T`. A function pointer is a pointer to ``unknown``.
    case pointer(TypeEncoding)
    /// A type that the encoding cannot say, mostly a function: `?`.
    case unknown
    /// A fixed number of elements: `[4i]`.
    case array(count: Int, element: TypeEncoding)
    /// A struct: `{Name=...}`.
    case structure(Record)
    /// A union: `(Name=...)`.
    case union(Record)
    /// A bit-field; it means something only as a member of a struct or union.
    case bitField(BitField)
  }
}

extension TypeEncoding {
  /// The name and the members of a struct or union.
  public struct Record: Sendable {
    /// The name as written; `?` for an anonymous type, and empty when nothing was written.
    public let name: String

    /// The members with their places, or nil for an incomplete type such as `{Opaque}`.
    public let fields: [Field]?
  }

  /// A member of a struct or union, with its place.
  public struct Field: Sendable {
    /// The name, when the encoding quotes it.
    public let name: String?

    /// The type.
    public let type: TypeEncoding

    /// The offset in bytes from the start of the struct; of a bit-field, that of the byte its first bit is in.
    public let offset: Int

    /// The bits of a bit-field, counted from the start of the struct, or nil for another member.
    public let bits: Range<Int>?
  }

  /// The width of a bit-field and the type it was declared with.
  public struct BitField: Sendable, Hashable {
    /// The width in bits; 0 closes a storage unit.
    public let width: Int

    /// The declared type.
    ///
    /// The NeXT form `b3` does not say it: it is then `unsigned int`, or `unsigned long long` past 32 bits.
    public let container: Scalar

    /// The first bit, counted from the start of the struct, when the GNU form `b0I3` states it.
    public let position: Int?
  }
}

extension TypeEncoding {
  /// The qualifiers that may stand before a type.
  ///
  /// They change how a value is used, never how it is passed.
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

    /// Each qualifier's character, in bit order.
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
