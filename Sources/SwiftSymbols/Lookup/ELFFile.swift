/// Reads the symbol tables and sections of a 64-bit little-endian ELF file.
///
/// The file is read in parts, and only those that are asked for. Every offset, size and count of the file is checked
/// against ``largestTable`` and against what the source returns; a corrupt file gives an error or fewer symbols.
package struct ELFFile {
  /// Returns bytes of the file from an offset, or fewer at its end.
  package typealias Source = (_ offset: UInt64, _ count: Int) -> [UInt8]

  /// The largest table that is read, in bytes.
  package static let largestTable = 256 << 20

  /// A part of the file.
  package struct Section: Sendable {
    package let type: UInt32
    /// The address relative to the base of the loaded library, or 0 if the section is not loaded.
    package let address: UInt64
    package let offset: UInt64
    package let size: UInt64
    package let link: UInt32
    let nameOffset: UInt32
  }

  struct Segment {
    let type: UInt32
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
  }

  /// What the symbol tables and sections are read from.
  let source: Source
  package let sections: [Section]
  let segments: [Segment]
  let names: [UInt8]
  /// The header and the program headers, by which a loaded library is compared with its file.
  package let headerBytes: [UInt8]

  /// Reads the headers.
  package init(_ source: @escaping Source) throws(ELFError) {
    let header = ByteReader(source(0, 64))
    guard header.bytes.count == 64, header.bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { throw .notELF }
    guard header.bytes[4] == 2, header.bytes[5] == 1 else { throw .unsupportedClass }
    let segmentSize = Int(header.integer(54, as: UInt16.self))
    let segmentCount = Int(header.integer(56, as: UInt16.self))
    let sectionSize = Int(header.integer(58, as: UInt16.self))
    let sectionCount = Int(header.integer(60, as: UInt16.self))
    let nameSection = Int(header.integer(62, as: UInt16.self))
    guard segmentCount == 0 || segmentSize >= 56, sectionCount == 0 || sectionSize >= 64 else { throw .malformed }

    let segmentTable = ByteReader(source(header.integer(32), segmentCount * segmentSize))
    segments = (0..<segmentCount).map { segmentTable.skipping($0 * segmentSize) }.map {
      Segment(type: $0.integer(0), offset: $0.integer(8), address: $0.integer(16), fileSize: $0.integer(32))
    }
    let sectionTable = ByteReader(source(header.integer(40), sectionCount * sectionSize))
    let sections = (0..<sectionCount).map { sectionTable.skipping($0 * sectionSize) }.map {
      Section(
        type: $0.integer(4), address: $0.integer(16), offset: $0.integer(24), size: $0.integer(32), link: $0.integer(40),
        nameOffset: $0.integer(0))
    }
    self.source = source
    self.sections = sections
    names = nameSection < sections.count ? Self.bytes(of: sections[nameSection], source) : []
    headerBytes = header.bytes + segmentTable.bytes
  }

  /// The section with a name, or nil.
  package func section(named name: String) -> Section? {
    sections.first { section in
      let start = Int(section.nameOffset)
      guard start < names.count else { return false }
      return names[start...].prefix { $0 != 0 }.elementsEqual(name.utf8)
    }
  }

  /// The bytes of a section; empty if it has none in the file or is larger than ``largestTable``.
  package func bytes(of section: Section) -> [UInt8] { Self.bytes(of: section, source) }

  private static func bytes(of section: Section, _ source: Source) -> [UInt8] {
    let hasNoBytes: UInt32 = 8
    guard section.type != hasNoBytes else { return [] }
    return bytes(section.offset, section.size, source)
  }

  static func bytes(_ offset: UInt64, _ size: UInt64, _ source: Source) -> [UInt8] {
    guard size <= UInt64(largestTable), size > 0 else { return [] }
    return source(offset, Int(size))
  }
}

/// The reason why a file's symbols cannot be read.
package enum ELFError: Error, Hashable, Sendable, CustomStringConvertible {
  case notELF
  case unsupportedClass
  case malformed
  case noSymbolTable

  package var description: String {
    switch self {
    case .notELF: "not an ELF file"
    case .unsupportedClass: "an ELF file that is not 64-bit and little-endian"
    case .malformed: "an ELF file with malformed headers"
    case .noSymbolTable: "an ELF file without a dynamic symbol table"
    }
  }
}

/// Reads little-endian integers; bytes past the end are 0.
struct ByteReader {
  let bytes: [UInt8]
  private let start: Int

  init(_ bytes: [UInt8]) {
    self.init(bytes, from: 0)
  }

  private init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    self.start = start
  }

  func skipping(_ count: Int) -> ByteReader { ByteReader(bytes, from: start + count) }

  func integer<Value: FixedWidthInteger & UnsignedInteger>(_ offset: Int, as _: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for position in 0..<Value.bitWidth / 8 {
      let index = start + offset + position
      guard index < bytes.count else { break }
      value |= Value(bytes[index]) << Value(8 * position)
    }
    return value
  }
}

extension ELFFile {
  /// The notes that are loaded with the library: their addresses and bytes.
  ///
  /// One of them identifies the build.
  package var notes: [(address: UInt64, bytes: [UInt8])] {
    let note: UInt32 = 4
    return segments.filter { $0.type == note && $0.fileSize <= 65_536 }.map {
      ($0.address, Self.bytes($0.offset, $0.fileSize, source))
    }
  }
}

/// The defined symbols of a library: names, addresses and kinds.
package struct ELFSymbolTable: Sendable {
  /// A symbol.
  package struct Symbol: Sendable {
    /// The offset of the name in ``ELFSymbolTable/names``.
    package let nameOffset: UInt32
    package let nameLength: UInt32
    /// The address relative to the base of the loaded library.
    package let value: UInt64
    package let isFunction: Bool
    /// Whether the symbol is visible outside of the library.
    package let isExported: Bool
  }

  /// The most symbols that are read from one table.
  package static let mostSymbols = 4_000_000

  /// The string table: names that end in a zero byte.
  package private(set) var names: [UInt8]
  package private(set) var symbols: [Symbol]
  /// The files of the source that the symbols state: one of each object file that was linked.
  package private(set) var files: Set<String> = []

  /// A table of names and addresses.
  package init(_ list: [(name: String, value: UInt64)]) {
    (names, symbols) = ([0], [])
    for (name, value) in list {
      symbols.append(
        Symbol(nameOffset: UInt32(names.count), nameLength: UInt32(name.utf8.count), value: value, isFunction: true, isExported: true))
      names += Array(name.utf8) + [0]
    }
  }

  /// The bytes of a symbol's name.
  package func name(of symbol: Symbol) -> ArraySlice<UInt8> {
    names[Int(symbol.nameOffset)..<Int(symbol.nameOffset + symbol.nameLength)]
  }

  /// Reads the symbols that a library exports.
  ///
  /// The table is found by the section headers, or without these by the dynamic section and its hash table.
  /// - Throws: `ELFError.noSymbolTable` if there is none.
  /// - Parameter isWanted: Whether a symbol is kept, by the bytes of its name.
  package static func exported(
    _ file: ELFFile, where isWanted: (ArraySlice<UInt8>) -> Bool = { _ in true }
  ) throws(ELFError) -> ELFSymbolTable {
    let dynamicSymbols: UInt32 = 11
    if let section = file.sections.first(where: { $0.type == dynamicSymbols }), Int(section.link) < file.sections.count {
      let names = file.bytes(of: file.sections[Int(section.link)])
      return ELFSymbolTable(file.bytes(of: section), names, isDynamic: true, isWanted)
    }
    guard let found = DynamicSection(file) else { throw .noSymbolTable }
    return ELFSymbolTable(found.symbols, found.names, isDynamic: true, isWanted)
  }

  /// Reads the table of all symbols, internal ones included; nil if the library is stripped.
  package static func all(_ file: ELFFile, where isWanted: (ArraySlice<UInt8>) -> Bool = { _ in true }) -> ELFSymbolTable? {
    let allSymbols: UInt32 = 2
    guard let section = file.sections.first(where: { $0.type == allSymbols }), Int(section.link) < file.sections.count else { return nil }
    let names = file.bytes(of: file.sections[Int(section.link)])
    return ELFSymbolTable(file.bytes(of: section), names, isDynamic: false, isWanted)
  }

  /// Reads the variables by which functions can be replaced, each with the name of its function; nil if the library is
  /// stripped.
  ///
  /// Such a variable has the name of the function, with `TX` at its end. What initializes an object (`fc`) gets the
  /// name of the function that allocates it, too (`fC`). The async function pointers of the functions and the types of
  /// their modules are in the table as well.
  package static func replaceable(_ file: ELFFile) -> ELFSymbolTable? {
    guard var table = all(file, where: { name in endsOfReplaceable.contains(end(of: name)) }) else { return nil }
    let (variable, pointer, initializer) = (end(of: "TX".utf8), end(of: "Tu".utf8), end(of: "fc".utf8))
    var functions: Set<ArraySlice<UInt8>> = []
    var modules: Set<ArraySlice<UInt8>> = []
    for symbol in table.symbols {
      let name = table.name(of: symbol)
      guard end(of: name) == variable else { continue }
      functions.insert(name.dropLast(2))
      modules.insert(modulePrefix(name))
    }
    var symbols: [Symbol] = []
    for symbol in table.symbols {
      let name = table.name(of: symbol)
      let ending = end(of: name)
      guard ending == variable else {
        let isWanted = ending == pointer ? functions.contains(name.dropLast(2)) : modules.contains(modulePrefix(name))
        if isWanted { symbols.append(symbol) }
        continue
      }
      if end(of: name.dropLast(2)) == initializer {
        table.names[Int(symbol.nameOffset + symbol.nameLength) - 3] = UInt8(ascii: "C")
      }
      symbols.append(
        Symbol(
          nameOffset: symbol.nameOffset, nameLength: symbol.nameLength - 2, value: symbol.value, isFunction: false,
          isExported: symbol.isExported))
    }
    table.symbols = symbols
    return table
  }

  /// The last two bytes of a name as one number, since a program has many names.
  private static func end(of name: some BidirectionalCollection<UInt8>) -> UInt16 {
    guard let last = name.last, let previous = name.dropLast().last else { return 0 }
    return UInt16(previous) << 8 | UInt16(last)
  }

  private static let endsOfReplaceable: Set<UInt16> = Set(["TX", "Tu", "Mn", "Ma"].map { end(of: $0.utf8) })

  /// The beginning of a mangled name with the module that it begins with: `$s4Shop`.
  private static func modulePrefix(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = name.dropFirst(2).prefix(4).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return name.prefix(2 + digits.count + digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
  }

  private init(_ table: [UInt8], _ names: [UInt8], isDynamic: Bool, _ isWanted: (ArraySlice<UInt8>) -> Bool) {
    self.names = names
    let entrySize = 24
    var symbols: [Symbol] = []
    var files: Set<String> = []
    let file: UInt8 = 4
    // In a table that is not corrupt, names hardly overlap.
    var budget = 4 * names.count
    for index in 0..<min(table.count / entrySize, Self.mostSymbols) {
      // A program has hundreds of thousands of symbols: single bytes are read quickly in debug builds too.
      let entry = index * entrySize
      let (info, visibility) = (table[entry + 4], table[entry + 5] & 3)
      let (type, binding) = (info & 15, info >> 4)
      // Undefined symbols, sections, files and thread-local variables have no address in the library.
      guard table[entry + 6] | table[entry + 7] != 0, type <= 2 || type == 10 || type == file else { continue }
      let start = Int(table[entry]) | Int(table[entry + 1]) << 8 | Int(table[entry + 2]) << 16 | Int(table[entry + 3]) << 24
      let limit = min(start + SymbolParser.longestName + 1, names.count)
      guard start > 0, start < limit else { continue }
      var end = start
      while end < limit, names[end] != 0 { end += 1 }
      guard end > start, end < limit else { continue }
      budget -= end - start
      guard budget >= 0 else { break }
      guard type != file else {
        let name = String(decoding: names[start..<end], as: UTF8.self)
        files.insert(name.hasSuffix(".o") ? String(name.dropLast(2)) : name)
        continue
      }
      guard isWanted(names[start..<end]) else { continue }
      let value: UInt64 = ByteReader(table).skipping(entry).integer(8)
      guard value != 0 else { continue }
      let isVisible = (binding == 1 || binding == 2) && (visibility == 0 || visibility == 3)
      symbols.append(
        Symbol(
          nameOffset: UInt32(start), nameLength: UInt32(end - start), value: value, isFunction: type == 2, isExported: isVisible))
    }
    self.symbols = isDynamic ? symbols.filter(\.isExported) : symbols
    self.files = files
  }
}

/// The dynamic symbol table of a file without section headers.
struct DynamicSection {
  let symbols: [UInt8]
  let names: [UInt8]

  init?(_ file: ELFFile) {
    let (loaded, dynamic): (UInt32, UInt32) = (1, 2)
    guard let segment = file.segments.first(where: { $0.type == dynamic }) else { return nil }
    let entries = ByteReader(ELFFile.bytes(segment.offset, segment.fileSize, file.source))
    var values: [UInt64: UInt64] = [:]
    for index in 0..<entries.bytes.count / 16 {
      let tag: UInt64 = entries.integer(index * 16)
      if tag == 0 { break }
      values[tag] = entries.integer(index * 16 + 8)
    }
    func offset(_ address: UInt64?) -> (offset: UInt64, available: UInt64)? {
      guard let address else { return nil }
      for segment in file.segments where segment.type == loaded && address >= segment.address {
        let inside = address - segment.address
        guard inside < segment.fileSize else { continue }
        let (sum, overflow) = segment.offset.addingReportingOverflow(inside)
        return overflow ? nil : (sum, segment.fileSize - inside)
      }
      return nil
    }
    let (hashTag, stringTag, symbolTag, stringSizeTag, gnuHashTag): (UInt64, UInt64, UInt64, UInt64, UInt64) = (4, 5, 6, 10, 0x6fff_fef5)
    guard let symbols = offset(values[symbolTag]), let strings = offset(values[stringTag]) else { return nil }
    var count: UInt64 = 0
    if let hash = offset(values[hashTag]) {
      count = UInt64(ByteReader(ELFFile.bytes(hash.offset, 8, file.source)).integer(4, as: UInt32.self))
    } else if let hash = offset(values[gnuHashTag]) {
      count = Self.symbolCount(ofGNUHash: ELFFile.bytes(hash.offset, min(hash.available, UInt64(ELFFile.largestTable)), file.source))
    }
    count = min(count, symbols.available / 24, UInt64(ELFSymbolTable.mostSymbols))
    guard count > 0 else { return nil }
    self.symbols = ELFFile.bytes(symbols.offset, count * 24, file.source)
    names = ELFFile.bytes(strings.offset, min(values[stringSizeTag] ?? 0, strings.available), file.source)
  }

  /// The number of symbols according to a GNU hash table: the last symbol of the last chain, plus one.
  static func symbolCount(ofGNUHash bytes: [UInt8]) -> UInt64 {
    let table = ByteReader(bytes)
    let bucketCount = Int(table.integer(0, as: UInt32.self))
    let first = UInt64(table.integer(4, as: UInt32.self))
    let filterCount = Int(table.integer(8, as: UInt32.self))
    let buckets = 16 + filterCount * 8
    let chains = buckets + bucketCount * 4
    guard bucketCount > 0, chains <= bytes.count else { return 0 }
    var last: UInt64 = 0
    for index in 0..<bucketCount { last = max(last, UInt64(table.integer(buckets + index * 4, as: UInt32.self))) }
    guard last >= first, last > 0 else { return 0 }
    while chains + Int(last - first) * 4 + 4 <= bytes.count {
      let word: UInt32 = table.integer(chains + Int(last - first) * 4)
      last += 1
      if word & 1 == 1 { return last }
    }
    return 0
  }
}
