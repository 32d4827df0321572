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
