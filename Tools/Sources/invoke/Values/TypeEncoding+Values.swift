@_spi(Tools) import DynamicInvocation

extension TypeEncoding {
  /// Whether values of the type are written as strings.
  var isText: Bool {
    switch kind {
    case .cString, .atom, .selector: true
    default: false
    }
  }

  /// Whether a value is a character; an array of characters may be given as a text.
  var isCharacter: Bool {
    switch kind {
    case .scalar(.int8), .scalar(.uint8): true
    default: false
    }
  }

  /// Replaces a value in memory of 16 bytes by the value that C passes as a variadic argument.
  func promote(_ memory: UnsafeMutableRawPointer, to promoted: TypeEncoding) throws(InvocationError) {
    guard case .scalar(let scalar) = kind, size != promoted.size else { return }
    let value = BoxedValue(reading: memory, as: self)
    try (scalar == .bool ? .int(memory.load(as: Bool.self) ? 1 : 0) : value).write(to: memory, as: promoted)
  }

  /// Whether showing a value reads the memory that a C string in it points to.
  var holdsText: Bool {
    switch kind {
    case .cString, .atom: true
    case .array(_, let element): element.holdsText
    case .structure(let record): (record.fields ?? []).contains { $0.type.holdsText }
    default: false
    }
  }

  /// The type as an address, if the engine would retain, release or read its value as a C string; otherwise the type
  /// itself.
  ///
  /// An address is passed like the original type. The engine does not interpret references inside structs and buffers.
  var asAddress: TypeEncoding {
    switch kind {
    case .object, .block, .classObject, .selector, .cString, .atom: addressType
    default: self
    }
  }

  /// The width of a bit-field passed by value whose encoding does not state the declared type, or nil if there is no
  /// such bit-field.
  var undeclaredBitField: Int? {
    switch kind {
    case .bitField(let field): return field.position == nil ? field.width : nil
    case .array(_, let element): return element.undeclaredBitField
    case .structure(let record), .union(let record):
      for field in record.fields ?? [] {
        if let width = field.type.undeclaredBitField { return width }
      }
      return nil
    default: return nil
    }
  }

  /// Returns the number of JSON values that one value of the type is written with, at most `limit` + 1.
  func valueCount(limit: Int) -> Int {
    switch kind {
    case .complex: return 3
    case .vector(_, let count, _, _): return min(count + 1, limit + 1)
    case .array(let count, let element):
      let (product, overflow) = count.multipliedReportingOverflow(by: element.valueCount(limit: limit))
      return overflow || product >= limit ? limit + 1 : product + 1
    case .structure(let record):
      var sum = 1
      for field in record.fields ?? [] {
        sum += field.type.valueCount(limit: limit)
        if sum > limit { return limit + 1 }
      }
      return sum
    case .union:
      guard let field = valueMembers[safe: writtenMember] else { return 1 }
      return min(field.type.valueCount(limit: limit) + 2, limit + 1)
    default: return 1
    }
  }
}

private let addressType: TypeEncoding = "^v"

extension TypeEncoding {
  /// The index of the member that a union is written as: the first that has the size of the union, otherwise the first.
  var writtenMember: Int { valueMembers.firstIndex { $0.bits == nil && $0.type.size == size } ?? 0 }
}

extension Collection {
  /// The element at an index, or nil if the index is out of bounds.
  subscript(safe index: Index) -> Element? { indices.contains(index) ? self[index] : nil }
}
