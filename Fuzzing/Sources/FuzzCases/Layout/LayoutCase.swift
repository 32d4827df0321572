import LayoutModel

@testable import DynamicInvocation

/// Lays out C declarations, as types built from parts and as parsed encodings.
///
/// The layouts must agree with the slow model.
func layoutCase(_ bytes: UnsafeRawBufferPointer) {
  var generator = ByteGenerator(bytes)
  var records: [RandomRecord] = []
  var positions: [String: [Int]] = [:]
  for index in 0..<Int.random(in: 1...8, using: &generator) {
    let record = RandomRecord(name: "r\(index)", earlier: records, using: &generator)
    records.append(record)
    positions[record.name] = Array(record.places.dropFirst(2))
    do {
      try check(record, positions)
    } catch {
      require(false, "\(error)\n\(record.declaration)")
    }
  }
}

private func check(_ record: RandomRecord, _ positions: [String: [Int]]) throws {
  let expected = record.places
  func compare(_ type: TypeEncoding, _ how: String) {
    require(places(of: type) == expected, "\(how) \(type): \(places(of: type)), not \(expected)\n\(record.declaration)")
  }
  let type = try record.type()
  compare(type, "built")
  guard record.isExpressible else { return }
  let text = record.gnuText(positions: positions)
  let read = try TypeEncoding(text, dialect: .gnu, blankIsFloat16: true)
  compare(try record.withAttribute(read), "GNU text")
  if case .none = record.attribute {
    require(read == type && type.canonicalText == text, "\(type.canonicalText) is written, not \(text)")
    require(type.hasSameLayout(as: read), "\(text) has another kind when it is read")
  }
  guard record.isExpressibleInNeXT else { return }
  compare(try record.withAttribute(TypeEncoding(record.nextText, blankIsFloat16: true)), "NeXT text")
}

/// Returns the size, the alignment, and the first bit and the end of each named member in the engine's layout.
private func places(of type: TypeEncoding) -> [Int] {
  var places = [type.size ?? -1, type.alignment ?? -1]
  let fields: [TypeEncoding.Field] =
    switch type.kind {
    case .structure(let record), .union(let record): record.fields ?? []
    default: []
    }
  for field in fields {
    if let bits = field.bits {
      if !bits.isEmpty { places += [bits.lowerBound, bits.upperBound] }
    } else {
      places += [8 * field.offset, 8 * (field.offset + (field.type.size ?? -1))]
    }
  }
  return places
}
