extension TypeEncoding {
  /// Whether a value of the type is, or has in it, an object, a class, a selector, a block or a C string.
  package var holdsReferences: Bool { node.holdsReferences }

  /// Throws when a value of the type is, or has in it, a reference.
  func requireNoReferences() throws(InvocationError) {
    guard holdsReferences else { return }
    throw InvocationError(
      .typeMismatch, "a reference is never made of bytes, nor read as bytes: they own nothing", encoding: description)
  }

  /// The bytes of a value of the type with 1 for every bool that is not 0, as C reads them.
  func normalized(_ bytes: [UInt8]) -> [UInt8] {
    guard node.holdsBools else { return bytes }
    var bytes = bytes
    Self.normalize(node, &bytes, at: 0)
    return bytes
  }

  private static func normalize(_ node: Node, _ bytes: inout [UInt8], at offset: Int) {
    guard node.holdsBools else { return }
    switch node.kind {
    case .scalar: if bytes[offset] != 0 { bytes[offset] = 1 }
    case .structure(let record):
      for field in record.fields ?? [] { normalize(field.type.node, &bytes, at: offset + field.offset) }
    case .array(let count, let element):
      guard let stride = element.stride, stride > 0 else { return }
      for index in 0..<count { normalize(element.node, &bytes, at: offset + index * stride) }
    case .void, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .union, .bitField: return
    }
  }
}

extension Slot {
  /// The slot of a value that lies alone in memory, as it does in a frame.
  init(memoryOf type: TypeEncoding) {
    let isArray = if case .array = type.kind { true } else { false }
    self.init(kind: type.valueKind, size: type.size ?? 0, offset: 0, second: 8, storage: isArray ? .bytes : Slot.storage(of: type))
  }
}
