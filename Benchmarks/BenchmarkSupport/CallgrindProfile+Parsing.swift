extension CallgrindProfile {
  /// Reads a file that callgrind wrote, in the format its manual describes under "Callgrind Format Specification".
  ///
  /// Its lines give names (`ob=(1) /lib/libc.so.6`, which `(1)` stands for from then on) and, below them, costs: a position in the
  /// source and how often each event happened there. The cost below `calls=` is that of a whole call, which the called function's own
  /// lines hold again, so it does not count here.
  ///
  /// - Throws: ``CallgrindFormatError`` for what is not such a file, or not whole: its costs must add up to the sum at its end.
  package init(_ text: String) throws(CallgrindFormatError) {
    var parser = CallgrindParser()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      try parser.read(line, number: index + 1)
    }
    self = try parser.profile()
  }
}
