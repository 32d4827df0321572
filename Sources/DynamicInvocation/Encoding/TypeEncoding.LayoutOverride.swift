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
  }
}
