import DynamicInvocation

extension TypeEncoding {
  /// The encoding of a scalar alone; it is the same in both dialects, since none is `l` or `L`.
  init(scalar: Scalar) {
    self = scalars[scalar] ?? "v"
  }

  /// Whether a string stands for its values.
  var isText: Bool {
    switch kind {
    case .cString, .atom, .selector: true
    default: false
    }
  }

  /// An address for what the engine would retain, release or read as a text; other types as they are.
  ///
  /// Both travel alike. What is within a struct or a buffer the engine leaves alone.
  var asAddress: TypeEncoding {
    switch kind {
    case .object, .block, .classObject, .selector, .cString, .atom: addressType
    default: self
    }
  }

  /// The width of a bit-field by value whose text does not tell the declared type; nil when there is none.
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

  /// The number of JSON values that one value of the type is written with, at most `limit` + 1.
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
    case .union(let record):
      guard let field = record.fields?[safe: record.writtenMember(of: self)] else { return 1 }
      return min(field.type.valueCount(limit: limit) + 2, limit + 1)
    default: return 1
    }
  }
}

private let addressType: TypeEncoding = "^v"

private let scalars: [TypeEncoding.Scalar: TypeEncoding] = {
  var types: [TypeEncoding.Scalar: TypeEncoding] = [:]
  for scalar in TypeEncoding.Scalar.allCases {
    types[scalar] = try? TypeEncoding(String(Character(Unicode.Scalar(scalar.rawValue))), blankIsFloat16: true)
  }
  return types
}()

extension TypeEncoding.Record {
  /// The members that have a value: a bit-field of no width has none.
  var values: [TypeEncoding.Field] {
    (fields ?? []).filter { $0.bits.map { !$0.isEmpty } ?? true }
  }

  /// The member that a union is written as: the first that is as large as the whole, or else the first.
  func writtenMember(of type: TypeEncoding) -> Int {
    fields?.firstIndex { $0.bits == nil && $0.type.size == type.size } ?? 0
  }
}

extension Collection {
  /// The element, or nil when there is none at the index.
  subscript(safe index: Index) -> Element? { indices.contains(index) ? self[index] : nil }
}
