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
  private static let texts: KeyValuePairs<String, String> = [
    "$sSa6appendyyxnF": "Swift.Array.append(__owned A) -> ()",
    "$s4Plug4area2of5scaleSdAA4RectV_SdtF": "Plug.area(of: Plug.Rect, scale: Swift.Double) -> Swift.Double",
    "$s4Plug4RectV5width6heightACSd_SdtcfC": "Plug.Rect.init(width: Swift.Double, height: Swift.Double) -> Plug.Rect",
    "$s4Plug4RectV5widthSdvg": "Plug.Rect.width.getter : Swift.Double",
    "$s4Plug4RectV5widthSdvs": "Plug.Rect.width.setter : Swift.Double",
    "$s4Plug4RectVySdSicig": "Plug.Rect.subscript.getter : (Swift.Int) -> Swift.Double",
    "$s4Plug4RectV1poiyA2C_ACtFZ": "static Plug.Rect.+ infix(Plug.Rect, Plug.Rect) -> Plug.Rect",
    "$s4Plug9failTypedSiyAA7ProblemVYKF": "Plug.failTyped() throws(Plug.Problem) -> Swift.Int",
    "$s4Plug4sentyAA7CounterCADnYuYTF": "Plug.sent(sending __owned Plug.Counter) -> sending Plug.Counter",
    "$s4Plug3sum_5scaleS2id_SdtF": "Plug.sum(_: Swift.Int..., scale: Swift.Double) -> Swift.Int",
    "$s4Plug5packsyyxxQpRvzlF": "Plug.packs<each A>(repeat A) -> ()",
    "$s4Plug7genericyxxAA7GreeterRzlF": "Plug.generic<A where A: Plug.Greeter>(A) -> A",
    "$s4Plug6opaqueQryF": "Plug.opaque() -> some",
    "$s4Plug6globalSivau": "Plug.global.unsafeMutableAddressor : Swift.Int",
    "$s4Plug5ShapeC4nameSSyF": "Plug.Shape.name() -> Swift.String",
    "$s4Plug5laterySSSiYaKF": "Plug.later(Swift.Int) async throws -> Swift.String",
    "$s4Plug5ShapeC6parentACSgXwvg": "Plug.Shape.parent.getter : weak Plug.Shape?",
    "$s4Plug4RectV5widthSdvp": "Plug.Rect.width : Swift.Double",
    "$sSi4PlugE7doubledSiyF": "(extension in Plug):Swift.Int.doubled() -> Swift.Int",
    "$s4Plug6secret33_0123456789ABCDEF0123456789ABCDEFLLSiyF": "Plug.(secret in _0123456789ABCDEF0123456789ABCDEF)() -> Swift.Int",
    "$s4Plug5applyyyS2iXE_SiyXKySSYbcSgtF":
      "Plug.apply((Swift.Int) -> Swift.Int, @autoclosure () -> Swift.Int, (@Sendable (Swift.String) -> ())?) -> ()",
    "$s4Plug5mixedyypAA7Greeter_p_AaC_pXpyXlAaC_s8SendablepSgtF":
      "Plug.mixed(Plug.Greeter, Plug.Greeter.Type, Swift.AnyObject, (Plug.Greeter & Swift.Sendable)?) -> Any",
  ]

  @Test func haveTheTextsOfTheSwiftTools() throws {
    let names = Self.texts.map(\.key)
    let tool = try SwiftCompiler.demangle(names)
    for (position, (name, text)) in Self.texts.enumerated() {
      #expect(try Self.text(name) == text)
      if let tool { #expect(tool[position] == text, "\(name)") }
    }
  }

  /// Symbols of swiftc that are no functions of the source, and local ones, which no name reaches.
  @Test(arguments: [
    "$s4Plug5ShapeC4nameSSyFTj", "$s4Plug5ShapeC4nameSSyFTq", "$s4Plug5laterySSSiYaKFTu", "$s4Plug4RectVMn", "$s4Plug4RectVN",
    "$s4Plug4RectVMa", "$s4Plug5HelloVAA7GreeterAAMc", "$s4Plug5HelloVAA7GreeterAAWP", "$s4Plug7GreeterMp",
    "$s4Plug5LevelO4highyACSicACmFWC", "$s4Plug4RectV5widthSdvpMV", "$s4Plug4RectV5widthSdvM", "$s4Plug7CounterCfD", "$s4Plug7CounterCfd",
    "$s4Plug7CounterC5startACSi_tcfc", "$s4Plug3runyyFyycfU_", "$s4Plug3run1aySi_tFfA_", "$s4Plug3runyyF5innerL_yyF",
    "$s4Plug4RectVwxx", "$s4Plug3runyyF.cold", "$s4Plug4RectVD",
  ])
  func symbolsOfNoFunctionAreRefused(name: String) throws {
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
  @Test(arguments: [
    "Si", "SS", "Sb", "SaySiG", "SDySSSaySdGG", "SiSg", "Si_SSt", "Si1x_SS1yt", "yt", "yp", "ypXp", "s5Error_p", "s5Error_pSg", "SiSbc",
    "SiSiYaKc", "SiSS_SitYbc", "Sim", "ypm", "yXl", "SQ_pSg", "s6ResultOySis5Error_pG", "SS5IndexV", "Bi64_", "Bp",
    "Sh5IndexVySS_G", "s15CollectionOfOneVySSG",
  ])
  func typesKeepTheirMeaningWithoutSubstitutions(type: String) throws {
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
  @Test(arguments: [
    ("$s4Plug4area2of5scaleSdAA4RectV_SdtF", ["4Plug4RectV", "Sd", "Sd"]),
    ("$s4Plug3sum_5scaleS2id_SdtF", ["Si", "Sd", "Si"]),
    ("$s4Plug4RectV1poiyA2C_ACtFZ", ["4Plug4RectV", "4Plug4RectV", "4Plug4RectV"]),
    ("$s4Plug4sentyAA7CounterCADnYuYTF", ["4Plug7CounterC", "4Plug7CounterC"]),
    ("$s4Plug5applyyyS2iXE_SiyXKySSYbcSgtF", ["SiSic", "Siyc", "ySSYbcSg", "yt"]),
    (
      "$s4Plug5mixedyypAA7Greeter_p_AaC_pXpyXlAaC_s8SendablepSgtF",
      ["4Plug7Greeter_p", "4Plug7Greeter_pXp", "yXl", "4Plug7Greeter_pSg", "yp"]
    ),
    ("$s4Plug5ShapeC0A4CopyyACXDAA0aB0VF", ["4Plug9PlugShapeV", "4Plug5ShapeC"]),
  ])
  func typesAreSpelledWithoutTheRestOfTheSymbol(symbol: String, types: [String]) throws {
    let declaration = try SwiftSymbol(mangledName: symbol.utf8)
    let names = (declaration.parameters.map(\.type) + [declaration.result].compactMap { $0 }).map { type in
      type.mangled.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(names == types, "\(declaration.text)")
  }

  @Test(arguments: ["x", "q_", "Qr", "xSg", "xxQp", "7Element_Qz"]) func typesThatDependOnAContextHaveNoName(type: String) throws {
    var parser = SymbolParser()
    guard let tree = try? parser.parse(type: type.utf8) else { return }
    #expect(TypeSpelling.mangledName(of: tree.root, in: tree) == nil)
  }

  @Test(arguments: [
    "", "$", "$s", "main", "_Z3foov", "$sF", "$sX", "$s4Plu", "$s99999999999999999999a", "$s0", "$s00", "$s0A", "$s001_", "$sAA", "$sA_",
    "$sA9999999A", "$sS", "$sS999999i", "$sSg", "$sxG", "$st", "$s_t", "$s4PlugF", "$s4PlugV", "$sSivg", "$sSi1avq", "$s4Plug1ayyFT",
    "$s4Plug1ayyFTf4x_n", "$s4Plug1ayyFM", "$sSiW", "$sSiw", "$sSiwab", "$s\u{1}aaaa", "$s4Plug1aoFi", "$sSiXY", "$sRzl", "$sr",
    "$s00099_aaaaaaaaaaaaaa", "$s4Plug00008_99999999F",
  ])
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
    let names = Self.texts.map { Array($0.key.utf8) }
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
