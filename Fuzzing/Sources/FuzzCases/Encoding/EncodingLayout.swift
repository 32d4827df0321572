import DynamicInvocation

/// Checks that a type and all its parts have a layout that is possible in C.
func checkLayout(of type: TypeEncoding) {
  if let size = type.size, let alignment = type.alignment {
    require(alignment > 0 && alignment & (alignment - 1) == 0, "\(type) is aligned to \(alignment)")
    require(size >= 0 && size <= TypeEncoding.Limits.size, "\(type) has \(size) bytes")
    require(size % alignment == 0, "\(type) has \(size) bytes aligned to \(alignment)")
  } else {
    require(type.size == nil && type.alignment == nil, "\(type) has a size or an alignment, not both")
  }
  switch type.kind {
  case .pointer(let target): checkLayout(of: target)
  case .block(let types?): for part in [types.result] + types.arguments { checkLayout(of: part) }
  case .array(let count, let element):
    checkLayout(of: element)
    require(count >= 0 && type.size == element.size.map { $0 * count }, "\(type) has \(type.size ?? -1) bytes")
  case .structure(let record): checkFields(of: record, in: type, isUnion: false)
  case .union(let record): checkFields(of: record, in: type, isUnion: true)
  default: break
  }
}

/// Checks that the members of a struct are within it and in order, or that the members of a union are within it.
private func checkFields(of record: TypeEncoding.Record, in type: TypeEncoding, isUnion: Bool) {
  let fields = record.fields ?? []
  for field in fields { checkLayout(of: field.type) }
  guard let size = type.size, let alignment = type.alignment else { return }
  var end = 0
  for field in fields {
    let bits: Range<Int>
    if case .bitField(let bitField) = field.type.kind {
      guard let range = field.bits else { return require(false, "a bit-field of \(type) has no bits") }
      require(range.count == bitField.width && field.offset == range.lowerBound / 8, "a bit-field of \(type) is in bits \(range)")
      bits = range
    } else {
      guard let inner = field.type.size, let boundary = field.type.alignment else {
        return require(false, "\(type) has a size, its member \(field.type) has none")
      }
      require(field.bits == nil, "the member \(field.type) of \(type) has bits")
      require(field.offset % boundary == 0 && alignment >= boundary, "the member \(field.type) of \(type) is misaligned")
      bits = 8 * field.offset..<8 * (field.offset + inner)
    }
    require(bits.upperBound <= 8 * size, "the member \(field.type) of \(type) is in bits \(bits)")
    // A member without bits may have any offset.
    guard !bits.isEmpty else { continue }
    require(isUnion ? bits.lowerBound == 0 : bits.lowerBound >= end, "the member \(field.type) of \(type) is in bits \(bits)")
    end = bits.upperBound
  }
}
