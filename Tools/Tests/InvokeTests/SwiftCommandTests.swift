#if os(Linux)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  @testable import invoke

  /// `invoke swift`, with a library that the test compiles.
  @Suite(.measured) struct SwiftCommandTests {
    private static let source = """
      public struct Point: Hashable { public var x: Double; public var y: Double }
      public struct Rect {
        public var origin: Point
        public var width: Double
        public var label: String?
        public func area(scale: Double) -> Double { width * width * scale }
        public mutating func widen(by amount: Double) -> Double { width += amount; return width }
        public var middle: Point { Point(x: origin.x + width / 2, y: origin.y) }
        public static func unit() -> Rect { Rect(origin: Point(x: 0, y: 0), width: 1, label: nil) }
      }
      public struct Level: RawRepresentable { public var rawValue: UInt8; public init(rawValue: UInt8) { self.rawValue = rawValue } }
      public enum Color: String { case red, green = "g", blue }
      public enum Rank: Int { case low = 1, high = 5 }
      public enum Shape { case empty, circle(Double), box(width: Int, name: String) }
      public indirect enum Tree { case leaf, node(Tree, Int) }
      public enum Failure: Error { case negative(Int) }
      public enum Form { case circle(radius: Double), list(of: [Int]), rows([Int]), point(Point), mark(at: Point), `the case`(`a b`: Int), `default` }
      public struct `My Type` { public var `the value`: Int; public var `in`: Int; public func `do it`(_ x: Int) -> Int { `the value` + x } }
      public func echoForm(_ v: Form) -> Form { v }
      public func echoForms(_ v: [Form?]) -> [Form?] { v }
      public func echoRaw(_ v: `My Type`) -> `My Type` { v }
      public func `a b`(_ x: Int) -> Int { x }
      public func echoPairs(_ v: [Point: Int]) -> [Point: Int] { v }
      public func echoFrom(_ v: PartialRangeFrom<Int>) -> PartialRangeFrom<Int> { v }
      public func echoNamed(_ v: (x: Int, y: String)) -> (x: Int, y: String) { v }
      public func later(_ v: Int) async throws -> Int { if v < 0 { throw Failure.negative(v) }; await Task.yield(); return v * 2 }
      nonisolated(nonsending) public func nextTo(_ v: Int) async -> Int { v + 1 }
      public func ready() async -> String { "ready" }
      @MainActor public func onMain(_ v: Int) async -> Int { MainActor.preconditionIsolated(); return v }
      public func greet(_ name: String, times: Int = 1, loud: Bool = false) -> String { name }
      public final class Counter { public var count = 0; public init() {}; public func next() -> Int { count += 1; return count } }
      public struct Holder { public var counter: Counter; public var number: Int }
      public struct Watcher { public weak var counter: Counter?; public var number: Int }
      public struct Empty {}

      public func add(_ a: Int, _ b: Int) -> Int { a &+ b }
      public func echo8(_ v: Int8) -> Int8 { v }
      public func echoU64(_ v: UInt64) -> UInt64 { v }
      public func echo128(_ v: Int128) -> Int128 { v }
      public func echoU128(_ v: UInt128) -> UInt128 { v }
      public func echoDouble(_ v: Double) -> Double { v }
      public func echoBool(_ v: Bool) -> Bool { v }
      public func echoText(_ v: String) -> String { v }
      public func echoCharacter(_ v: Character) -> Character { v }
      public func echoOptional(_ v: Int?) -> Int? { v }
      public func echoOptionalText(_ v: String?) -> String? { v }
      public func echoNested(_ v: Int??) -> [Int??] { [v] }
      public func echoArray(_ v: [UInt16]) -> [UInt16] { v }
      public func echoRects(_ v: [Rect]) -> [Rect] { v }
      public func echoSet(_ v: Set<Int>) -> Set<Int> { v }
      public func echoTable(_ v: [String: [Int?]]) -> [String: [Int?]] { v }
      public func echoNumbers(_ v: [Int: Color]) -> [Int: Color] { v }
      public func pairs() -> [Point: Int] { [Point(x: 1, y: 2): 3] }
      public func swapped(_ v: (Int, name: String)) -> (String, Int) { (v.name, v.0) }
      public func echoTuples(_ v: [(Int8, Double, String)]) -> [(Int8, Double, String)] { v }
      public func echoColor(_ v: Color) -> Color { v }
      public func echoRank(_ v: Rank) -> Rank { v }
      public func echoShape(_ v: Shape) -> Shape { v }
      public func echoShapes(_ v: [Shape?]) -> [Shape?] { v }
      public func echoLevel(_ v: Level) -> Level { v }
      public func echoTree(_ v: Tree) -> Tree { v }
      public func echoEmpty(_ v: Empty) -> Empty { v }
      public func tree(_ depth: Int) -> Tree { depth == 0 ? .leaf : .node(tree(depth - 1), depth) }
      public func nothing() {}
      public func say(_ text: String) { print(text) }
      public func double(_ v: inout Int) { v *= 2 }
      public func check(_ v: Int) throws -> Int { if v < 0 { throw Failure.negative(v) }; return v }
      public func kind(_ v: Int) -> String { "Int" }
      public func kind(_ v: String) -> String { "String" }
      public func kind(_ v: Bool) -> String { "Bool" }
      public func kind(_ v: Int, _ w: Int) -> String { "two" }
      public func size(_ v: Int) -> String { "Int" }
      public func size(_ v: Double) -> String { "Double" }
      public func counter() -> Counter { Counter() }
      public func take(_ v: Counter) -> Int { v.count }
      public func hold(_ v: Holder) -> Int { v.number }
      public func watch(_ v: Watcher) -> Int { v.number }
      public func range(_ v: Range<Int>) -> Int { v.count }
      public func echoRange(_ v: Range<Int>) -> Range<Int> { v }
      public func echoClosed(_ v: ClosedRange<Int>?) -> ClosedRange<Int>? { v }
      public func any(_ v: Any) -> Int { 0 }
      public func generic<T>(_ v: T) -> T { v }
      public let version = 3
      public var ratio: Double { 0.5 }
      """

    private static func library(_ mode: SwiftCompiler.Mode = .plain) throws -> String {
      try SwiftCompiler.sharedLibrary(source: source, module: "Plugin", flags: mode.flags)
    }

    private func run(_ words: [String], _ mode: SwiftCompiler.Mode = .plain) throws -> Program.Run {
      try Program.run(["swift", Self.library(mode)] + words)
    }

    /// Calls a function in this process, as the program does in its worker, and returns what it prints.
    private func called(_ words: [String]) throws -> String {
      let arranged = try (["swift", Self.library()] + words).arranged
      let given = Array(arranged[((arranged.firstIndex(of: "--") ?? 0) + 1)...])
      let caller = try SwiftCaller(library: given[0], assumesFixedLayouts: false, isNonsending: nil)
      let result = try caller.prepare(given[1], Array(given.dropFirst(2))).perform()
      let updated: JSONValue = ["updated": .object(result.updated)]
      return result.result.text + (result.updated.isEmpty ? "" : "\n" + updated.text)
    }

    private static let rect = #"{"origin":{"x":1.0,"y":2.0},"width":3.0,"label":"a"}"#

    // The words of each call, then the output.
    private static let calls: [[String]] = [
      ["Plugin.add(_:_:)", "2", "3", "5"], ["add", "-2", "-3", "-5"], ["add", "1e3", "0x10", "1016"],
      ["add", "--", "2", "3", "5"], ["echo8", "-128", "-128"],
      ["echoU64", "18446744073709551615", "18446744073709551615"],
      ["echo128", "-170141183460469231731687303715884105728", #""-170141183460469231731687303715884105728""#],
      ["echoU128", #""340282366920938463463374607431768211455""#, #""340282366920938463463374607431768211455""#],
      ["echoDouble", "-inf", #""-inf""#], ["echoDouble", "nan", #""nan""#],
      ["echoBool", "true", "true"], ["echoText", "hello", #""hello""#], ["echoText", "5", #""5""#],
      ["echoText", "null", #""null""#], ["echoText", #""a\"b""#, #""a\"b""#],
      ["echoText", "a long text, longer than 15", #""a long text, longer than 15""#],
      ["echoText", "--", "--json", #""--json""#], ["echoCharacter", "é", #""é""#], ["echoCharacter", "7", #""7""#],
      ["echoOptional", "null", "null"], ["echoOptional", "7", "7"], ["echoOptionalText", "null", "null"],
      ["echoOptionalText", #""null""#, #""null""#], ["echoOptionalText", "12", #""12""#], ["echoNested", "4", "[4]"],
      ["echoNested", "null", "[null]"], ["echoArray", "[1,65535]", "[1,65535]"], ["echoArray", "[]", "[]"],
      ["echoRects", "[\(rect),\(rect)]", "[\(rect),\(rect)]"], ["echoSet", "[3,1,2,3]", "[1,2,3]"],
      ["echoTable", #"{"b":[1,null],"a":[]}"#, #"{"a":[],"b":[1,null]}"#],
      ["echoNumbers", #"{"2":"red","1":"g"}"#, #"{"1":"green","2":"red"}"#], ["pairs", #"[[{"x":1.0,"y":2.0},3]]"#],
      ["echoTuples", #"[[1,2.5,"a text longer than fifteen"]]"#, #"[[1,2.5,"a text longer than fifteen"]]"#],
      ["echoColor", "red", #""red""#], ["echoColor", "g", #""green""#], ["echoColor", "green", #""green""#],
      ["echoRank", "high", #""high""#], ["echoRank", "5", #""high""#], ["echoShape", "empty", #""empty""#],
      ["echoShape", #"{"circle":1.5}"#, #"{"circle":1.5}"#], ["echoShape", #"{"box":[4,"name"]}"#, #"{"box":[4,"name"]}"#],
      ["echoShapes", #"[null,"empty",{"circle":2}]"#, #"[null,"empty",{"circle":2.0}]"#],
      ["echoLevel", "9", #"{"rawValue":9}"#], ["echoLevel", #"{"rawValue":9}"#, #"{"rawValue":9}"#],
      ["echoTree", "leaf", #""leaf""#], ["tree", "2", #"{"node":[{"node":["leaf",1]},2]}"#], ["echoEmpty", "{}", "{}"],
      ["range", #"{"lowerBound":1,"upperBound":4}"#, "3"],
      ["echoRange", #"{"upperBound":4,"lowerBound":1}"#, #"{"lowerBound":1,"upperBound":4}"#],
      ["echoClosed", #"{"lowerBound":1,"upperBound":1}"#, #"{"lowerBound":1,"upperBound":1}"#], ["echoClosed", "null", "null"],
      ["nothing", "null"], ["say", "hello", "hello\nnull"], ["double", "21", "null\n{\"updated\":{\"0\":42}}"],
      ["check", "4", "4"], ["version", "3"], ["Plugin.ratio", "0.5"],
      ["Rect.area", rect, "2", "18.0"], ["middle", rect, #"{"x":2.5,"y":2.0}"#],
      ["widen", rect, "1.5", #"4.5\#n{"updated":{"0":{"origin":{"x":1.0,"y":2.0},"width":4.5,"label":"a"}}}"#],
      ["unit", #"{"origin":{"x":0.0,"y":0.0},"width":1.0,"label":null}"#],
      ["width", #"{"width":2,"origin":{"y":0,"x":0}}"#, "2.0"], ["counter", #""Plugin.Counter""#],
      ["swapped", #"[4,"four"]"#, #"["four",4]"#],
      ["kind", "1", #""Int""#], ["kind", "one", #""String""#], ["kind", "true", #""Bool""#], ["kind", "1", "2", #""two""#],
      ["echoForm", #"{"circle":2}"#, #"{"circle":[2.0]}"#], ["echoForm", #"{"circle":[2]}"#, #"{"circle":[2.0]}"#],
      ["echoForm", #"{"circle":{"radius":2}}"#, #"{"circle":[2.0]}"#], ["echoForm", #"{"list":[1,2]}"#, #"{"list":[[1,2]]}"#],
      ["echoForm", #"{"list":[[1]]}"#, #"{"list":[[1]]}"#], ["echoForm", #"{"list":[1]}"#, #"{"list":[[1]]}"#],
      ["echoForm", #"{"list":{"of":[]}}"#, #"{"list":[[]]}"#], ["echoForm", #"{"rows":[1]}"#, #"{"rows":[1]}"#],
      ["echoForm", #"{"point":{"x":1,"y":2}}"#, #"{"point":{"x":1.0,"y":2.0}}"#],
      ["echoForm", #"{"mark":{"x":1,"y":2}}"#, #"{"mark":[{"x":1.0,"y":2.0}]}"#],
      ["echoForm", #"{"mark":{"at":{"x":1,"y":2}}}"#, #"{"mark":[{"x":1.0,"y":2.0}]}"#],
      ["echoForm", #"{"the case":3}"#, #"{"the case":[3]}"#], ["echoForm", #"{"`the case`":{"`a b`":3}}"#, #"{"the case":[3]}"#],
      ["echoForm", "default", #""default""#], ["echoForm", "`default`", #""default""#],
      ["echoShape", #"{"box":{"name":"n","width":4}}"#, #"{"box":[4,"n"]}"#], ["echoNamed", #"{"y":"a","x":1}"#, #"[1,"a"]"#],
      ["echoRaw", #"{"the value":1,"in":2}"#, #"{"the value":1,"in":2}"#],
      ["echoRaw", #"{"`the value`":1,"`in`":2}"#, #"{"the value":1,"in":2}"#],
      ["`My Type`.`do it`(_:)", #"{"the value":1,"in":2}"#, "5", "6"], ["`a b`", "3", "3"], ["Plugin.`a b`(_:)", "3", "3"],
      ["echoPairs", #"[[{"x":1,"y":2},3]]"#, #"[[{"x":1.0,"y":2.0},3]]"#], ["echoFrom", #"{"lowerBound":3}"#, #"{"lowerBound":3}"#],
      [
        "Rect.width.setter", #"{"width":2,"origin":{"y":0,"x":0}}"#, "5",
        #"null\#n{"updated":{"0":{"origin":{"x":0.0,"y":0.0},"width":5.0,"label":null}}}"#,
      ],
      ["Plugin.Rect.width.getter : Swift.Double", #"{"width":2,"origin":{"y":0,"x":0}}"#, "2.0"],
      ["Plugin.add(Swift.Int, Swift.Int) -> Swift.Int", "2", "3", "5"], ["ready", #""ready""#], ["ready()", #""ready""#],
      ["size", "2.5", #""Double""#], ["size(_: Int)", "2", #""Int""#],
    ]

    @Test("Calls convert JSON to Swift values, and results to JSON")
    func calls() throws {
      for line in Self.calls where !["say", "ready", "ready()"].contains(line[0]) {
        #expect(try called(line.dropLast()) == line[line.count - 1], "\(line)")
      }
    }

    @Test("The program makes the same calls", arguments: [SwiftCompiler.Mode.plain, .optimized])
    func program(mode: SwiftCompiler.Mode) throws {
      for (index, line) in Self.calls.enumerated() where index % 10 == 0 || ["say", "ready", "double"].contains(line[0]) {
        try run(line.dropLast(), mode).expectOutput(line[line.count - 1] + "\n")
      }
    }

    @Test(
      "A value of a type of Foundation is its coding, as an argument and as a result",
      arguments: [
        (["Date.init(timeIntervalSince1970:)", "978307210"], "10"), (["Date.addingTimeInterval(_:)", "5", "6.5"], "11.5"),
        (["Date.addingTimeInterval(_:)", "-5.25", "0"], "-5.25"),
        (["URL.path(percentEncoded:)", "http://a.b/c%20d?e=1", "false"], "\"/c d\""),
        (["URL.init(string:)", "http://a.b/c?d=1"], #""http://a.b/c?d=1""#), (["URL.init(string:)", ""], "null"),
        (["UUID.uuidString", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"], #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#),
        (["Data.count", "YWJj"], "3"), (["Data.base64EncodedString(options:)", "YWJj", "0"], #""YWJj""#),
      ])
    func coding(_ words: [String], _ result: String) throws {
      try Program.run(["swift", "libFoundationEssentials.so"] + words).expectOutput(result + "\n")
    }

    @Test("What is no coding of a type of Foundation is an error, and so is a type without a coding")
    func noCoding() throws {
      for (words, reason) in [
        (["Date.addingTimeInterval(_:)", "yesterday", "0"], "\"yesterday\" is not the coding of a FoundationEssentials.Date"),
        (["Data.count", "!"], "\"!\" is not the coding of a FoundationEssentials.Data"),
        (["UUID.uuidString", "5"], "5 is not the coding of a FoundationEssentials.UUID"),
      ] {
        try Program.run(["swift", "libFoundationEssentials.so"] + words).expectError(reason)
      }
    }

    @Test("With --json, the result and what was changed are one line") func json() throws {
      try run(["double", "21", "--json"]).expectOutput("{\"result\":null,\"updated\":{\"0\":42}}\n")
      try run(["--json", "add", "1", "2"]).expectOutput("{\"result\":3}\n")
      try Program.run(["swift", "--json", Self.library(), "add", "1", "2"]).expectOutput("{\"result\":3}\n")
    }

    @Test("A struct needs --fixed-layouts if nothing states how it is passed, and is not passed in a wrong way")
    func fixedLayouts() throws {
      let source = """
        public struct Person { let name: String; let age: Int }
        public func age(_ person: Person) -> Int { person.age }
        """
      let words = ["age", #"{"name":"Ann","age":7}"#]
      let plain = try SwiftCompiler.sharedLibrary(source: source, module: "Persons")
      let refused = try Program.run(["swift", plain] + words)
      #expect(refused.status != 0 && refused.errors.contains("age(_:): argument 0: Persons.Person cannot be passed"), "\(refused.errors)")
      #expect(refused.errors.contains("--fixed-layouts states that the module was not"), "\(refused.errors)")
      #expect(try Program.run(["swift", "--fixed-layouts", plain] + words).output == "7\n")
      let evolution = try SwiftCompiler.sharedLibrary(source: source, module: "Persons", flags: ["-enable-library-evolution"])
      #expect(try Program.run(["swift", evolution] + words).status != 0)
    }

    @Test("The list has a line for each function, with its types") func list() throws {
      let lines = try run([]).lines
      #expect(lines.contains("Plugin.add(Swift.Int, Swift.Int) -> Swift.Int"), "\(lines.prefix(5))")
      #expect(lines == lines.sorted())
      let objects = try run(["--json"]).lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
      #expect(objects.count == lines.count)
      let add = objects.first { $0["name"] as? String == "Plugin.add(_:_:)" }
      #expect(add?["symbol"] as? String == "$s6Plugin3addyS2i_SitF" && add?["kind"] as? String == "function")
      #expect(add?["callable"] as? Bool == true && add?["reason"] == nil)
      let generic = objects.first { $0["name"] as? String == "Plugin.generic(_:)" }
      #expect(generic?["callable"] as? Bool == false && (generic?["reason"] as? String)?.contains("generic") == true)
      #expect(objects.contains { $0["name"] as? String == "Plugin.Rect.middle" && $0["kind"] as? String == "getter" })
    }

    @Test("An error names the function, the argument, its type and the reason") func errors() throws {
      // The words of each call, then a part of the error.
      let expected: [[String]] = [
        ["echo8", "128", "Plugin.echo8(_:): argument 0 (Swift.Int8): 128 does not fit"],
        ["echo8", "1.5", "Plugin.echo8(_:): argument 0 (Swift.Int8): 1.5 is not a whole number"],
        [
          "greet", "a",
          "Plugin.greet(_:times:loud:): 1 argument is given, the function takes 3: (Swift.String, Swift.Int, Swift.Bool) -> Swift.String; default arguments are not applied",
        ],
        ["echoForm", #"{"circle":"a"}"#, "at .circle[0]: \"a\" is not a number"],
        ["echoForm", #"{"mark":{"x":1}}"#, "[\"x\"] are not the labels of (at: Plugin.Point): at"],
        ["echoNamed", #"{"x":1}"#, "[\"x\"] are not the labels of"],
        ["echoFrom", #"{"upperBound":3}"#, "is not an object with lowerBound"],
        ["version.setter", "4", "Plugin.version: the library exports the address of the variable and no setter"],
        ["later", "1", "pass --nonsending if it is, else --no-nonsending, before the library"], ["eccoForm", "1", "nearest: "],
        ["add", "1", "Plugin.add(_:_:): 1 argument is given, the function takes 2: (Swift.Int, Swift.Int) -> Swift.Int"],
        ["echoBool", "1", "argument 0 (Swift.Bool): 1 is not true or false"],
        ["echoCharacter", "ab", "argument 0 (Swift.Character): \"ab\" is not one character"],
        ["echoArray", "[1,70000]", "at [1]: 70000 does not fit"], ["echoOptional", "a", "\"a\" is not a whole number"],

        [
          "Rect.area", #"{"origin":{"x":"a","y":0},"width":1}"#, "1",
          "argument 0 (Plugin.Rect): at .origin.x: \"a\" is not a number",
        ],
        ["Rect.area", #"{"width":1}"#, "1", "argument 0 (Plugin.Rect): the field 'origin' of type Plugin.Point is missing"],
        ["Rect.area", #"{"hight":1}"#, "1", "Plugin.Rect has no field \"hight\", only origin, width, label"],
        ["echoColor", "pink", "argument 0 (Plugin.Color): \"pink\" is not a case or a raw value of Plugin.Color"],
        ["echoShape", "round", "argument 0 (Plugin.Shape): \"round\" is not one of the cases"],
        ["echoShape", "circle", "the case 'circle' has a value"],
        ["echoTree", #"{"node":["leaf",1]}"#, "is not one of the cases leaf"],
        ["echoTable", #"{"a":[true]}"#, "at [\"a\"][0]: true is not a whole number"],
        ["take", "{}", "argument 0 (Plugin.Counter): an object of type Plugin.Counter cannot be made of JSON"],
        ["hold", #"{"counter":{},"number":1}"#, "argument 0 (Plugin.Holder): at .counter: an object of type Plugin.Counter"],
        ["watch", #"{"number":1}"#, "argument 0 (Plugin.Watcher): a value of type Plugin.Watcher cannot be made of JSON"],
        ["range", #"{"lowerBound":4,"upperBound":1}"#, "argument 0 (Swift.Range<Swift.Int>): "],
        ["range", #"{"lowerBound":4,"upperBound":1}"#, "is not a range, whose lower bound is not above the upper one"],
        ["range", "[1,4]", "is not an object with lowerBound and upperBound"],
        ["range", #"{"lowerBound":"a","upperBound":1}"#, "at .lowerBound: \"a\" is not a whole number"],
        ["any", "1", "argument 0 (Any): a value of type Any cannot be made of JSON"],
        ["size", "2", "'size' means 2 functions of"], ["kind", "[]", "none of them accepts the arguments; state the module"],
        ["generic", "1", "Plugin.generic(_:): it is generic"], ["ad", "1", "has no Swift function 'ad'"],
      ]
      for (index, line) in expected.enumerated() {
        let (words, text) = (Array(line.dropLast()), line[line.count - 1])
        let error = #expect(throws: InvocationError.self, "\(words)") { try called(words) }
        #expect(error?.description.contains(text) == true, "\(words): \(error?.description ?? "")")
        guard index % 12 == 0 else { continue }
        try run(words).expectError(text)
      }
    }

    @Test("An asynchronous function is awaited, also one of the main actor; what it throws is an error") func asynchronous() throws {
      let library = try Self.library()
      for (words, result) in [
        (["--no-nonsending", library, "later", "4"], "8"), ([library, "--no-nonsending", "later", "4"], "8"),
        (["--nonsending", library, "nextTo", "4"], "5"), (["--no-nonsending", library, "onMain(_:)", "4"], "4"),
        (["--no-nonsending", "--json", library, "Plugin.later(Swift.Int) async throws -> Swift.Int", "4"], #"{"result":8}"#),
      ] {
        try Program.run(["swift"] + words).expectOutput(result + "\n")
      }
      try Program.run(["swift", "--no-nonsending", library, "later", "-4"])
        .expectError("Plugin.later(_:) threw Plugin.Failure: negative(-4)\n")
    }

    @Test("A line of the list is a name as it stands") func listedNames() throws {
      for (index, line) in try run([]).lines.enumerated() where index % 12 == 0 && !line.contains(".echo") {
        let call = try run([line])
        #expect(!call.errors.contains("has no Swift function") && !call.errors.contains("' means "), "\(line): \(call.errors)")
      }
    }

    @Test("A struct of Foundation whose properties are public is made of them, and its coding as well")
    func publicStructs() throws {
      let source = """
        import Foundation
        public func echoRange(_ v: NSRange) -> NSRange { v }
        public func echoRect(_ v: CGRect) -> CGRect { v }
        public func echoFloat(_ v: CGFloat?) -> CGFloat? { v }
        """
      let library = try SwiftCompiler.sharedLibrary(source: source, module: "OpenStructs")
      for (words, result) in [
        (["echoRange", #"{"location":3,"length":4}"#], "[3,4]"), (["echoRange", "[3,4]"], "[3,4]"),
        (["echoRect", #"{"origin":{"x":1,"y":2},"size":{"width":3,"height":4.5}}"#], "[[1,2],[3,4.5]]"),
        (["echoRect", "[[1,2],[3,4.5]]"], "[[1,2],[3,4.5]]"), (["echoFloat", "3"], "3.0"), (["echoFloat", "nan"], #""nan""#),
        (["echoFloat", "null"], "null"),
      ] {
        try Program.run(["swift", library] + words).expectOutput(result + "\n")
      }
      try Program.run(["swift", library, "echoRange", #"{"loc":3,"length":4}"#])
        .expectError("_NSRange has no field \"loc\", only location, length")
    }

    @Test("What is printed is an argument, and is printed again") func roundTrip() throws {
      // The result of echoNested is an array of its argument, not one.
      let echoes = Self.calls.filter { $0.count == 3 && $0[0].hasPrefix("echo") && $0[0] != "echoNested" }
      for (name, value) in echoes.map({ ($0[0], $0[2]) }) {
        #expect(try called([name, value]) == value, "\(name) \(value)")
      }
    }

    @Test("What a function throws is written to standard error") func throwing() throws {
      try run(["check", "-4"]).expectError("Plugin.check(_:) threw Plugin.Failure: negative(-4)\n")
    }

    @Test("A library that does not exist or has no Swift functions is an error") func libraries() throws {
      try Program.run(["swift", "libnone.so.9"]).expectError("library 'libnone.so.9' cannot be opened: ")
      try Program.run(["swift", "libm.so.6"]).expectError("exports no Swift functions")
      // Whether the program itself exports functions depends on how it was linked.
      let own = try Program.run(["swift", "-"])
      #expect(own.status == 0 || own.errors.contains("export-dynamic"))
    }
  }
#endif
