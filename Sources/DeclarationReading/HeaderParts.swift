import TypeEncodings

extension CDeclarations {
  /// Returns the names that the headers themselves declare or define, without the names of headers included from elsewhere.
  ///
  /// - Parameter headerCount: The number of headers that the preprocessor was told to read.
  /// - Complexity: O(*n*) for a source of *n* bytes.
  @_spi(Tools) public func ownNames(headerCount: Int) -> Set<String> {
    storage.read { store in
      let (parser, parts) = (store.parser, HeaderParts(store.parser.tokens.source, headerCount: headerCount))
      let symbols = parser.symbols.all.filter { $0.declaration >= 0 && parts.contains(Int(parser.declarations[Int($0.declaration)].start)) }
      let macros = parser.macros.definitions.filter { $0.body.map { parts.contains($0.lowerBound) } ?? false }
      return Set((symbols.map(\.name) + macros.map(\.name)).map(parser.types.names.text))
    }
  }
}

/// The parts of a preprocessed source that belong to headers.
///
/// A header is what the preprocessor was told to read, with the files that it includes from its own folder. The folders
/// of the system contain headers of many libraries: to a header there, only the files of the C library's folder `bits`
/// belong. If a file does not belong to the header, the files that it includes do not belong to it either.
struct HeaderParts {
  /// The first byte after each line marker, the number of files that the command line had included by then, and whether
  /// the text that follows belongs to the last of these files.
  private var parts: [(start: Int, header: Int, belongs: Bool)] = []
  /// The number of the first header: the command line includes other files before it.
  private let first: Int

  /// Reads the line markers `# 12 "file" flags`; flag 1 begins a file, flag 2 returns to one.
  init(_ source: [UInt8], headerCount: Int) {
    var (header, count) = ("", 0)
    // The files that are being read, and whether each belongs to the header.
    var isOwn: [Bool] = []
    var last = "<"
    var next = 0
    while next < source.count {
      let end = source[next...].firstIndex(of: SourceByte.newline) ?? source.count
      let line = source[next..<end]
      next = end + 1
      guard line.first == SourceByte.hash, line.dropFirst().first == 0x20, let quote = line.firstIndex(of: SourceByte.quote),
        let close = line.lastIndex(of: SourceByte.quote), close > quote
      else { continue }
      let file = String(decoding: line[(quote + 1)..<close], as: UTF8.self)
      let flags = line[(close + 1)...].split(separator: 0x20)
      if flags.contains([0x31]) {
        // `<built-in>`, `<command-line>` and `/dev/null` are no headers, and gcc reads stdc-predef.h unasked.
        if last.hasPrefix("<") || last == "/dev/null", !file.hasPrefix("<"), !file.hasSuffix("/stdc-predef.h") {
          (header, isOwn, count) = (file, [], count + 1)
        }
        if count > 0 { isOwn.append((isOwn.last ?? true) && Self.belongs(file, to: header)) }
      }
      if flags.contains([0x32]) { _ = isOwn.popLast() }
      last = file
      parts.append((end, count, isOwn.last ?? false))
    }
    first = count - headerCount + 1
  }

  /// Whether a byte belongs to a header.
  func contains(_ offset: Int) -> Bool {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 && parts[low - 1].belongs && parts[low - 1].header >= first
  }

  /// Whether a file that a header includes, or that a file of the header includes, belongs to it.
  static func belongs(_ file: String, to header: String) -> Bool {
    if file == header { return true }
    let folder = header[..<(header.lastIndex(of: "/") ?? header.startIndex)]
    let isSystem = folder.hasSuffix("/usr/include") || folder.hasSuffix("/usr/local/include") || folder.hasSuffix("-linux-gnu")
    return isSystem ? file.contains("/bits/") : file.hasPrefix(folder + "/")
  }
}
