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
