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
