extension TypeEncoding {
  /// Returns the offset of the first byte in which two values of the type differ, or nil.
  ///
  /// Padding does not count. Nor do pointers and objects, as two calls may each make their own, nor unions, which do not say what of them is set.
  func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int? {
    switch kind {
    case .void, .unknown, .bitField, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .union: return nil
    case .scalar(let scalar): return unsafe Self.firstDifference(left, right, count: scalar.traits.valueBytes)
    case .complex(let part):
      for start in [0, part.size] {
        if let byte = unsafe Self.firstDifference(left + start, right + start, count: part.traits.valueBytes) { return start + byte }
      }
      return nil
    case .vector(let element, let count, _, _): return unsafe Self.firstDifference(left, right, count: element.size * count)
    case .array(let count, let element):
      let stride = element.stride ?? 0
      for start in (0..<count).lazy.map({ $0 * stride }) {
        if let byte = unsafe element.firstDifference(left + start, right + start) { return start + byte }
      }
      return nil
    case .structure(let record):
      for field in record.fields ?? [] {
        if let byte = unsafe field.firstDifference(left, right) { return byte }
      }
      return nil
    }
  }

  private static func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Int? {
    (0..<count).first { unsafe left.load(fromByteOffset: $0, as: UInt8.self) != right.load(fromByteOffset: $0, as: UInt8.self) }
  }
}

extension TypeEncoding.Field {
  /// Returns the offset of the first byte in which the member differs in two values of its struct, or nil.
  fileprivate func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int? {
    guard case .bitField = type.kind else {
      return unsafe type.firstDifference(left + offset, right + offset).map { offset + $0 }
    }
    for bit in bits ?? 0..<0 {
      let (byte, mask) = (bit / 8, UInt8(1) << UInt8(bit % 8))
      let bytes = unsafe (left.load(fromByteOffset: byte, as: UInt8.self), right.load(fromByteOffset: byte, as: UInt8.self))
      if (bytes.0 ^ bytes.1) & mask != 0 { return byte }
    }
    return nil
  }
}
