extension CallgrindProfile {
  /// Parses a callgrind file, in the format that its manual describes under "Callgrind Format Specification".
  ///
  /// Its lines state names (`ob=(1) /lib/libc.so.6`, which is abbreviated to `(1)` afterwards) and, below them, costs:
  /// a position in the source and the number of occurrences of each event. The cost below `calls=` is that of a whole
  /// call. It is also contained in the lines of the called function, so it is not counted.
  ///
  /// - Throws: ``CallgrindFormatError`` if the file is malformed or incomplete: its costs must add up to the sum at its
  ///   end.
  package init(_ text: String) throws(CallgrindFormatError) {
    var parser = CallgrindParser()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      try parser.read(line, number: index + 1)
    }
    self = try parser.profile()
  }
}
