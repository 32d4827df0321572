extension TypeEncoding {
  /// What a compiler attribute did to a struct's layout, which no type encoding tells.
  ///
  /// Compilers write `{P=ci}` for a packed struct as for any other. Give the encoding the attribute back with
  /// ``TypeEncoding/packed(to:)`` or ``TypeEncoding/aligned(to:)``.
  public struct LayoutOverride: Sendable, Hashable {
    /// The largest alignment a member may have, a power of two: 1 for a packed struct.
    public let packing: Int?

    /// The least alignment of the whole, a power of two.
    public let minimumAlignment: Int?

    /// Creates what attributes do to a layout.
    ///
    /// - Parameters:
    ///   - packing: The largest alignment that a member may have, a power of two up to 16; nil for no packing.
    ///   - minimumAlignment: The least alignment of the whole, a power of two up to 4,096; nil for its members' own.
    /// - Throws: ``InvocationError`` `outOfRange`.
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
    }
  }

  /// What a type encoding does not tell of the layout of its structs and unions, to be known while it is read.
  ///
  ///     var hints = TypeEncoding.LayoutHints()
  ///     hints.records["Header"] = try TypeEncoding.LayoutOverride(packing: 1)
  ///     let types = try MethodTypes("v^{Header=CIQ}", hints: hints)
  public struct LayoutHints: Sendable, Hashable {
    /// What attributes did to the structs and unions of a name, wherever the text has them.
    public var records: [String: LayoutOverride] = [:]

    /// The declared type of the bit-fields in the NeXT form, which does not tell it: an integer or a bool.
    ///
    /// Without it they are taken for `unsigned int`, past 32 bits for `unsigned long long`. The GNU form tells it for each. Traps when set to a
    /// type that is neither.
    public var bitFieldType: Scalar? {
      willSet { precondition(newValue?.isInteger ?? true, "a bit-field is an integer or a bool") }
    }

    /// Creates no hints.
    public init() {}
  }
}
