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
    require(type.places == expected, "\(how) \(type): \(type.places), not \(expected)\n\(record.declaration)")
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
