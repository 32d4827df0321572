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
