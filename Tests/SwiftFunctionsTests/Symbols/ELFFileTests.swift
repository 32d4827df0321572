import Foundation
import SwiftSymbols
import TestSupport
import Testing

/// A file in memory, as ``ELFFile`` reads it.
struct TestFile {
  var bytes: [UInt8]

  init(_ path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  var source: ELFFile.Source {
    { [bytes] offset, count in
      guard offset < bytes.count else { return [] }
      return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }
}

#if os(Linux)
  /// Symbol tables of ELF files, correct and corrupt.
  @Suite(.measured) struct ELFFileTests {
    private static func library() throws -> TestFile {
      let source = """
        public struct Rect { public init() {} }
        public func area(of rect: Rect) -> Double { 1 }
        func hidden() {}
        """
      return try TestFile(SwiftCompiler.sharedLibrary(source: source, module: "Tables"))
    }

    private static func names(_ table: ELFSymbolTable) -> Set<String> {
      Set(table.symbols.map { String(decoding: table.name(of: $0), as: UTF8.self) })
    }

    @Test func exportedSymbolsAreRead() throws {
      let file = try ELFFile(Self.library().source)
      let names = Self.names(try ELFSymbolTable.exported(file))
      #expect(names.contains("$s6Tables4area2ofSdAA4RectV_tF"))
      #expect(names.contains("$s6Tables4RectVMn"))
      #expect(!names.contains("malloc"))
      #expect(file.section(named: "swift5_type_metadata") != nil)
      #expect(file.section(named: "no such section") == nil)
      #expect(!file.notes.isEmpty)
    }

    @Test func allSymbolsAreReadUnlessStripped() throws {
      let file = try ELFFile(Self.library().source)
      let all = try #require(ELFSymbolTable.all(file))
      #expect(Self.names(all).isSuperset(of: ["$s6Tables6hiddenyyF", "$s6Tables4area2ofSdAA4RectV_tF"]))
    }

    @Test func aFileWithoutSectionHeadersHasTheSameExportedSymbols() throws {
      var library = try Self.library()
      let whole = Self.names(try ELFSymbolTable.exported(ELFFile(library.source)))
      for offset in 40..<48 { library.bytes[offset] = 0 }
      for offset in 60..<64 { library.bytes[offset] = 0 }
      let file = try ELFFile(library.source)
      #expect(file.sections.isEmpty)
      #expect(ELFSymbolTable.all(file) == nil)
      #expect(Self.names(try ELFSymbolTable.exported(file)) == whole)
    }

    @Test func otherFilesAreRefused() throws {
      #expect(throws: ELFError.notELF) { try ELFFile { _, _ in [] } }
      #expect(throws: ELFError.notELF) { try ELFFile { _, count in [UInt8](repeating: 0, count: count) } }
      var small = try Self.library()
      small.bytes[4] = 1
      #expect(throws: ELFError.unsupportedClass) { try ELFFile(small.source) }
      var header = try Self.library()
      header.bytes.removeLast(header.bytes.count - 64)
      #expect(throws: ELFError.noSymbolTable) { try ELFSymbolTable.exported(ELFFile(header.source)) }
    }

    @Test func corruptFilesEndWithAResult() throws {
      let library = try Self.library()
      var generator = SeededGenerator(seed: 3)
      let sections = library.bytes[40..<48].reversed().reduce(0) { $0 << 8 | Int($1) }
      for round in 0..<300 {
        var corrupt = library
        for _ in 0..<8 {
          // Headers, program headers and section headers have the offsets and sizes.
          let range = round % 2 == 0 ? 16..<600 : sections..<min(sections + 2_600, corrupt.bytes.count)
          corrupt.bytes[Int.random(in: range, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if round % 5 == 0 { corrupt.bytes.removeLast(Int.random(in: 1..<corrupt.bytes.count, using: &generator)) }
        guard let file = try? ELFFile(corrupt.source) else { continue }
        _ = file.notes
        _ = ELFSymbolTable.all(file)
        if let table = try? ELFSymbolTable.exported(file, where: SwiftSymbolIndex.isWanted) { _ = SwiftSymbolIndex(table) }
      }
    }
  }
#endif
