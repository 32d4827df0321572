import DynamicInvocation

/// A slow layout, written from the text of the System V psABI for x86-64 (section 3.1.2) and of AAPCS64 (section 10.1).
///
/// Each member is stored at the first bit after the previous member that the rules allow. The bits are tried one after
/// the other. Which rules a platform follows is stated here again, and what decides is the compilers.
extension RandomRecord {
  /// The size, the alignment, and the first bit and the end of each named member, on this machine.
  public var places: [Int] { places(on: .host) }

  /// The size, the alignment, and the first bit and the end of each named member.
  package func places(on target: LayoutTarget) -> [Int] {
    var alignment = 1
    var end = 0
    var widest = 0
    var places: [Int] = []
    for member in members {
      if isUnion { end = 0 }
      switch member {
      case .plain(let type):
        let (size, natural) = Self.layout(of: type, on: target)
        let boundary = min(natural, packing)
        while end % (8 * boundary) != 0 { end += 1 }
        alignment = max(alignment, boundary)
        places += [end, end + 8 * size]
        end += 8 * size
      case .bitField(let container, let width), .padding(let container, let width):
        // Within one unit of its type, or anywhere if it is packed.
        let unit = 8 * container.size
        if packing == Int.max { while end / unit != (end + width - 1) / unit { end += 1 } }
        // Without a name it aligns the record on AArch64 Linux only.
        if member.isNamed || target == .aarch64 { alignment = max(alignment, min(container.size, packing)) }
        if member.isNamed { places += [end, end + width] }
        end += width
      case .unitEnd(let container):
        while end % (8 * container.size) != 0 { end += 1 }
        // On AArch64 Linux its type's alignment applies to the record, even to a packed one.
        if target == .aarch64 { alignment = max(alignment, container.size) }
      }
      widest = max(widest, end)
    }
    alignment = max(alignment, leastAlignment)
    var size = 0
    while 8 * size < widest || size % alignment != 0 { size += 1 }
    return [size, alignment] + places
  }

  /// The maximum alignment of a member, in bytes.
  private var packing: Int {
    switch attribute {
    case .packed, .packedAndAligned: 1
    case .pragmaPack(let packing): packing
    case .none, .aligned: Int.max
    }
  }

  private var leastAlignment: Int {
    switch attribute {
    case .aligned(let alignment), .packedAndAligned(let alignment): alignment
    case .none, .packed, .pragmaPack: 1
    }
  }

  private static func layout(of type: CType, on target: LayoutTarget) -> (size: Int, alignment: Int) {
    func size(_ scalar: TypeEncoding.Scalar) -> Int {
      guard case .longDouble = scalar else { return scalar.size }
      return target == .appleAArch64 ? 8 : 16
    }
    switch type {
    case .scalar(let scalar): return (size(scalar), size(scalar))
    case .complex(let part): return (2 * size(part), size(part))
    case .pointer: return (8, 8)
    case .array(let count, let element):
      let (size, alignment) = layout(of: element, on: target)
      return (count * size, alignment)
    case .record(let record):
      let places = record.places(on: target)
      return (places[0], places[1])
    }
  }
}
