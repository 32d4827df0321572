/// Computes the layout of a struct or union, as gcc and clang do on the Linux and Apple 64-bit platforms.
///
/// A bit-field is placed at the next free bit unless it would cross a storage unit of its declared type. The struct gets at
/// least the alignment of that type. Under any packing, even one that lowers no alignment, bit-fields may cross storage
/// units, in gcc and in clang. Apple's platforms have the rules of x86-64 on AArch64 too.
///
/// Source: System V psABI for x86-64, section 3.1.2; AAPCS64, section 10.1.
package struct RecordLayout {
  private let isUnion: Bool
  private let packing: Int?
  private let target: TargetABI
  private var alignment = 1
  /// The first free bit.
  private var end = 0
  /// The largest member of a union, in bits.
  private var widest = 0

  /// - Parameter packing: The largest alignment of a member, as `#pragma pack` states it.
  package init(isUnion: Bool, packing: Int?, target: TargetABI = .host) {
    (self.isUnion, self.packing, self.target) = (isUnion, packing, target)
  }

  /// The size so far in bytes, without tail padding.
  package var occupied: Int { (max(end, widest) + 7) / 8 }

  /// Adds a member, and returns its offset in bits from the start.
  ///
  /// - Parameters:
  ///   - size: The size of the type in bytes. For a bit-field, the size of its declared type.
  ///   - alignment: The alignment of that type.
  ///   - statedAlignment: The alignment that an attribute of the member states, or 0.
  ///   - width: The width of a bit-field.
  ///   - isNamed: Whether a bit-field has a name. On x86-64 an unnamed bit-field does not align its record.
  ///   - position: The first bit of a bit-field, if an encoding states it. The encoding may omit an unnamed bit-field before.
  package mutating func place(
    size: Int, alignment: Int, statedAlignment: Int = 0, isPacked: Bool = false, width: Int? = nil, isNamed: Bool = true,
    position stated: Int? = nil
  ) -> Int {
    if isUnion { end = 0 }
    let boundary = min(max(isPacked ? 1 : alignment, statedAlignment), packing ?? .max)
    let unit = 8 * size
    var position = end
    switch width {
    case nil:
      (position, self.alignment) = (end.roundedUp(to: 8 * boundary), max(self.alignment, boundary))
      end = position + unit
    case 0:
      // A bit-field of width zero closes the storage unit. On AArch64 Linux it also aligns the struct, whatever the packing.
      position = stated ?? end.roundedUp(to: max(unit, 8 * statedAlignment))
      end = max(end, position).roundedUp(to: unit)
      if target.alignsUnnamedBitFields { self.alignment = max(self.alignment, alignment, statedAlignment) }
    case let width?:
      if statedAlignment > 0 { position = end.roundedUp(to: 8 * boundary) }
      if !isPacked, packing == nil, position / unit != (position + width - 1) / unit { position = position.roundedUp(to: unit) }
      if let stated, !isUnion { position = max(stated, end) }
      if isNamed || target.alignsUnnamedBitFields { self.alignment = max(self.alignment, boundary) }
      end = position + width
    }
    widest = max(widest, end)
    return position
  }

  /// Adds a member of an encoding, and returns its offset in bits; nil for a type without a size.
  ///
  /// - Parameter stated: The offset if it is known: then the member is not placed.
  mutating func place(_ type: TypeEncoding, at stated: Int? = nil) -> Int? {
    if case .bitField(let field) = type.kind {
      return stated ?? place(size: field.container.size, alignment: field.container.size, width: field.width, position: field.position)
    }
    guard let layout = type.node.layout else { return nil }
    return stated ?? place(size: layout.size, alignment: layout.alignment)
  }

  /// Returns the layout of the whole.
  ///
  /// - Parameter minimumAlignment: The alignment that an attribute of the record states.
  package func finish(minimumAlignment: Int) -> TypeEncoding.Layout {
    let whole = max(alignment, minimumAlignment)
    return TypeEncoding.Layout(size: occupied.roundedUp(to: whole), alignment: whole, memberAlignment: alignment)
  }
}

extension Int {
  /// The least multiple of `boundary` that is not less than the number; `boundary` is positive.
  @usableFromInline
  package func roundedUp(to boundary: Int) -> Int {
    let remainder = self % boundary
    return remainder == 0 ? self : self + boundary - remainder
  }
}
