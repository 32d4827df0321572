internal import DynamicInvocation

// Texts that are made of data have a limit: names within them, and each line as a whole.

extension String {
  /// The maximum number of bytes of a key or of a node's name in a text.
  private static var longestName: Int { 256 }

  /// The name of a key or a node for a text: of a long one the beginning and the end.
  var asName: String { shortened(to: Self.longestName) }

  /// The text as one line, without characters that a terminal interprets: of a long one the beginning and the end.
  var asLine: String {
    // Shortened first, so that a long text costs no more than the part that is shown.
    shortened(to: ValueText.longest).escaped.shortened(to: ValueText.longest)
  }
}

extension Sequence<String> {
  /// The texts with a separator between them, as far as a line shows them.
  func joinedInLine(separator: String = ", ") -> String {
    var text = ""
    var isFirst = true
    for piece in self {
      if !isFirst { text += separator }
      isFirst = false
      if text.utf8.count > ValueText.longest { return text + "..." }
      text += piece
    }
    return text
  }
}
