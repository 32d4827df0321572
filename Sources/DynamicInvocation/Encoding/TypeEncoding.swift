import Synchronization

/// A C type in the compact text form of the Objective-C runtimes, parsed to a value.
///
/// `i` is an `int`, `^d` a pointer to `double`, `{Rect={Point=dd}{Size=dd}}` a struct of two structs. A type encoding knows its size,
/// alignment and field offsets as the platform's C compiler lays them out, so it can place a value in a call frame.
///
/// Two encodings are equal when they say the same type: struct names, member types and layout count; qualifiers, field names, class names
/// and the dialect they were written in do not. ``hasSameLayout(as:)`` also ignores struct names.
///
/// The pointer size is 64 bits, the only one the engine supports.
///
/// - Complexity: One word, a reference to an immutable tree that copies share.
public struct TypeEncoding: Sendable {
  let node: Node

  init(node: Node) { self.node = node }

  /// What kind of type it is, with its parts.
  public var kind: Kind { node.kind }

  /// The qualifiers written before the type.
  public var qualifiers: Qualifiers { node.qualifiers }

  /// The size in bytes with tail padding, or nil for a type without one: void, a function, a bit-field alone, an incomplete struct.
  public var size: Int? { node.layout?.size }

  /// The alignment in bytes, or nil for a type without a size.
  public var alignment: Int? { node.layout?.alignment }

  /// The distance in bytes between two elements of an array of this type, or nil for a type without a size.
  ///
  /// In C this is the size; an empty struct has stride 0.
  public var stride: Int? { node.layout?.size }

  /// The explicit packing or alignment given to a struct or union, which its text cannot say.
  public var layoutOverride: LayoutOverride? { node.override }

  /// The number that decides whether a Swift type and an encoding mean the same bytes.
  public var valueKind: ValueKind { node.valueKind }
}

extension TypeEncoding {
  /// The size and the alignment of a complete type, in bytes.
  struct Layout: Sendable, Hashable {
    var size: Int
    var alignment: Int
  }
}

extension TypeEncoding {
  /// The dialect that an encoding is written in.
  ///
  /// The dialects differ in `l` and `L`, and in how a bit-field is written. Both forms of a bit-field are read in either dialect, since no text
  /// can be taken for the other form.
  public enum Dialect: String, Sendable, CaseIterable {
    /// Apple's and NeXT's: `l` is 32 bits wide, and a bit-field says only its width: `b3`.
    case next
    /// The GNU runtimes': `l` is as wide as C's `long`, and a bit-field says position and type too: `b0I3`.
    case gnu
  }
}

extension TypeEncoding {
  /// The bounds within which an encoding is read.
  ///
  /// Past one of them reading throws; nothing crashes or hangs.
  public enum Limits {
    /// The longest text, in bytes.
    public static let length: Int = 1 << 20
    /// The deepest nesting of pointers, arrays, structs, unions and block signatures.
    public static let nesting: Int = 128
    /// The largest type, in bytes.
    public static let size: Int = Int(Int32.max)
    /// The most arguments of one signature.
    public static let arguments: Int = 16_384
  }
}

extension TypeEncoding {
  /// The immutable tree behind an encoding.
  final class Node: Sendable {
    let kind: Kind
    let qualifiers: Qualifiers
    let override: LayoutOverride?
    /// Computed once, from the parts, which are laid out already; nil for a type without a size.
    let layout: Layout?
    /// Whether a value of the type is, or has in it, an object, a class, a selector, a block or a C string.
    ///
    /// These are followed or counted. A plain pointer is only an address.
    let holdsReferences: Bool
    /// Whether a value of the type is, or has in it, a bool at a place of its own.
    let holdsBools: Bool
    /// Filled at the first use: most inner nodes are never asked.
    private let cachedKind: Atomic<UInt32> = Atomic(0)
    /// The Swift type that was last found to have a value for all bytes of this type.
    let checkedType: Atomic<UInt> = Atomic(0)

    init(kind: Kind, qualifiers: Qualifiers, override: LayoutOverride?, layout: Layout?) {
      self.kind = kind
      self.qualifiers = qualifiers
      self.override = override
      self.layout = layout
      switch kind {
      case .cString, .atom, .object, .block, .classObject, .selector: (holdsReferences, holdsBools) = (true, false)
      case .scalar(let scalar): (holdsReferences, holdsBools) = (false, scalar == .bool)
      case .array(_, let element): (holdsReferences, holdsBools) = (element.node.holdsReferences, element.node.holdsBools)
      case .structure(let record):
        let fields = record.fields ?? []
        holdsReferences = fields.contains { $0.type.node.holdsReferences }
        holdsBools = fields.contains { $0.type.node.holdsBools }
      case .union(let record):
        // What is a bool there may be something else.
        (holdsReferences, holdsBools) = ((record.fields ?? []).contains { $0.type.node.holdsReferences }, false)
      case .void, .complex, .vector, .pointer, .unknown, .bitField: (holdsReferences, holdsBools) = (false, false)
      }
    }

    var valueKind: ValueKind {
      let cached = cachedKind.load(ordering: .relaxed)
      if cached != 0 { return ValueKind(rawValue: cached) }
      let kind = ValueKind(of: self)
      cachedKind.store(kind.rawValue, ordering: .relaxed)
      return kind
    }
  }
}
