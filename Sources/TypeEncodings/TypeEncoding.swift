public import Synchronization

/// A C type, parsed from the compact text form of the Objective-C runtimes.
///
/// `i` is an `int`, `^d` a pointer to `double`, `{Rect={Point=dd}{Size=dd}}` a struct of two structs. A type encoding
/// has the size, alignment and field offsets that the platform's C compiler computes, so that a value can be stored in
/// a call frame.
///
/// Two encodings are equal if they describe the same type. Struct names, member types and layout are compared;
/// qualifiers, field names, class names and the dialect are ignored. ``hasSameLayout(as:)`` also ignores struct names.
///
/// The pointer size is 64 bits, the only one the engine supports.
///
/// - Complexity: A value is one word, a reference to an immutable tree that copies share.
public struct TypeEncoding: Sendable {
  @usableFromInline package let node: Node

  init(node: Node) { self.node = node }

  /// The kind of the type, with its parts.
  public var kind: Kind { node.kind }

  /// The qualifiers written before the type.
  public var qualifiers: Qualifiers { node.qualifiers }

  /// The size in bytes with tail padding, or nil for a type without one: void, a function, a bit-field alone, an
  /// incomplete struct.
  public var size: Int? { node.layout?.size }

  /// The alignment in bytes, or nil for a type without a size.
  public var alignment: Int? { node.layout?.alignment }

  /// The distance in bytes between two elements of an array of this type, or nil for a type without a size.
  ///
  /// In C this is the size; an empty struct has stride 0.
  public var stride: Int? { node.layout?.size }

  /// The alignment that the members give a struct or union, without an attribute of the whole type; nil for a type
  /// without a size.
  package var memberAlignment: Int? { node.layout?.memberAlignment }

  /// The explicit packing or alignment of a struct or union, which an encoding cannot express.
  public var layoutOverride: LayoutOverride? { node.override }

  /// The number that determines whether a Swift type and an encoding have the same representation.
  public var valueKind: ValueKind { node.valueKind }
}

extension TypeEncoding {
  /// The size and the alignment of a complete type, in bytes.
  package struct Layout: Sendable, Hashable {
    package var size: Int
    package var alignment: Int
    /// The alignment that the members give a struct or union, without an attribute of the whole type.
    package var memberAlignment: Int

    package init(size: Int, alignment: Int, memberAlignment: Int? = nil) {
      self.size = size
      self.alignment = alignment
      self.memberAlignment = memberAlignment ?? alignment
    }
  }
}

extension TypeEncoding {
  /// The dialect of an encoding.
  ///
  /// The dialects differ in `l` and `L`, and in how a bit-field is written. Both forms of a bit-field are parsed in
  /// either dialect, since they cannot be confused with each other.
  public enum Dialect: String, Sendable, CaseIterable {
    /// Apple's and NeXT's: `l` is 32 bits wide, and a bit-field states only its width: `b3`.
    case next
    /// The GNU runtimes': `l` is as wide as C's `long`, and a bit-field also states its position and type: `b0I3`.
    case gnu
  }
}

extension TypeEncoding {
  /// The limits of the parser.
  ///
  /// The parser throws an error if an encoding exceeds a limit, so that no input causes a crash or a hang.
  public enum Limits {
    /// The maximum length of the text, in bytes.
    public static let length: Int = 1 << 20
    /// The maximum nesting depth of pointers, arrays, structs, unions and block signatures.
    public static let nesting: Int = 128
    /// The maximum size of a type, in bytes.
    public static let size: Int = Int(Int32.max)
    /// The maximum number of arguments of one signature.
    public static let arguments: Int = 16_384
  }
}

extension TypeEncoding {
  /// The immutable tree that stores an encoding.
  @usableFromInline
  package final class Node: Sendable {
    package let kind: Kind
    let qualifiers: Qualifiers
    let override: LayoutOverride?
    /// Computed once from the layouts of the parts; nil for a type without a size.
    package let layout: Layout?
    /// Whether a value of the type is a C string, or is or contains an object, a class, a selector or a block.
    ///
    /// These values are dereferenced or reference counted. A pointer is treated as an address only, and so is a C string
    /// that is a member of a struct or union or an element of an array: nothing reads its text.
    package let holdsReferences: Bool
    /// Whether a value of the type is or contains a bool, except as a bit-field or in a union.
    package let holdsBools: Bool
    /// Computed at the first use, because it is never read for most inner nodes.
    @usableFromInline let cachedKind: Atomic<UInt32> = Atomic(0)
    /// The address of the last Swift type that a check found to take all bytes of this type as valid values.
    @usableFromInline package let checkedType: Atomic<UInt> = Atomic(0)

    init(kind: Kind, qualifiers: Qualifiers, override: LayoutOverride?, layout: Layout?) {
      self.kind = kind
      self.qualifiers = qualifiers
      self.override = override
      self.layout = layout
      switch kind {
      case .cString, .atom, .object, .block, .classObject, .selector: (holdsReferences, holdsBools) = (true, false)
      case .scalar(let scalar): (holdsReferences, holdsBools) = (false, scalar == .bool)
      case .array(_, let element): (holdsReferences, holdsBools) = (element.node.isReferencePart, element.node.holdsBools)
      case .structure(let record):
        let fields = record.fields ?? []
        holdsReferences = fields.contains { $0.type.node.isReferencePart }
        holdsBools = fields.contains { $0.type.node.holdsBools }
      case .union(let record):
        // A bool in a union shares its bytes with other members, so it does not count.
        (holdsReferences, holdsBools) = ((record.fields ?? []).contains { $0.type.node.isReferencePart }, false)
      case .void, .complex, .vector, .pointer, .unknown, .bitField: (holdsReferences, holdsBools) = (false, false)
      }
    }

    /// Whether a part of this type makes a struct, a union or an array hold references.
    private var isReferencePart: Bool {
      switch kind {
      case .cString, .atom: false
      default: holdsReferences
      }
    }

    @inlinable @inline(__always)
    package var valueKind: ValueKind {
      let kind = cachedKind.load(ordering: .relaxed)
      return kind == 0 ? Node.firstValueKind(of: self) : ValueKind(rawValue: kind)
    }

    // A static function: a method would make every caller save the register of its `self`.
    @inline(never) @usableFromInline
    static func firstValueKind(of node: Node) -> ValueKind {
      let kind = ValueKind(of: node)
      node.cachedKind.store(kind.rawValue, ordering: .relaxed)
      return kind
    }
  }
}

extension TypeEncoding {
  /// The kind of a type, with its parts.
  public enum Kind: Sendable, CustomStringConvertible {
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

    /// The kind as text: `Int32`, `struct Rect`, `array of 4 i`, `pointer to {Point=dd}`.
    ///
    /// Quoted encodings are truncated.
    public var description: String {
      switch self {
      case .void: "void"
      case .scalar(let scalar): scalar.swiftName
      case .complex(let part): "complex \(part.swiftName)"
      case .vector(let element, let count, _, _): "vector of \(count) \(element.swiftName)"
      case .cString: "C string"
      case .atom: "atom"
      case .object(let annotation): annotation.map { "object of \($0)".shortened(to: 120).escaped } ?? "object"
      case .block(let types): types.map { "block '\($0.shortText)'" } ?? "block"
      case .classObject: "class"
      case .selector: "selector"
      case .pointer(let target): "pointer to \(target.shortText)"
      case .unknown: "unknown"
      case .array(let count, let element): "array of \(count) \(element.shortText)"
      case .structure(let record): "struct \(record)"
      case .union(let record): "union \(record)"
      case .bitField(let field): "\(field)"
      }
    }
  }
}

extension TypeEncoding {
  /// The name and the members of a struct or union.
  public struct Record: Sendable, CustomStringConvertible {
    /// The name as written: `?` for an anonymous type, empty if the encoding states no name.
    public let name: String

    /// The members with their offsets, or nil for an incomplete type such as `{Opaque}`.
    public let fields: [Field]?

    /// The name and the number of members: `Rect with 2 members`.
    public var description: String {
      "\(name.shortened(to: 120).escaped) " + (fields.map { "with " + $0.count.counted("member") } ?? "without a layout")
    }
  }

  /// A member of a struct or union, with its offset.
  public struct Field: Sendable, CustomStringConvertible {
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

    /// The name, the type and the offset: `origin {Point=dd} at byte 0`, `b3 at bit 5`.
    public var description: String {
      let place = bits.map { "bit \($0.lowerBound)" } ?? "byte \(offset)"
      return (name.map { $0.shortened(to: 120).escaped + " " } ?? "") + "\(type.shortText) at \(place)"
    }
  }

  /// The width of a bit-field and the type it was declared with.
  public struct BitField: Sendable, Hashable, CustomStringConvertible {
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
      (self.width, self.container, self.position, self.declaration) = (width, container, position, declaration)
    }

    /// The width and the declared type: `3 bits of UInt32`.
    public var description: String { width.counted("bit") + " of \(container.swiftName)" }

    /// What the declaration of a bit-field states besides its type and width; compilers pass the struct accordingly.
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
  public struct Qualifiers: OptionSet, Sendable, Hashable, CustomStringConvertible {
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

    /// The qualifiers by name: `[const, out]`.
    public var description: String {
      text([
        (.const, "const"), (.in, "in"), (.inout, "inout"), (.out, "out"), (.byCopy, "byCopy"), (.byReference, "byReference"),
        (.oneway, "oneway"), (.atomic, "atomic"), (.collectorInvisible, "collectorInvisible"),
      ])
    }
  }
}
