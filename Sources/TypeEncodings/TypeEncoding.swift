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
    /// The address of the Swift type that last passed the check that all bytes of this type are valid values of it.
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
