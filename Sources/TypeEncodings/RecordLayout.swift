/// Computes the layout of a struct or union, as gcc and clang do on the Linux and Apple 64-bit platforms.
///
/// The rules are those of the System V psABI for x86-64, section 3.1.2, and of AAPCS64, section 10.1: a bit-field is
/// placed at the next free bit unless it would cross a storage unit of its declared type. The struct gets at least the
/// alignment of that type. Under any packing, even one that lowers no alignment, bit-fields may cross storage units, in
/// gcc and in clang. Apple's platforms have the rules of x86-64 on AArch64 too.
struct RecordLayout {
  private let isUnion: Bool
  private let isPacked: Bool
  private let packing: Int
  private let minimumAlignment: Int
  private let stated: TypeEncoding.StatedLayout?
  private let target: TargetABI
  /// The number of members so far.
  private var count = 0
  private var alignment = 1
  /// The first free bit.
  private var end = 0
  /// The largest member of a union, in bits.
  private var widest = 0

  /// The offset of the last member, in bits from the start.
  private(set) var position = 0

  init(isUnion: Bool, override: TypeEncoding.LayoutOverride?, target: TargetABI = .host) {
    self.isUnion = isUnion
    self.target = target
    isPacked = override?.packing != nil
    packing = override?.packing ?? Int.max
    minimumAlignment = override?.minimumAlignment ?? 1
    stated = override?.stated
  }

  /// The size so far in bytes, without tail padding.
  var occupied: Int { (max(end, widest) + 7) / 8 }

  /// Adds a member and stores its offset in ``position``.
  ///
  /// Returns false if the type of the member has no size.
  mutating func add(_ type: TypeEncoding) -> Bool {
    defer { count += 1 }
    if let stated, count < stated.positions.count {
      position = stated.positions[count]
      if case .bitField = type.kind { return true }
      return type.node.layout != nil
    }
    if isUnion { end = 0 }
    if case .bitField(let field) = type.kind {
      place(field)
    } else {
      guard let layout = type.node.layout else { return false }
      let boundary = min(layout.alignment, packing)
      alignment = max(alignment, boundary)
      position = end.roundedUp(to: 8 * boundary)
      end = position + 8 * layout.size
    }
    widest = max(widest, end)
    return true
  }

  private mutating func place(_ field: TypeEncoding.BitField) {
    let unit = 8 * field.container.size
    if field.width == 0 {
      // A bit-field of width zero closes the storage unit. On AArch64 Linux it also aligns the struct, whatever the packing.
      position = field.position ?? end.roundedUp(to: unit)
      end = max(end, position).roundedUp(to: unit)
      if target.alignsUnnamedBitFields { alignment = max(alignment, field.container.size) }
      return
    }
    position = end
    if !isPacked, end / unit != (end + field.width - 1) / unit { position = end.roundedUp(to: unit) }
    // A position stated by the compiler takes precedence: the encoding may omit an unnamed bit-field.
    if let stated = field.position, !isUnion { position = max(stated, end) }
    alignment = max(alignment, min(field.container.size, packing))
    end = position + field.width
  }

  func finish() -> TypeEncoding.Layout {
    if let stated {
      return TypeEncoding.Layout(size: stated.size, alignment: stated.alignment, memberAlignment: stated.memberAlignment)
    }
    let memberAlignment = alignment
    let alignment = max(alignment, minimumAlignment)
    return TypeEncoding.Layout(size: occupied.roundedUp(to: alignment), alignment: alignment, memberAlignment: memberAlignment)
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
