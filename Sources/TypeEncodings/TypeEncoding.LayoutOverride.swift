extension TypeEncoding {
  /// The effect of compiler attributes on the layout of a struct or union, which a type encoding does not contain.
  ///
  /// Compilers write the same encoding, `{P=ci}`, for a packed struct as for any other struct. Apply the attribute to
  /// an encoding with ``TypeEncoding/packed(to:)`` or ``TypeEncoding/aligned(to:)``.
  public struct LayoutOverride: Sendable, Hashable {
    /// The largest alignment a member may have, a power of two: 1 for a packed struct.
    public let packing: Int?

    /// The minimum alignment of the whole type, a power of two.
    public let minimumAlignment: Int?

    /// The whole layout, if a declaration states one that packing and alignment of the type do not give.
    package let stated: StatedLayout?

    /// Creates a layout override.
    ///
    /// - Parameters:
    ///   - packing: The largest alignment that a member may have, a power of two up to 16; nil for no packing.
    ///   - minimumAlignment: The minimum alignment of the whole type, a power of two up to 4,096; nil for the alignment
    ///     that the members determine.
    /// - Throws: ``InvocationError`` `outOfRange` if a value is not a power of two in its range.
    public init(packing: Int? = nil, minimumAlignment: Int? = nil) throws(InvocationError) {
      if let packing {
        guard packing > 0, packing <= 16, packing & (packing - 1) == 0 else {
          throw InvocationError(.outOfRange, "a packing of \(packing) is not a power of two up to 16")
        }
      }
      if let minimumAlignment {
        guard minimumAlignment > 0, minimumAlignment <= 4096, minimumAlignment & (minimumAlignment - 1) == 0 else {
          throw InvocationError(.outOfRange, "an alignment of \(minimumAlignment) is not a power of two up to 4096")
        }
      }
      self.packing = packing
      self.minimumAlignment = minimumAlignment
      stated = nil
    }

    /// Creates the override of a type whose layout is known, such as a struct with an over-aligned member.
    package init(_ stated: StatedLayout) {
      packing = nil
      minimumAlignment = nil
      self.stated = stated
    }
  }

  /// The size and the alignment in bytes, with and without an attribute of the whole type, and the first bit of each
  /// member.
  package struct StatedLayout: Sendable, Hashable {
    package let size: Int
    package let alignment: Int
    package let memberAlignment: Int
    package let positions: [Int]

    package init(size: Int, alignment: Int, memberAlignment: Int, positions: [Int]) {
      self.size = size
      self.alignment = alignment
      self.memberAlignment = memberAlignment
      self.positions = positions
    }
  }

  /// Layout information about structs and unions that a type encoding does not contain, for use by the parser.
  ///
  ///     var hints = TypeEncoding.LayoutHints()
  ///     hints.records["Header"] = try TypeEncoding.LayoutOverride(packing: 1)
  ///     let types = try MethodTypes("v^{Header=CIQ}", hints: hints)
  public struct LayoutHints: Sendable, Hashable {
    /// The layout overrides by name of the struct or union.
    ///
    /// An override applies to each struct or union of the name that has members in the text.
    public var records: [String: LayoutOverride] = [:]

    /// The declared type of bit-fields in the NeXT form, which does not state it: an integer or a bool.
    ///
    /// If nil, the type is `unsigned int`, or `unsigned long long` above 32 bits. The GNU form states the type of each
    /// bit-field. Traps if set to a type that is neither an integer nor a bool.
    public var bitFieldType: Scalar? {
      willSet { precondition(newValue?.isInteger ?? true, "a bit-field is an integer or a bool") }
    }

    /// Creates an empty set of hints.
    public init() {}
  }
}
