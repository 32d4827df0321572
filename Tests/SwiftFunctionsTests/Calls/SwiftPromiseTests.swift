@testable import SwiftFunctions

#if os(Linux)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// Functions that safe code could not call, and the promises with which they are called.
  @Suite(.measured) struct SwiftPromiseTests {
    private static func library() throws -> SwiftLibrary {
      try SwiftLibrary(SwiftCompiler.sharedLibrary(source: source, module: "Promising", flags: ["-swift-version", "6"]))
    }

    private static let source = """
      public final class Small { public init() {}; public consuming func close() {}; public func open() -> Int { 1 } }
      public struct Box { let small: Small; public init() { small = Small() }; public consuming func finish() -> Small { small } }
      public struct Number { public let number: Int; public init(_ number: Int) { self.number = number }; public consuming func taken() -> Int { number } }
      @MainActor public func render() -> Int { 1 }
      @MainActor open class Page { public init() {}; open func bump() {} }
      public func plain(_ number: Int) -> Int { number + 1 }
      public func later(_ number: Double) async -> Double { number }
      public actor Account { public init() {}; public func total() -> Int { 7 } }
      public func fill(_ bytes: UnsafeMutablePointer<Int>) { bytes.pointee = 5 }
      public func all(_ lists: [UnsafeMutableRawBufferPointer]) -> Int { lists.count }
      public func held() -> Unmanaged<Small>? { nil }
      public func closure(_ body: (UnsafePointer<Int>) -> Void) {}
      public func opaque(_ pair: (Int, OpaquePointer?)) {}
      extension UnsafeRawPointer { public var isOdd: Bool { true } }
      public struct Unique: ~Copyable { public init() {}; public func look() -> Int { 1 } }
      """

    private static func message(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return "no error"
    }

    @Test("A function of a library is called with the promise that it is called as it is declared")
    func declarations() throws {
      let library = try Self.library()
      let trusted = unsafe library.trusting(.declarations)
      for name in [
        "Small.close()", "Small.open()", "Box.finish()", "Number.taken()", "Number.number", "render()", "Page.bump()", "plain(_:)",
      ] {
        let message = Self.message { _ = try library.function(name) }
        #expect(
          message.contains("is isolated to a global actor") && message.contains("'unsafe library.trusting(.declarations)'"),
          "\(name): \(message)")
        #expect(Self.message { _ = try trusted.function(name) } == "no error", "\(name)")
      }
      #expect(Self.message { _ = try library.function("Small.open()") }.contains("consumes its target"))
      #expect(!Self.message { _ = try library.function("plain(_:)") }.contains("consumes its target"))
      #expect(Self.message { _ = try library.asyncFunction("later(_:)") }.contains("whether it is unsafe; state"))
      #expect(try trusted.function("plain(_:)")(1, as: Int.self) == 2)
      #expect(library.promises == [] && trusted.promises == .declarations)
      #expect("\(SwiftLibrary.Promises.all)" == "[declarations, isolation, pointers, fixedLayouts]")
    }

    @Test("A synchronous member of an actor names its promise, from each side")
    func actors() throws {
      let library = unsafe try Self.library().trusting(.declarations)
      let message = Self.message { _ = try library.function("Account.total()") }
      #expect(message.contains("member of the actor Promising.Account") && message.contains("'unsafe library.trusting(.isolation)'"))
      #expect(
        Self.message { _ = try library.asyncFunction("Account.total()") }.contains(
          "function(_:) with the promise 'unsafe library.trusting(.isolation)'"))
      let account = try library.function("Account.init()").call([])
      #expect(try unsafe library.trusting(.isolation).function("Account.total()").call([account]) as? Int == 7)
    }

    @Test("A function with an unsafe type anywhere in its declaration names its promise")
    func pointers() throws {
      let library = unsafe try Self.library().trusting(.declarations)
      for name in ["fill(_:)", "all(_:)", "held()", "closure(_:)", "opaque(_:)", "UnsafeRawPointer.isOdd"] {
        let message = Self.message { _ = try library.function(name) }
        #expect(message.contains("is unsafe") && message.contains("'unsafe library.trusting(.pointers)'"), "\(name): \(message)")
      }
      var number = 1
      let fill = try unsafe library.trusting(.pointers).function("fill(_:)")
      try unsafe withUnsafeMutablePointer(to: &number) { try unsafe fill($0) }
      #expect(number == 5)
      let core = try SwiftLibrary("libswiftCore.so")
      for name in ["UnsafeMutableRawPointer.allocate(byteCount:alignment:)", "UnsafeMutableRawPointer.deallocate()"] {
        #expect(Self.message { _ = try core.function(name) }.contains("trusting(.pointers)"), "\(name)")
      }
    }

    @Test("A noncopyable type is named as such")
    func noncopyable() throws {
      let library = unsafe try Self.library().trusting(.all)
      for name in ["Unique.init()", "Unique.look()"] {
        #expect(
          Self.message { _ = try library.function(name) }.hasSuffix(
            "it is a member of 'Promising.Unique': values of 'Promising.Unique' cannot be copied"))
      }
    }

    // MARK: The toolchain

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

    private static let modules = [
      "Swift", "_Concurrency", "_StringProcessing", "RegexBuilder", "Observation", "Synchronization", "Distributed", "FoundationEssentials",
      "FoundationInternationalization", "Foundation", "FoundationNetworking", "FoundationXML",
    ]

    private static func interface(of module: String) throws -> Interface.Node {
      let folder = TemporaryFolder.shared.url
      let file = folder.appendingPathComponent("interface-\(module).json")
      let triple =
        try Command.run(["swiftc", "-print-target-info"], log: folder.appendingPathComponent("target-\(module)")).text
        .firstMatch(of: /"triple": "([^"]+)"/).map { String($0.1) } ?? ""
      let words = ["swift-api-digester", "-dump-sdk", "-abi", "-module", module, "-target", triple, "-sdk", "/", "-o", file.path]
      let libraries = SwiftCompiler.toolchainLibrary("").map { ["-I", $0] } ?? []
      let (status, text) = try Command.run(words + libraries, log: folder.appendingPathComponent("digester-\(module)"))
      guard status == 0 else { throw Command.Failure(words: words, status: status, output: text) }
      return try JSONDecoder().decode(Interface.self, from: try Data(contentsOf: file)).ABIRoot
    }

    @Test("The frozen types of the toolchain are known as such, and no others", arguments: ["Swift", "_Concurrency"])
    func frozenTypes(_ module: String) throws {
      // In the binary interface the types of `_Concurrency` are those of `Swift`.
      var frozen = 0
      func visit(_ node: Interface.Node, in path: [String]) {
        let path = node.kind == "TypeDecl" ? path + [node.name ?? ""] : path
        if node.kind == "TypeDecl", ["Struct", "Enum"].contains(node.declKind) {
          let isFrozen = node.declAttributes?.contains("Frozen") == true
          if isFrozen { frozen += 1 }
          #expect((SwiftToolchain.passing(of: path.joined(separator: "."), in: "Swift") == .value) == isFrozen, "\(path)")
        }
        for child in node.children ?? [] { visit(child, in: path) }
      }
      visit(try Self.interface(of: module), in: [])
      #expect(frozen > 5, "the test reads nothing")
    }

    @Test("Functions of the toolchain that consume their target, are isolated or unsafe are known", arguments: modules)
    func toolchain(_ module: String) throws {
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
      if module == "Swift" { #expect(unsafeTypes.count > 8 && consuming.count > 3, "the test reads nothing") }
      let name = ["Foundation", "Dispatch"].contains { module.hasPrefix($0) } ? module : module == "Swift" ? "swiftCore" : "swift\(module)"
      let symbols = SwiftLibrarySymbols(try DynamicLibrary(SwiftCompiler.toolchainLibrary("lib\(name).so") ?? "lib\(name).so"))
      for declaration in try symbols.declarations() {
        func isRefused(_ promises: SwiftLibrary.Promises) -> Bool { (try? symbols.function(declaration, trusting: promises)) == nil }
        if consuming.contains(declaration.symbol) { #expect(isRefused(.all), "\(declaration.text)") }
        if promised.contains(declaration.symbol) { #expect(isRefused([]), "\(declaration.text)") }
        let types = declaration.text.matches(of: /Swift\.[_A-Za-z]+/).map { String($0.output) }
        if !unsafeTypes.isDisjoint(with: types) { #expect(isRefused(.declarations), "\(declaration.text)") }
      }
    }
  }
#endif
