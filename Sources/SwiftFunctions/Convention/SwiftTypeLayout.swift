/// The layout of a Swift type, as far as the Swift calling convention reads it.
///
/// It is independent of the runtime: tests and explanations build layouts of types that do not exist on the host.
package struct SwiftTypeLayout: Sendable, Hashable {
  /// The size in bytes, without the padding after the last field.
  package var size: Int
  /// The alignment in bytes, a power of two.
  package var alignment: Int
  /// Whether a value is always passed by its address.
  ///
  /// This applies to existential containers, to types with weak references, to types of a module built for library
  /// evolution that are not frozen, and to each type that contains one of them.
  package var isAddressOnly: Bool
  /// The parts of a value that are passed in registers, in the order of their offsets.
  ///
  /// Empty if the type is address-only.
  package var leaves: [Leaf]
  /// The elements of a tuple, which is passed as its elements; nil for any other type.
  package var elements: [Element]?

  /// Creates a layout from its parts.
  package init(size: Int, alignment: Int, isAddressOnly: Bool = false, leaves: [Leaf] = [], elements: [Element]? = nil) {
    self.size = size
    self.alignment = alignment
    self.isAddressOnly = isAddressOnly
    self.leaves = isAddressOnly ? [] : leaves
    self.elements = elements
  }

  /// A part of a value at an offset.
  package struct Leaf: Sendable, Hashable {
    /// The offset in bytes.
    package var offset: Int
    /// What the part is to the compiler.
    package var kind: Kind

    /// Creates a leaf.
    package init(_ kind: Kind, at offset: Int) {
      self.offset = offset
      self.kind = kind
    }
  }

  /// An element of a tuple.
  package struct Element: Sendable, Hashable {
    /// The offset in bytes.
    package var offset: Int
    /// The layout of the element.
    package var layout: SwiftTypeLayout

    /// Creates an element.
    package init(_ layout: SwiftTypeLayout, at offset: Int) {
      self.offset = offset
      self.layout = layout
    }
  }

  /// The type of a part in the compiler's intermediate representation.
  package enum Kind: Sendable, Hashable {
    /// An integer of a number of bits.
    case integer(bits: Int)
    /// A pointer or reference.
    case pointer
    /// A floating-point number of a number of bits.
    case float(bits: Int)
    /// A vector.
    case vector(count: Int, of: VectorElement)
    /// A number of bytes without a type.
    case opaque(bytes: Int)

    /// The number of bytes in memory.
    package var size: Int {
      switch self {
      case .integer(let bits): (bits + 7) / 8
      case .pointer: 8
      case .float(let bits): bits == 80 ? 16 : bits / 8
      case .vector(let count, let element): count * element.scalar.size
      case .opaque(let bytes): bytes
      }
    }
  }

  /// The element of a vector.
  package enum VectorElement: Sendable, Hashable {
    /// An integer of a number of bits.
    case integer(bits: Int)
    /// A floating-point number of a number of bits.
    case float(bits: Int)

    /// The same as a part of its own.
    package var scalar: Kind {
      switch self {
      case .integer(let bits): .integer(bits: bits)
      case .float(let bits): .float(bits: bits)
      }
    }
  }
}

extension SwiftTypeLayout {
  /// The empty tuple.
  package static let void: SwiftTypeLayout = SwiftTypeLayout(size: 0, alignment: 1, elements: [])

  /// Returns the layout of a type with one part.
  package static func scalar(_ kind: Kind) -> SwiftTypeLayout {
    SwiftTypeLayout(size: kind.size, alignment: min(16, kind.size), leaves: [Leaf(kind, at: 0)])
  }

  /// Returns the layout of a struct or tuple with fields in order, each at the next multiple of its alignment.
  package static func record(_ fields: [SwiftTypeLayout], isTuple: Bool = false) -> SwiftTypeLayout {
    var layout = SwiftTypeLayout(size: 0, alignment: 1, isAddressOnly: fields.contains(where: \.isAddressOnly))
    var elements: [Element] = []
    for field in fields {
      let offset = layout.size.roundedUp(to: field.alignment)
      if !layout.isAddressOnly { layout.leaves += field.leaves.map { Leaf($0.kind, at: offset + $0.offset) } }
      elements.append(Element(field, at: offset))
      layout.size = offset + field.size
      layout.alignment = max(layout.alignment, field.alignment)
    }
    if isTuple { layout.elements = elements }
    return layout
  }

  /// The elements of a tuple, with those of tuples in it, or the value itself.
  ///
  /// The offsets are from the start of the value.
  package var flattened: [Element] {
    guard let elements else { return [Element(self, at: 0)] }
    return elements.flatMap { element in
      element.layout.flattened.map { Element($0.layout, at: element.offset + $0.offset) }
    }
  }
}
