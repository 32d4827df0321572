import TypeEncodings

extension DeclarationReader {
  /// The size and the alignment of a type, or nil for an incomplete type and for a function.
  func layout(of type: QualifiedType) -> NodeLayout? {
    guard var layout = layout(of: type.id) else { return nil }
    if type.alignment > 0 { layout.alignment = Int(type.alignment) }
    // An atomic type of a size that one instruction can access is aligned to it.
    if type.flags.contains(.atomic), layout.size <= 16, layout.size & (layout.size - 1) == 0 {
      layout.alignment = max(layout.alignment, layout.size)
    }
    return layout
  }

  func layout(of id: TypeID) -> NodeLayout? {
    switch types[Int(id.index)] {
    case .basic(.void): nil
    case .basic(let basic): NodeLayout(size: basic.size(target), alignment: basic.size(target))
    case .complex(let part): NodeLayout(size: 2 * part.size(target), alignment: part.size(target))
    case .vector(_, let size): NodeLayout(size: size, alignment: vectorAlignment(size))
    case .pointer, .block: NodeLayout(size: 8, alignment: 8)
    case .array(_, nil), .function: nil
    case .array(let element, let count?): arrayLayout(of: element, count)
    case .record(let index): records[Int(index)].layout
    case .enumeration(let index): enumerations[Int(index)].underlying.map { layout(of: basic($0).id) } ?? nil
    case .unsupported(_, let size): size.map { NodeLayout(size: $0, alignment: min($0, 16)) }
    }
  }

  /// The alignment of a vector of a size, if none is stated.
  func vectorAlignment(_ size: Int) -> Int { min(size, target.largestVectorAlignment ?? size) }

  private func arrayLayout(of element: QualifiedType, _ count: Int) -> NodeLayout? {
    guard let inner = layout(of: element) else { return nil }
    let (size, overflow) = inner.size.multipliedReportingOverflow(by: count)
    return overflow || size > Self.largestSize ? nil : NodeLayout(size: size, alignment: inner.alignment)
  }

  /// Computes the layout of a record whose members are known: its size, its alignment and the first bit of each member.
  ///
  /// The rules are those of gcc and clang for the System V psABI for x86-64, section 3.1.2, and AAPCS64, section 10.1. Apple's
  /// platforms have those of x86-64.
  mutating func layOut(_ index: Int32) throws(SyntaxFailure) {
    let record = records[Int(index)]
    guard record.refusal == nil else { return }
    var alignment = 1
    var end = 0
    var widest = 0
    var positions: [Int] = []
    for member in record.members ?? [] {
      if record.isUnion { end = 0 }
      var natural: NodeLayout
      if case .array(let element, nil) = types[Int(member.type.id.index)], let inner = layout(of: element) {
        natural = NodeLayout(size: 0, alignment: member.type.alignment > 0 ? Int(member.type.alignment) : inner.alignment)
      } else if let known = layout(of: member.type) {
        natural = known
      } else {
        // A type whose size is unknown: the record has none either, and cannot be passed.
        return
      }
      let isPacked = record.isPacked || member.isPacked
      // What a bit-field of no bits aligns its record to, whatever the packing.
      let unpacked = max(natural.alignment, member.alignment)
      if isPacked { natural.alignment = 1 }
      var boundary = max(natural.alignment, member.alignment)
      if record.packing > 0 { boundary = min(boundary, record.packing) }
      var position = end
      if let width = member.width {
        let unit = 8 * natural.size
        if width == 0 {
          position = end.roundedUp(to: max(unit, 8 * member.alignment))
          if target.alignsUnnamedBitFields { alignment = max(alignment, unpacked) }
        } else {
          if member.alignment > 0 { position = end.roundedUp(to: 8 * boundary) }
          if !isPacked, record.packing == 0, position / unit != (position + width - 1) / unit { position = position.roundedUp(to: unit) }
          if !member.name.isNone || target.alignsUnnamedBitFields { alignment = max(alignment, boundary) }
        }
        end = position + width
      } else {
        position = end.roundedUp(to: 8 * boundary)
        alignment = max(alignment, boundary)
        end = position + 8 * natural.size
      }
      positions.append(position)
      widest = max(widest, end)
      guard widest / 8 <= Self.largestSize else {
        throw failure("the type is larger than \(Self.largestSize) bytes", code: .limitExceeded)
      }
    }
    records[Int(index)].memberAlignment = alignment
    alignment = max(alignment, record.alignment)
    let size = ((widest + 7) / 8).roundedUp(to: alignment)
    guard size <= Self.largestSize else {
      throw failure("the type is larger than \(Self.largestSize) bytes", code: .limitExceeded)
    }
    records[Int(index)].layout = NodeLayout(size: size, alignment: alignment)
    records[Int(index)].positions = positions
  }
}
