public import DynamicInvocation
import Foundation
@_spi(Tools) import SwiftFunctions
import SwiftSymbols

/// The modules and libraries of the toolchain as the engine reads them, compared with what the compiler states of them.
///
/// Each function returns what differs; the tests take a small module or library, the command `conformance toolchain` all.
public enum ToolchainComparison {
  /// The modules whose types are compared, in groups that are compiled together.
  public static let moduleGroups: [[String]] = [
    ["Swift", "_Concurrency", "Synchronization", "Observation", "Distributed"], ["_StringProcessing", "RegexBuilder"],
    ["Dispatch", "Testing"], ["FoundationEssentials", "FoundationInternationalization"],
    ["Foundation", "FoundationNetworking", "FoundationXML"],
  ]

  /// The modules whose declarations are compared.
  public static let modules: [String] = [
    "Swift", "_Concurrency", "_StringProcessing", "RegexBuilder", "Observation", "Synchronization", "Distributed", "FoundationEssentials",
    "FoundationInternationalization", "Foundation", "FoundationNetworking", "FoundationXML",
  ]

  /// The libraries whose names are compared.
  public static let libraries: [String] = [
    "libswiftCore.so", "libswift_Concurrency.so", "libswift_StringProcessing.so", "libswiftRegexBuilder.so", "libswiftSynchronization.so",
    "libFoundationEssentials.so", "libFoundationInternationalization.so", "libFoundation.so", "libFoundationNetworking.so",
    "libFoundationXML.so", "libTesting.so",
  ]

  // MARK: How types are passed

  /// Compares how types are passed with what the compiler does.
  ///
  /// - Returns: What differs, and the types whose calls the engine refuses, with the reasons.
  public static func compare(_ rows: [SwiftCallProbe.Row]) -> (differences: [String], refused: [String: String]) {
    var differences: [String] = []
    var refused: [String: String] = [:]
    for row in rows {
      if row.isIndirect.parameter != row.isIndirect.result { differences.append("\(row.text): parameter and result") }
      for (type, isIndirect, place) in [(row.type, row.isIndirect.parameter, "parameter"), (row.member, row.isIndirect.member, "member")] {
        do {
          if try SwiftTypeLayouts(trusting: []).isAddressOnly(type) != isIndirect { differences.append("\(row.text) as \(place)") }
        } catch {
          refused[place == "parameter" ? row.text : "member: " + row.text] = "\(error)"
        }
      }
    }
    return (differences, refused)
  }

  /// Compares how the public types of modules are passed.
  public static func passing(of modules: [String]) throws -> [String] {
    var types: [String] = []
    for module in modules { types += try Self.publicTypes(of: module) }
    // The class tells how the module with the members was compiled.
    let imported = Set(modules + ["Swift"]).subtracting(["_Concurrency"])
    let imports = imported.sorted().map { "import \($0)" } + ["public final class Witness {}"]
    let probe = try SwiftCallProbe(types, prelude: imports.joined(separator: "\n"), module: "Probe_" + modules[0])
    var (differences, refused) = compare(probe.rows)
    if probe.rows.count <= types.count / 8 { differences.append("\(probe.rows.count) of \(types.count) types were compiled") }
    // What the runtime does not describe, whatever the module.
    let known = [
      "not known to the runtime", "cannot be copied", "not all of its fields", "is not a known builtin", "Float80", "not supported",
      "whose size differs", "contains no description of its fields", "has no type",
    ]
    for (type, reason) in refused where !known.contains(where: { reason.contains($0) }) { differences.append("\(type): \(reason)") }
    return differences
  }

  /// The compiler's own target.
  private static func targetTriple() throws -> String {
    try Command.output(["swiftc", "-print-target-info"]).text.firstMatch(of: /"triple": "([^"]+)"/).map { String($0.1) } ?? ""
  }

  /// The public structs and enums of a module, as source texts; generic ones with several arguments.
  private static func publicTypes(of module: String) throws -> [String] {
    let symbols = try TemporaryFolder.shared.withFolder { folder in
      let words = try ["swift-symbolgraph-extract", "-module-name", module, "-target", targetTriple(), "-output-dir", folder.path]
      try Command.require(words, log: folder.appendingPathComponent("log"))
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
        $0.pathExtension == "json"
      }.flatMap { try JSONDecoder().decode(Graph.self, from: try Data(contentsOf: $0)).symbols }
    }
    let kinds: Set = ["swift.struct", "swift.enum", "swift.class", "swift.actor", "swift.protocol"]
    var counts: [[String]: Int] = [:]
    for symbol in symbols where kinds.contains(symbol.kind.identifier) {
      counts[symbol.pathComponents] = symbol.swiftGenerics?.parameters?.count ?? 0
    }
    var types: Set<String> = []
    for symbol in symbols where ["swift.struct", "swift.enum"].contains(symbol.kind.identifier) {
      for arguments in [
        ["Int"], ["[Int]"], ["String"], ["Substring"], ["Int", "Never"], ["Int", "any Error"], ["[Int]", "Int"], ["[Int]"],
      ] {
        types.insert(text(symbol.pathComponents, counts, arguments))
      }
    }
    return types.sorted()
  }

  /// A type with arguments for it and each type around it; if there are too few arguments, the last one is repeated.
  private static func text(_ path: [String], _ counts: [[String]: Int], _ arguments: [String]) -> String {
    var text = ""
    var bound = 0
    for end in path.indices {
      let count = (counts[Array(path[...end])] ?? bound) - bound
      text += (end > 0 ? "." : "") + path[end]
      if count > 0 {
        text += "<" + (0..<count).map { arguments[min(bound + $0, arguments.count - 1)] }.joined(separator: ", ") + ">"
        bound += count
      }
    }
    return text
  }

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Kind: Decodable { let identifier: String }
      struct Generics: Decodable {
        struct Parameter: Decodable { let name: String }
        let parameters: [Parameter]?
      }
      let kind: Kind
      let pathComponents: [String]
      let swiftGenerics: Generics?
    }
    let symbols: [Symbol]
  }

  // MARK: Names

  /// Compares the names that a library lists with what they find; for a large library, a part that differs from run to run.
  public static func names(of library: DynamicLibrary, most: Int = 1_500) throws -> [String] {
    let library = SwiftLibrary(library)
    let all = try library.listedFunctions()
    var differences: [String] = []
    for declaration in all.count > most ? Array(all.shuffled().prefix(most)) : all {
      let found = try? library.listedFunctions(named: declaration.text)
      if found?.map(\.symbol) != [declaration.symbol] { differences.append(declaration.text) }
      // These have the name of the getter.
      guard !["setter", "subscriptSetter", "addressor"].contains(declaration.kind) else { continue }
      let named = try? library.listedFunctions(named: declaration.name)
      if named?.contains(where: { $0.symbol == declaration.symbol }) != true { differences.append(declaration.name) }
    }
    return differences
  }

  /// Compares the texts of every third symbol with `swift-demangle`'s; nothing without it.
  public static func symbols(of library: String) throws -> [String] {
    guard let path = SwiftCompiler.toolchainLibrary(library) else { return [] }
    let file = try ELFFile { [data = try Data(contentsOf: URL(fileURLWithPath: path))] offset, count in
      offset < data.count ? Array(data[Int(offset)..<min(data.count, Int(offset) + count)]) : []
    }
    let table = try ELFSymbolTable.exported(file) { $0.starts(with: "$s".utf8) }
    var names: [String] = []
    var functions: Set<Int> = []
    for (number, symbol) in table.symbols.enumerated() where number % 3 == 0 {
      let name = table.name(of: symbol)
      guard case .function(_, let end) = SymbolSuffix(name) else {
        names.append(String(decoding: name, as: UTF8.self))
        continue
      }
      functions.insert(names.count)
      names.append(String(decoding: name[..<end], as: UTF8.self))
    }
    guard let tool = try SwiftCompiler.demangle(names) else { return [] }
    var parser = SymbolParser()
    var equal = 0
    var differences: [String] = []
    for (number, (name, text)) in zip(names, tool).enumerated() {
      do throws(SymbolRefusal) {
        let isEqual = try SymbolPrinter.text(of: parser.parse(symbol: name.utf8)) == text
        if functions.contains(number) { equal += isEqual ? 1 : 0 } else if !isEqual { differences.append(name) }
      } catch {
        guard case .unsupported(let what) = error.reason else {
          differences.append("\(name): \(error)")
          continue
        }
        // The end of a record or thunk may be a function's.
        guard functions.remove(number) != nil else { continue }
        if !["a thunk", "a record of a library", "metadata or a descriptor"].contains(what) { differences.append("\(name): \(error)") }
      }
    }
    if Double(equal) < 0.98 * Double(functions.count) { differences.append("\(equal) of \(functions.count) texts are equal") }
    return differences
  }

  // MARK: Types in symbols

  /// Compares the types of every fourth function with the text of its symbol.
  ///
  /// - Parameter least: The fraction of the functions without generics for which types must be found.
  public static func types(of library: String, least: Double) throws -> [String] {
    guard let path = SwiftCompiler.toolchainLibrary(library) else { return [] }
    let library = try SwiftLibrary(path)
    var (typed, untyped) = (0, 0)
    var differences: [String] = []
    for (number, declaration) in try library.listedFunctions().enumerated() where number % 4 == 0 {
      do throws(InvocationError) {
        let types = try library.signature(of: declaration)
        typed += 1
        differences += difference(types, try? SwiftSymbol(mangledName: declaration.symbol.utf8))
      } catch {
        if !error.reason.contains("generic") && !error.reason.contains("pack") { untyped += 1 }
      }
    }
    if Double(typed) < least * Double(typed + untyped) { differences.append("\(typed) of \(typed + untyped) have types") }
    return differences
  }

  /// Compares the runtime's types with the text of the symbol.
  private static func difference(_ types: SwiftFunctionSignature, _ symbol: SwiftSymbol?) -> [String] {
    guard let symbol else { return ["\(types.symbol) is not read"] }
    let isSetter = types.kind.isSetter
    var pairs = zip(symbol.parameters, types.parameters.dropFirst(isSetter ? 1 : 0)).filter { !$1.isVariadic }.map {
      ($0.type.text, $1.type)
    }
    if !isSetter, let result = symbol.result { pairs.append((result.text, types.result)) }
    // `Self` is the class, and a type with `Sendable` is the type without it.
    return pairs.filter { !$0.0.contains("Self") && !$0.0.contains("Sendable") }.compactMap { text, type in
      var stated = Substring(text)
      for word in ["inout ", "__owned ", "__shared ", "sending ", "@autoclosure "] where stated.hasPrefix(word) {
        stated.removeFirst(word.count)
      }
      var parser = SymbolParser()
      let tree = _mangledTypeName(type).flatMap { name in try? parser.parse(type: name.utf8) }
      return tree.map { SymbolPrinter.text(of: $0) } == String(stated) ? nil : symbol.text
    }
  }

  // MARK: Declarations

  /// The declarations of a module that a symbol does not describe, as the compiler states them.
  private struct Interface: Decodable {
    struct Node: Decodable {
      let kind: String
      let name: String?
      let mangledName: String?
      let funcSelfKind: String?
      let genericSig: String?
      let declAttributes: [String]?
      let declKind: String?
      let children: [Node]?
      let accessors: [Node]?
    }
    let ABIRoot: Node
  }

  private static let interfaces: MadeOnce<String, Interface.Node> = MadeOnce()

  /// The declarations of a module, which tests that run at once ask for together.
  private static func interface(of module: String) throws -> Interface.Node {
    try interfaces.value(module) { _ in
      try TemporaryFolder.shared.withFolder { folder in
        let file = folder.appendingPathComponent("interface.json")
        let options = try ["-module", module, "-target", targetTriple(), "-sdk", "/", "-o", file.path]
        let libraries = SwiftCompiler.toolchainLibrary("").map { ["-I", $0] } ?? []
        try Command.require(["swift-api-digester", "-dump-sdk", "-abi"] + options + libraries, log: folder.appendingPathComponent("log"))
        return try JSONDecoder().decode(Interface.self, from: try Data(contentsOf: file)).ABIRoot
      }
    }
  }

  /// Compares which types of a module are frozen.
  public static func frozenTypes(of module: String) throws -> [String] {
    var (frozen, differences): (Int, [String]) = (0, [])
    func visit(_ node: Interface.Node, in path: [String]) {
      let path = node.kind == "TypeDecl" ? path + [node.name ?? ""] : path
      if node.kind == "TypeDecl", ["Struct", "Enum"].contains(node.declKind) {
        let isFrozen = node.declAttributes?.contains("Frozen") == true
        let name = path.joined(separator: ".")
        if isFrozen { frozen += 1 }
        // In the binary interface the types of `_Concurrency` are in `Swift`.
        if (SwiftToolchain.passing(of: name, in: "Swift") == .value) != isFrozen { differences.append(name) }
      }
      for child in node.children ?? [] { visit(child, in: path) }
    }
    visit(try interface(of: module), in: [])
    return frozen > 5 ? differences : differences + ["the interface was not read"]
  }

  /// Looks for functions of a module that are called without a promise although they consume their target, are isolated or unsafe.
  public static func promises(of module: String) throws -> [String] {
    var consuming: Set<String> = []
    var promised: Set<String> = []
    var unsafeTypes: Set<String> = []
    func visit(_ node: Interface.Node, isGeneric: Bool, isOuter: Bool) {
      let isGeneric = isGeneric || node.genericSig != nil
      let attributes = Set(node.declAttributes ?? [])
      if node.kind == "TypeDecl", isOuter, attributes.contains("Unsafe") { unsafeTypes.insert("Swift." + (node.name ?? "")) }
      if node.kind != "TypeDecl", !isGeneric, let symbol = node.mangledName {
        if ["Consuming", "__Consuming"].contains(node.funcSelfKind) { consuming.insert(symbol) }
        if !attributes.isDisjoint(with: ["Unsafe", "Custom"]) { promised.insert(symbol) }
      }
      for child in (node.children ?? []) + (node.accessors ?? []) {
        visit(child, isGeneric: isGeneric, isOuter: isOuter && node.kind == "Root")
      }
    }
    visit(try Self.interface(of: module), isGeneric: false, isOuter: true)
    var differences: [String] = []
    if module == "Swift", unsafeTypes.count <= 8 || consuming.count <= 3 { differences.append("the interface was not read") }
    let name = ["Foundation", "Dispatch"].contains { module.hasPrefix($0) } ? module : module == "Swift" ? "swiftCore" : "swift\(module)"
    let library = try SwiftLibrary(SwiftCompiler.toolchainLibrary("lib\(name).so") ?? "lib\(name).so")
    for declaration in try library.listedFunctions() {
      func isRefused(_ promises: SwiftLibrary.Promises) -> Bool { (try? unsafe library.trusting(promises).function(declaration)) == nil }
      let types = declaration.text.matches(of: /Swift\.[_A-Za-z]+/).map { String($0.output) }
      let isCalled =
        consuming.contains(declaration.symbol) && !isRefused(.all) || promised.contains(declaration.symbol) && !isRefused([])
        || !unsafeTypes.isDisjoint(with: types) && !isRefused(.declarations)
      if isCalled { differences.append(declaration.text) }
    }
    return differences
  }
}
