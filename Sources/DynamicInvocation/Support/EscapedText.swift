extension String {
  /// The text with what a terminal or a log would obey written as escapes: controls, ends of lines, and what turns the
  /// direction of writing.
  ///
  /// Names and encodings may be anybody's. A message that quotes them stays one line, and cannot pass for another.
  ///
  /// - Complexity: O(*n*); allocates only if there is something to write otherwise.
  package var escaped: String {
    guard unicodeScalars.contains(where: \.isObeyed) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isObeyed { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// The text, or its beginning and its end if it has more bytes than a number, with `...` between them.
  ///
  /// - Complexity: O(*most*) beyond finding out the length.
  package func shortened(to most: Int) -> String {
    let bytes = utf8
    guard bytes.count > most else { return self }
    let end = min(most / 4, 1_000)
    var head = bytes.index(startIndex, offsetBy: max(0, most - end - 3))
    while UTF8.isContinuation(bytes[head]), head > startIndex { head = bytes.index(before: head) }
    var tail = bytes.index(endIndex, offsetBy: -end)
    while tail < endIndex, UTF8.isContinuation(bytes[tail]) { tail = bytes.index(after: tail) }
    return self[..<head] + "..." + self[tail...]
  }
}

extension Unicode.Scalar {
  fileprivate var isObeyed: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // The marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9, section 2).
    default: properties.isBidiControl
    }
  }
}

extension Int {
  /// The number and a noun, in the plural unless it is one: `1 method`, `2 methods`.
  package func counted(_ noun: String, plural: String? = nil) -> String { "\(self) \(self == 1 ? noun : plural ?? noun + "s")" }
}

extension OptionSet where Element == Self, RawValue: FixedWidthInteger {
  /// The names of the options in brackets; bits without a name are not told.
  func text(_ names: [(Self, String)]) -> String {
    "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
  }
}
