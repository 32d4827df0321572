import DynamicInvocation

extension TypeEncoding {
  /// Creates the encoding of a scalar.
  init(scalar: Scalar) {
    let text = String(Unicode.Scalar(scalar.rawValue))
    self = (try? TypeEncoding(text, dialect: .gnu, blankIsFloat16: true)) ?? "v"
  }

  /// The bytes of a value that belong to numbers, excluding padding and references.
  var plainBytes: [Bool] {
    var bytes: [Bool] = Array(repeating: false, count: size ?? 0)
    markPlainBytes(in: &bytes, at: 0)
    return bytes
  }

  private func markPlainBytes(in bytes: inout [Bool], at start: Int) {
    func mark(_ range: Range<Int>) { for byte in range { bytes[start + byte] = true } }
    switch kind {
    case .scalar(.longDouble) where size == 16: mark(0..<10)
    case .scalar(let scalar): mark(0..<scalar.size)
    case .complex(.longDouble) where size == 32:
      mark(0..<10)
      mark(16..<26)
    case .complex: mark(0..<(size ?? 0))
    case .vector(let element, let count, _, _): mark(0..<count * element.size)
    case .array(let count, let element):
      guard let stride = element.stride, stride > 0 else { return }
      for index in 0..<count { element.markPlainBytes(in: &bytes, at: start + index * stride) }
    case .structure(let record), .union(let record):
      for field in record.fields ?? [] {
        if let bits = field.bits {
          if !bits.isEmpty { mark(bits.lowerBound / 8..<(bits.upperBound + 7) / 8) }
        } else {
          field.type.markPlainBytes(in: &bytes, at: start + field.offset)
        }
      }
    default: break
    }
  }

  /// The scalars and pointers of a type by offset, or nil for a type whose parts overlap or are not whole scalars.
  var leaves: [Int: String]? {
    var leaves: [Int: String] = [:]
    return collectLeaves(into: &leaves, at: 0) ? leaves : nil
  }

  private func collectLeaves(into leaves: inout [Int: String], at start: Int) -> Bool {
    switch kind {
    case .scalar(let scalar): leaves[start] = scalar.cName
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: leaves[start] = "pointer"
    case .array(let count, let element):
      guard let stride = element.stride, stride > 0 else { return true }
      return (0..<count).allSatisfy { element.collectLeaves(into: &leaves, at: start + $0 * stride) }
    case .structure(let record):
      return (record.fields ?? []).allSatisfy { $0.bits == nil && $0.type.collectLeaves(into: &leaves, at: start + $0.offset) }
    default: return false
    }
    return true
  }
}
