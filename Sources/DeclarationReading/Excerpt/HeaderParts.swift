/// The parts of a preprocessed source that belong to headers.
///
/// A header is what the preprocessor was told to read, with the files that it includes from its own folder. The folders of
/// the system contain headers of many libraries: of a header there, only the files of the C library's folder `bits` belong
/// to it. A file that is included by one that does not belong to the header does not belong to it either.
struct HeaderParts {
  /// The first byte after each line marker, and whether what follows belongs to a header.
  private var parts: [(start: Int, isIncluded: Bool)] = []

  init(_ source: [UInt8], headerCount: Int) {
    let markers = Self.markers(in: source)
    // The files that are included by the command line, the last of which are the headers.
    let topLevel = Set(markers.filter(\.isTopLevel).suffix(headerCount).map(\.start))
    var header: String?
    // The files that are being read, and whether each belongs to the header.
    var open: [Bool] = []
    for marker in markers {
      if marker.isTopLevel { (header, open) = (topLevel.contains(marker.start) ? marker.file : nil, []) }
      if marker.isBegin, let header { open.append((open.last ?? true) && Self.belongs(marker.file, to: header)) }
      if marker.isEnd { _ = open.popLast() }
      parts.append((marker.start, open.last ?? false))
    }
  }

  /// Whether a byte belongs to a header.
  func contains(_ offset: Int) -> Bool {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 && parts[low - 1].isIncluded
  }

  /// Whether a file that a header includes, or that a file of the header includes, belongs to it.
  static func belongs(_ file: String, to header: String) -> Bool {
    if file == header { return true }
    let folder = header[..<(header.lastIndex(of: "/") ?? header.startIndex)]
    let isSystem = folder.hasSuffix("/usr/include") || folder.hasSuffix("/usr/local/include") || folder.hasSuffix("-linux-gnu")
    return isSystem ? file.contains("/bits/") : file.hasPrefix(folder + "/")
  }

  // MARK: Line markers

  private struct Marker {
    /// The first byte after the marker.
    var start: Int
    var file: String
    var isBegin: Bool
    var isEnd: Bool
    /// Whether the file is included by the command line, and not by another file.
    var isTopLevel: Bool
  }

  /// Returns the line markers `# 12 "file" flags`; flag 1 begins a file, flag 2 returns to one.
  private static func markers(in source: [UInt8]) -> [Marker] {
    var markers: [Marker] = []
    var start = 0
    while start < source.count {
      let end = source[start...].firstIndex(of: SourceByte.newline) ?? source.count
      let line = source[start..<end]
      start = end + 1
      guard line.first == SourceByte.hash, line.dropFirst().first == 0x20, let open = line.firstIndex(of: SourceByte.quote),
        let close = line.lastIndex(of: SourceByte.quote), close > open
      else { continue }
      let file = String(decoding: line[(open + 1)..<close], as: UTF8.self)
      let flags = line[(close + 1)...].split(separator: 0x20)
      let isBegin = flags.contains([0x31])
      // `<built-in>`, `<command-line>` and `/dev/null` are no headers, and gcc reads stdc-predef.h unasked.
      let includer = markers.last?.file ?? "<"
      let isTopLevel =
        isBegin && !file.hasPrefix("<") && !file.hasSuffix("/stdc-predef.h") && (includer.hasPrefix("<") || includer == "/dev/null")
      markers.append(Marker(start: end, file: file, isBegin: isBegin, isEnd: flags.contains([0x32]), isTopLevel: isTopLevel))
    }
    return markers
  }
}
