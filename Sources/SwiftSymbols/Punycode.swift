/// The encoding of identifiers with characters outside of ASCII.
///
/// RFC 3492 with `_` as delimiter and the letters `A` to `J` as the digits 26 to 35. An operator's ASCII characters
/// are encoded as code points from U+D800; see ``decode(_:)``.
enum Punycode {
  private static let base = 36
  private static let smallestThreshold = 1
  private static let largestThreshold = 26
  private static let skew = 38
  private static let damp = 700
  private static let firstBias = 72
  private static let firstCodePoint = 0x80

  /// Decodes an identifier, or returns nil if it is not well formed.
  ///
  /// Code points from U+D800 to U+D87F stand for the ASCII characters that are not letters, digits or `_`.
  /// - Complexity: O(n²) in the length of the encoded name, for the insertions; names are short.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count <= 1_024 else { return nil }
    var scalars: [Unicode.Scalar] = []
    var rest = bytes
    if let delimiter = bytes.lastIndex(of: UInt8(ascii: "_")) {
      for byte in bytes[..<delimiter] {
        guard byte < 0x80 else { return nil }
        scalars.append(Unicode.Scalar(byte))
      }
      rest = bytes[(delimiter + 1)...]
    }
    var codePoint = firstCodePoint
    var insertion = 0
    var bias = firstBias
    while !rest.isEmpty {
      let before = insertion
      var weight = 1
      var position = base
      while true {
        guard let byte = rest.popFirst(), let digit = digit(byte) else { return nil }
        let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
        guard !overflow, product <= 0x7FFF_FFFF - insertion else { return nil }
        insertion += product
        let threshold = min(max(position - bias, smallestThreshold), largestThreshold)
        if digit < threshold { break }
        weight *= base - threshold
        guard weight <= 0x7FFF_FFFF else { return nil }
        position += base
      }
      let count = scalars.count + 1
      bias = adapt(insertion - before, count: count, isFirst: before == 0)
      codePoint += insertion / count
      insertion %= count
      let value = codePoint >= 0xD800 && codePoint < 0xD880 ? codePoint - 0xD800 : codePoint
      guard value <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
      scalars.insert(scalar, at: insertion)
      insertion += 1
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "J"): Int(byte - UInt8(ascii: "A")) + 26
    default: nil
    }
  }

  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var position = 0
    while delta > (base - smallestThreshold) * largestThreshold / 2 {
      delta /= base - smallestThreshold
      position += base
    }
    return position + (base - smallestThreshold + 1) * delta / (delta + skew)
  }

  /// Encodes an identifier.
  ///
  /// ASCII characters other than letters, digits, `_` and `$` become code points from U+D800.
  static func encode(_ name: some StringProtocol) -> [UInt8] {
    let values = name.unicodeScalars.map { scalar in
      let isBasic = scalar == "_" || scalar == "$" || (scalar.isASCII && scalar.properties.isASCIIIdentifierPart)
      return isBasic || !scalar.isASCII ? Int(scalar.value) : Int(scalar.value) + 0xD800
    }
    var output = values.filter { $0 < firstCodePoint }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "_")) }
    var (codePoint, delta, bias, handled) = (firstCodePoint, 0, firstBias, basicCount)
    while handled < values.count {
      guard let smallest = values.filter({ $0 >= codePoint }).min() else { break }
      delta += (smallest - codePoint) * (handled + 1)
      codePoint = smallest
      for value in values {
        if value < codePoint { delta += 1 }
        guard value == codePoint else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      codePoint += 1
    }
    return output
  }

  private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
    var rest = delta
    var position = base
    while true {
      let threshold = min(max(position - bias, smallestThreshold), largestThreshold)
      if rest < threshold { break }
      output.append(letter(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(letter(rest))
  }

  private static func letter(_ digit: Int) -> UInt8 {
    digit < 26 ? UInt8(ascii: "a") + UInt8(digit) : UInt8(ascii: "A") + UInt8(digit - 26)
  }
}

extension Unicode.Scalar.Properties {
  /// Whether an ASCII character is a letter or digit.
  fileprivate var isASCIIIdentifierPart: Bool { isAlphabetic || numericType == .decimal }
}
