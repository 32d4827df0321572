import TypeEncodings

extension CDeclarations {
  /// The declarations of headers in a preprocessed source as a text that needs no preprocessor.
  package struct Excerpt: Sendable {
    /// The declarations of the headers and the types that they use, in their order, then the constants.
    package var text: String
    /// The functions that the headers declare and a library may export.
    package var functions: [String] = []
    /// The macros of the headers that are constants.
    package var constants: [String] = []
  }

  /// Returns the declarations of the headers that the preprocessor was told to read, and of the types that they use.
  ///
  /// Functions without external linkage, bodies of functions and macros that are no constants are left out.
  ///
  /// - Parameter headerCount: The number of headers.
  /// - Complexity: O(*n*) for a source of *n* bytes, and that of evaluating each macro of the headers.
  package func excerpt(headerCount: Int) -> Excerpt {
    storage.read { ExcerptWriter($0, headerCount: headerCount).excerpt() }
  }

  /// Returns the names that the headers themselves declare or define, which are those of an excerpt.
  ///
  /// - Complexity: O(*n*) for a source of *n* bytes.
  package func ownNames(headerCount: Int) -> Set<String> {
    storage.read { store in
      let (parser, parts) = (store.parser, HeaderParts(store.parser.tokens.source, headerCount: headerCount))
      let symbols = parser.symbols.all.filter { $0.declaration >= 0 && parts.contains(Int(parser.declarations[Int($0.declaration)].start)) }
      let macros = parser.macros.definitions.filter { $0.body.map { parts.contains($0.lowerBound) } ?? false }
      return Set((symbols.map(\.name) + macros.map(\.name)).map(parser.types.names.text))
    }
  }
}

/// Writes the declarations of headers as a text that needs no preprocessor.
private struct ExcerptWriter {
  private let store: DeclarationStore
  private let parts: HeaderParts
  private var parser: Parser { store.parser }

  init(_ store: DeclarationStore, headerCount: Int) {
    self.store = store
    parts = HeaderParts(store.parser.tokens.source, headerCount: headerCount)
  }

  func excerpt() -> CDeclarations.Excerpt {
    let unusable = Set(parser.skipped.map(\.range.start))
    // What the header defines itself is in no library, but constants are of use.
    let hidden = Set(parser.symbols.all.filter { $0.isStatic && parser.evaluator.variables[$0.name] == nil }.map(\.declaration))
    let roots = parser.declarations.indices.filter { index in
      parts.contains(Int(parser.declarations[index].start)) && !hidden.contains(Int32(index))
        && !unusable.contains(parser.declarations[index].start)
    }
    var lines: [String] = []
    var packing = 0
    var pragmas: PragmaEffects = []
    for index in used(by: roots).sorted() where !unusable.contains(parser.declarations[index].start) {
      let range = parser.declarations[index]
      if range.packing != packing { lines.append(range.packing > 0 ? "#pragma pack(\(range.packing))" : "#pragma pack()") }
      packing = range.packing
      for (effect, begin, end) in PragmaEffects.directives where range.pragmas.symmetricDifference(pragmas).contains(effect) {
        lines.append("#pragma " + (range.pragmas.contains(effect) ? begin : end))
      }
      pragmas = range.pragmas
      let text = store.text(of: range)
      lines.append(text.hasSuffix(";") ? text : text + ";")
    }
    if packing > 0 { lines.append("#pragma pack()") }
    for (effect, _, end) in PragmaEffects.directives where pragmas.contains(effect) { lines.append("#pragma " + end) }
    var excerpt = CDeclarations.Excerpt(text: "")
    let included = Set(roots.map(Int32.init))
    excerpt.functions = parser.symbols.all.filter { $0.kind == .function && included.contains($0.declaration) }.map {
      parser.types.names.text($0.name)
    }
    for symbol in parser.symbols.all where included.contains(symbol.declaration) && parser.pragmas.symbols[symbol.name] == symbol.label {
      lines.append("#pragma redefine_extname \(parser.types.names.text(symbol.name)) \(parser.types.names.text(symbol.label))")
    }
    let wanted = parser.macros.definitions.filter { macro in macro.parameters == nil && parts.contains(macro.body?.lowerBound ?? 0) }
    for macro in wanted.sorted(by: { ($0.body?.lowerBound ?? 0) < ($1.body?.lowerBound ?? 0) }) {
      let name = parser.types.names.text(macro.name)
      guard var value = store.constant(named: name)?.cText else { continue }
      if case .operand(.floatingPoint(_, let type))? = parser.constant(ofMacro: macro.name), type != .double {
        value = "((\(type.name))\(value))"
      }
      lines.append("#define \(name) \(value)")
      excerpt.constants.append(name)
    }
    excerpt.text = lines.joined(separator: "\n")
    return excerpt
  }

  /// Returns declarations with those of the typedefs, structs, unions, enums and enumerators that they use.
  private func used(by roots: [Int]) -> Set<Int> {
    var found = Set(roots)
    var waiting = roots
    while let index = waiting.popLast() {
      let range = parser.declarations[index]
      var lexer = Lexer(parser.tokens.source, Int(range.start)..<Int(range.end))
      guard (try? lexer.run(&parser.types.names)) != nil else { continue }
      let tokens = lexer.tokens
      let hasTypeOf = tokens.contains { $0.kind == .keyword && $0.keyword == .typeof }
      for token in tokens where token.kind == .name {
        for declaration in declarations(ofName: token.name, hasTypeOf: hasTypeOf) where declaration >= 0 {
          if found.insert(Int(declaration)).inserted { waiting.append(Int(declaration)) }
        }
      }
    }
    return found
  }

  /// The declarations of what a name in a declaration may refer to.
  private func declarations(ofName name: Name, hasTypeOf: Bool) -> [Int32] {
    var result: [Int32] = []
    switch parser.types.tags[name] {
    case .record(let index): result.append(parser.types.records[Int(index)].declaration)
    case .enumeration(let index): result.append(parser.types.enumerations[Int(index)].declaration)
    case nil: break
    }
    // The type of a variable or a function is used by typeof only.
    if let symbol = parser.symbols[name], hasTypeOf || symbol.kind == .typedefName || symbol.kind == .enumerator {
      result.append(symbol.declaration)
    }
    return result
  }
}

extension CDeclarations.Constant {
  /// The value as an expression in C of the same type; nil for a number that C cannot state.
  fileprivate var cText: String? {
    switch self {
    case .integer(.min): "(-\(Int64.max)LL - 1)"
    case .integer(let value): value < 0 ? "(\(value)LL)" : Int32(exactly: value) == nil ? "\(value)LL" : "\(value)"
    case .unsigned(let value): UInt32(exactly: value) == nil ? "\(value)ULL" : "\(value)U"
    case .floatingPoint(let value): value.isFinite ? (value < 0 ? "(\(value))" : "\(value)") : nil
    case .string(let text): "\"" + text.utf8.map(Self.cText).joined() + "\""
    case .address(let value): "((void *)0x\(String(value, radix: 16)))"
    }
  }

  /// A byte of a string literal: an octal escape has three digits, so that a digit may follow it.
  private static func cText(of byte: UInt8) -> String {
    if (0x20..<0x7F).contains(byte), byte != SourceByte.quote, byte != SourceByte.backslash, byte != 0x3F {
      return String(UnicodeScalar(byte))
    }
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}

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
