import TestSupport
import Testing

@testable import SwiftSymbols

/// Mangled names and their texts.
@Suite(.measured) struct SymbolParserTests {
  private static func text(_ symbol: String) throws -> String {
    var parser = SymbolParser()
    return SymbolPrinter.text(of: try parser.parse(symbol: symbol.utf8))
  }

  /// Names made by swiftc, with the texts of its tools.
  private static let texts = TextTable.symbols.rows("texts of symbols")

  @Test func haveTheTextsOfTheSwiftTools() throws {
    let names = Self.texts.map { $0[0] }
    let tool = try SwiftCompiler.demangle(names)
    for (position, row) in Self.texts.enumerated() {
      expectEqual(try Self.text(row[0]), row[1])
      if let tool { expectEqual(tool[position], row[1], row[0]) }
    }
  }

  /// Symbols of swiftc that are no functions of the source, and local ones, which no name reaches.
  @Test(arguments: TextTable.symbols.rows("symbols of no function"))
  func symbolsOfNoFunctionAreRefused(row: TextTable.Row) throws {
    let name = row[0]
    var parser = SymbolParser()
    let refusal = #expect(throws: SymbolRefusal.self) { _ = try parser.parse(symbol: name.utf8) }
    guard case .unsupported? = refusal?.reason else {
      Issue.record("\(name): \(refusal.map { "\($0)" } ?? "read")")
      return
    }
    if let tool = try SwiftCompiler.demangle([name]) { #expect(tool != [name], "the Swift tools do not know it either") }
  }

  /// A tree as text: kinds with their texts and indices.
  private static func dump(_ node: SymbolTree.Node, _ tree: SymbolTree) -> String {
    let text = tree.text(node)
    let index = tree.index(node)
    let own = "\(tree.kind(node))" + (text.isEmpty ? "" : "'\(text)'") + (index == 0 ? "" : "#\(index)")
    let children = tree.children(node).map { dump($0, tree) }
    return children.isEmpty ? own : "\(own)(\(children.joined(separator: " ")))"
  }

  @Test func haveTrees() throws {
    var parser = SymbolParser()
    let method = try parser.parse(symbol: "$s4Plug4RectV4grow2byySd_tF".utf8)
    #expect(
      Self.dump(method.root, method) == "function(structure(module'Plug' identifier'Rect') identifier'grow' "
        + "labels(identifier'by') functionType(tuple(tupleElement(structure(module'Swift' identifier'Double'))) tuple))")
    let generic = try parser.parse(type: "SDySSSaySiGG".utf8)
    #expect(
      SymbolPrinter.text(of: generic) == "[Swift.String : [Swift.Int]]")
    let nested = try parser.parse(type: "4Plug5OuterV5InnerVySi_SSG".utf8)
    #expect(SymbolPrinter.text(of: nested) == "Plug.Outer<Swift.Int>.Inner<Swift.String>")
  }

  /// Types that are written again without substitutions, and found by that name.
  @Test(arguments: TextTable.symbols.rows("types that are spelled again"))
  func typesKeepTheirMeaningWithoutSubstitutions(row: TextTable.Row) throws {
    let type = row[0]
    var parser = SymbolParser()
    let tree = try parser.parse(type: type.utf8)
    let written = try #require(TypeSpelling.mangledName(of: tree.root, in: tree))
    let again = try parser.parse(type: written)
    #expect(SymbolPrinter.text(of: again) == SymbolPrinter.text(of: tree))
    let found = try #require(_typeByName(type))
    let same = try #require(_typeByName(String(decoding: written, as: UTF8.self)))
    #expect(ObjectIdentifier(same) == ObjectIdentifier(found))
  }

  /// Symbols of swiftc, and the names by which the types of their parameters and results are found.
  @Test(arguments: TextTable.symbols.rows("spelled types of symbols"))
  func typesAreSpelledWithoutTheRestOfTheSymbol(row: TextTable.Row) throws {
    let declaration = try SwiftSymbol(mangledName: row[0].utf8)
    let names = (declaration.parameters.map(\.type) + [declaration.result].compactMap { $0 }).map { type in
      type.mangled.map { String(decoding: $0, as: UTF8.self) }
    }
    expectEqual(names, row[1].split(separator: " ").map { String($0) }, declaration.text)
  }

  @Test(arguments: ["x", "q_", "Qr", "xSg", "xxQp", "7Element_Qz"]) func typesThatDependOnAContextHaveNoName(type: String) throws {
    var parser = SymbolParser()
    guard let tree = try? parser.parse(type: type.utf8) else { return }
    #expect(TypeSpelling.mangledName(of: tree.root, in: tree) == nil)
  }

  @Test(arguments: ["", "$s\u{1}aaaa"] + TextTable.symbols.rows("refused symbols").map { $0[0] })
  func otherNamesAreRefused(name: String) {
    var parser = SymbolParser()
    #expect(throws: SymbolRefusal.self) { _ = try parser.parse(symbol: name.utf8) }
  }

  @Test func limitsHoldForDeepWideAndRepeatedTypes() {
    var parser = SymbolParser()
    // Each level has the level before it twice, so the text would double 25 times.
    var doubled = "SiSg"
    for letter in "CDEFGHIJKLMNOPQRSTUVWXYZ" { doubled = "SDy\(doubled)A\(letter)G" }
    let names = [
      "$s4Plug1a\(doubled)vp",
      "$s4Plug1aSi" + String(repeating: "Sg", count: 30_000) + "vp",
      "$s" + String(repeating: "S2048i", count: 5_000) + "t",
      "$s" + String(repeating: "y", count: 70_000),
      "$s" + String(repeating: "_", count: 60_000),
      "$s4Plug1ax" + String(repeating: "m", count: 60_000) + "vp",
    ]
    for name in names {
      let refusal = #expect(throws: SymbolRefusal.self) { _ = try parser.parse(symbol: name.utf8) }
      #expect(refusal?.reason == .limitExceeded)
    }
    let long = [
      "$s4Plug1a" + String(repeating: "Bi1_Bv1_", count: 8_000) + "vp",
      "$s4abcd" + String(repeating: "0aaaaaaaaaaaaaaaaaaaaaaaaaaA0", count: 2_000),
    ]
    for name in long { _ = try? parser.parse(symbol: name.utf8) }
    // A parser that refused a name reads the next.
    #expect((try? parser.parse(symbol: "$s4Plug3runyyF".utf8)) != nil)
  }

  @Test("A label in a parameter list that no compiler writes is none of the function's") func labelOfATuple() throws {
    var parser = SymbolParser()
    let tree = try parser.parse(symbol: "$s4Plug5applyyySi2XE_SitF".utf8)
    #expect(SymbolPrinter.text(of: tree) == "Plug.apply(Swift.Int, Swift.Int) -> ()" && SwiftSymbol(tree).name == "Plug.apply(_:_:)")
  }

  @Test func mutatedNamesEndWithAResult() {
    var generator = SeededGenerator(seed: 17)
    var parser = SymbolParser()
    let letters = Array("ABCDEFGHIKLMNOPQRSTVWXYZabcdfghilmnopqrstuvwxyz_$.0123456789".utf8)
    let names = Self.texts.map { Array($0[0].utf8) }
    var read = 0
    for round in 0..<20_000 {
      var name = names[round % names.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 2...name.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: if place < name.count { name.remove(at: place) }
        case 1: if place < name.count { name[place] = letters.randomElement(using: &generator) ?? 0 }
        case 2: name.insert(letters.randomElement(using: &generator) ?? 0, at: place)
        default: name.insert(contentsOf: name[2..<place], at: place)
        }
        if name.count > 400 { name.removeLast(name.count - 400) }
        if name.count < 3 { break }
      }
      guard let tree = try? parser.parse(symbol: name) else { continue }
      read += 1
      _ = SymbolPrinter.text(of: tree)
      _ = SwiftSymbol(tree)
    }
    #expect(read > 100)
  }

  @Test(arguments: ["libswift_Concurrency.so"])
  func theToolchainsSymbolsAreReadAsByTheSwiftTools(library: String) throws {
    #expect(try ToolchainComparison.symbols(of: library) == [])
  }
}

extension TextTable {
  /// The cases of the tests of this module.
  static let symbols = TextTable("symbols.txt")
}
