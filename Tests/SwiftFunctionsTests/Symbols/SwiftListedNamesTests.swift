@_spi(Tools) import SwiftFunctions
import DynamicInvocation
import TestSupport
import Testing

/// Names as the source has them and as a library lists them, which are names for look-up as they stand.
@Suite(.measured) struct SwiftListedNamesTests {
  /// Declarations whose names are written in each way that the language has.
  static let source = """
    infix operator **
    postfix operator ++
    public func `a b`(_ x: Int) -> Int { x }
    public func `f(x)`(_ x: Int) -> Int { x + 1 }
    public func `a.b`(`my label` x: Int, `y:z`: Int) -> Int { x + `y:z` }
    public func `1st`(`for` x: Int, `inout` y: Int) -> Int { x - y }
    public func `class`(_ x: Int) -> Int { x + 2 }
    public func größe(_ é: Int) -> Int { é }
    public func 🎈x(_ x: Int) -> Int { x }
    public func b(_ x: Int) -> Int { 0 }
    public func ** (x: Int, y: Int) -> Int { x * y }
    public func sum(_ x: Int...) -> Int { x.count }
    public func sum(_ x: Int) -> Int { x }
    public func apply(_ body: (Int, String) throws -> Int, to x: [String: (Int, Int)?]) rethrows -> Int { try body(1, "") }
    public func each<each T>(_ x: repeat each T) {}
    public func most<T: Comparable>(_ x: T, _ y: T) -> T { max(x, y) }
    public func later(_ x: Int) async throws -> Int { x }
    public func lists(_ x: [`My Type`], _ y: [`My Type`.`In.ner`]?) -> Int { x.count + (y?.count ?? 0) }
    public protocol Counted { func count() -> Int }
    public protocol `A Ctd` {}
    public struct One: Counted, `A Ctd` { public func count() -> Int { 1 } }
    enum Two: Counted { case a; func count() -> Int { 2 } }
    public var counter = 3
    public let `a constant` = 4
    public struct `My Type` {
      public init() {}
      public init(_ x: Int) {}
      public var `the value`: Int { get { 3 } set {} }
      public func `do it`(_ other: `My Type`) -> `My Type` { other }
      public struct `In.ner` { public init() {}; public func f(_ x: `My Type`) -> Int { 5 } }
      public struct `Type` {
        public init() {}
        public func `init`() -> `Type` { self }
        public func `subscript`(_ x: Int) -> Int { x }
        public subscript(x: Int) -> Int { x + 1 }
        public static func `self`() -> Int { 2 }
      }
    }
    public struct Item: Equatable {
      public init() {}
      public var count: Int { 1 }
      public static var count: Int { 2 }
      public func count(in number: Int) -> Int { number }
      public static var shared = 7
      public func f() -> Int { 1 }
      public static func f() -> Int { 2 }
      public subscript(i: Int) -> Int { get { i } set {} }
      public subscript(k key: String) -> String? { get { key } set {} }
      public static subscript(i: Int) -> Int { i }
      public static prefix func - (x: Item) -> Item { x }
      public static prefix func ++ (x: Item) -> Item { x }
      public static postfix func ++ (x: Item) -> Item { x }
      public static func ..< (x: Item, y: Item) -> Bool { true }
      public static func < (x: Item, y: Item) -> Bool { false }
      public enum name { case a; public var setter: Int { get { 1 } nonmutating set {} } }
      public var name: Int { get { 1 } set {} }
    }
    open class Animal {
      public init(named name: String) { self.name = name }
      public var name: String
      open func speak() -> String { name }
      public class func kind() -> Int { 3 }
    }
    extension Int { public func doubled() -> Int { self * 2 }; public var squared: Int { self * self } }
    extension Array where Element == Int { public func total() -> Int { 1 } }
    extension Array where Element == String { public func total() -> Int { 2 } }
    """

  private static func library(_ mode: SwiftCompiler.Mode = .plain) throws -> SwiftLibrary {
    try SwiftCompiler.library(source: source, module: "Listed\(mode)", flags: mode.flags)
  }

  @Test("Each declaration that a library lists is a name of that declaration alone", arguments: SwiftCompiler.Mode.allCases)
  func listed(mode: SwiftCompiler.Mode) throws { #expect(try ToolchainComparison.names(of: Self.library(mode).library) == []) }

  @Test(
    "A declaration that a library of the toolchain lists is a name of that declaration alone",
    arguments: [("libswiftCore.so", 300), ("libswiftSynchronization.so", 1_500)])
  func listedByTheToolchain(name: String, most: Int) throws {
    #expect(try ToolchainComparison.names(of: DynamicLibrary(name), most: most) == [])
  }

  @Test("A function is called by the text that the source has for it, with all backticks or those that are needed")
  func sourceNames() throws {
    let library = try Self.library()
    let module = "Listed\(SwiftCompiler.Mode.plain)"
    let calls: [(String, [Any], Int)] = [
      ("`a b`(_:)", [5], 5), ("\(module).`a b`(_:)", [5], 5), ("`a b`", [5], 5), ("`a\u{A0}b`(_:)", [5], 5), ("`a b`(_: Int)", [5], 5),
      ("`f(x)`(_:)", [5], 6), ("`f(x)`", [5], 6), ("`a.b`(`my label`:`y:z`:)", [5, 6], 11), ("`a.b`", [5, 6], 11),
      ("`1st`(for:`inout`:)", [5, 6], -1), ("`1st`(`for`:inout:)", [5, 6], -1), ("class(_:)", [5], 7), ("`class`(_:)", [5], 7),
      ("`class`", [5], 7), ("größe(_:)", [5], 5), ("`größe`", [5], 5), ("🎈x(_:)", [5], 5), ("b(_:)", [5], 0), ("**(_:_:)", [5, 6], 30),
      ("**", [5, 6], 30), ("infix **(_:_:)", [5, 6], 30), ("sum(_: Int...)", [[5, 6]], 2), ("sum(_: Int)", [5], 5),
      ("`a constant`", [], 4), ("\(module).`a constant`", [], 4), ("counter", [], 3), ("Int.doubled()", [4], 8), ("squared", [4], 16),
    ]
    for (name, arguments, result) in calls {
      #expect(throws: Never.self, "\(name)") {
        let given = try library.function(name).call(arguments) as? Int
        #expect(given == result, "\(name)")
      }
    }
    let type = try library.function("`My Type`.init()").call([])
    #expect(try library.function("`My Type`.`the value`").call([type]) as? Int == 3)
    #expect(try library.function("`the value`").call([type]) as? Int == 3)
    #expect(try library.function("`do it`(_: `My Type`)").argumentTypes.count == 2)
    #expect(try library.function("lists(_:_:)").argumentTypes.count == 2)
    let inner = try library.function("`My Type`.`In.ner`.init()").call([])
    #expect(try library.function("`In.ner`.f(_:)").call([inner, type]) as? Int == 5)
    #expect(throws: InvocationError.self) { try library.function("ner`.f(_:)") }
    let plain = try library.function("`My Type`.`Type`.init()").call([])
    #expect(try library.function("`My Type`.`Type`.`init`()").argumentTypes.count == 1)
    #expect(try library.function("`My Type`.`Type`.`subscript`(_:)").call([plain, 1]) as? Int == 1)
    #expect(try library.function("`My Type`.Type.subscript(_:)").call([plain, 1]) as? Int == 2)
    #expect(try library.function("`Type`.`self`()").call([]) as? Int == 2)
    #expect(try library.function("Type.self()").call([]) as? Int == 2)
  }

  @Test("Types that conform to a protocol are found by its name")
  func conformers() throws {
    let library = try Self.library()
    func names(_ name: String) throws -> [String] { try library.conformers(ofProtocol: name).map { "\($0)" }.sorted() }
    #expect(try names("Counted") == ["One", "Two"])
    #expect(try names("Listed\(SwiftCompiler.Mode.plain).Counted") == ["One", "Two"])
    #expect(try names("`A Ctd`") == ["One"])
    #expect(try names("Swift.Equatable").contains("Item"))
    for name in ["Count", "", "One", "a.b.c", "Swift.Int", "Foundation.Counted"] {
      #expect(throws: InvocationError.self, "\(name)") { try library.conformers(ofProtocol: name) }
    }
  }

  @Test("An operator is found by its own name, not by the end of another's")
  func operators() throws {
    let library = try Self.library()
    let item = try library.function("Item.init()").call([])
    #expect(try library.function("Item.<(_:_:)").call([item, item]) as? Bool == false)
    #expect(try library.function("Item...<(_:_:)").call([item, item]) as? Bool == true)
    #expect(try library.function("Item.-(_:)").argumentTypes.count == 1)
    let both = #expect(throws: InvocationError.self) { try library.function("Item.++(_:)") }
    #expect(both?.candidates.count == 2)
    for name in both?.candidates ?? [] { #expect(try library.function(name).argumentTypes.count == 1, "\(name)") }
  }

  @Test("An accessor is found by the name that the list has for it, and a setter by the variable's")
  func accessors() throws {
    let library = try Self.library()
    let animal = try library.function("Animal.init(named:)").call(["cat"]) as AnyObject
    try library.function("Animal.name.setter")(animal, "dog")
    #expect(try library.function("Animal.name.getter")(animal, as: String.self) == "dog")
    try library.setter("Animal.name")(animal, "cow")
    #expect(try library.setter("Animal.name.setter").symbol == library.setter("Animal.name").symbol)
    #expect(try library.function("name: String")(animal, as: String.self) == "cow")
    // A name without parentheses is a variable's before functions and static variables.
    #expect(try library.function("Item.count").call([library.function("Item.init()").call([])]) as? Int == 1)
    #expect(try library.function("static Item.count")(as: Int.self) == 2)
    #expect(try library.function("Item.count(in:)").argumentTypes.count == 2)
    _ = try library.function("static Item.shared.setter").call([9])
    #expect(try library.function("Item.shared").call([]) as? Int == 9)
    #expect(try library.setter("Item.subscript(k:)").argumentTypes.count == 3)
    #expect(try library.function("Item.subscript(k:).setter").symbol == library.setter("Item.subscript(k:)").symbol)
    // A type of the name of a variable, with a variable of the name of an accessor.
    #expect(try library.function("Item.name.setter : Swift.Int").symbol == library.setter("Item.name").symbol)
    #expect(try library.function("Item.name.setter.setter").symbol != library.setter("Item.name").symbol)
    func reason(_ name: String) -> String { message { _ = try library.setter(name) } }
    #expect(
      reason("counter").hasSuffix(
        "counter: the library exports the address of the variable and no setter, and its symbol does not state whether it is a constant (let): declare a function that sets it"
      ))
    #expect(reason("Item.count").contains("it has no setter that is public"))
    #expect(reason("`a constant`.setter").contains("exports the address of the variable"))
    #expect(reason("nothing").contains("has no Swift function 'nothing'"))
  }

  @Test("A name that an error calls nearest is a name of the library")
  func nearest() throws {
    let library = try Self.library()
    for (name, wanted) in [
      ("`a  b`(_:)", "`a b`(_:)"), ("Item.conut", "Item.count"), ("`My Typ`.`do it`(_:)", "`My Type`.`do it`(_:)"),
      ("spaek", "Animal.speak()"),
      ("spaek()", "Animal.speak()"), ("klass(_:)", "class(_:)"),
    ] {
      let error = #expect(throws: InvocationError.self) { try library.function(name) }
      #expect(error?.candidates.contains { $0.hasSuffix(wanted) } == true, "\(name): \(error?.candidates ?? [])")
      for candidate in error?.candidates ?? [] {
        #expect(throws: Never.self, "\(candidate)") { try library.listedFunctions(named: candidate) }
      }
    }
    let toolchain = try SwiftLibrary("libswiftCore.so")
    let error = #expect(throws: InvocationError.self) { try toolchain.function("hasPrefixx") }
    #expect(error?.candidates.contains("Swift.String.hasPrefix(_:)") == true)
  }
}
