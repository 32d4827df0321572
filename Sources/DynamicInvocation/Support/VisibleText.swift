extension String {
  /// The text with what a terminal or a log would obey written as escapes: controls, ends of lines, and what turns the direction of writing.
  ///
  /// Names and encodings may be anybody's. A message that quotes them stays one line, and cannot pass for another.
  ///
  /// - Complexity: O(*n*); allocates only if there is something to write otherwise.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isObeyed) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isObeyed { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
    }
    return text
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
