import SwiftFunctions
import DynamicInvocation
import TestSupport
import Testing

/// Methods that a class exports, called by messages without a registration of each.
@Suite(.measured, .serialized) struct ExportedMethodsTests {
  private static func library() throws -> SwiftLibrary {
    try SwiftCompiler.library(source: source, module: "Exported")
  }

  private static func object(_ name: String) throws -> AnyObject {
    let object = try library().function("Exported." + name).call([]) as AnyObject
    try unsafe MethodTable.of(type(of: object)).addExported(trusting: .declarations)
    return object
  }

  private static func object(in value: BoxedValue) -> AnyObject? {
    if case .object(let object) = value { object } else { nil }
  }

  @Test("Methods and properties answer to selectors of their names and labels, with their types")
  func selectors() throws {
    let page = try Self.library().function("Exported.makePage()").call([]) as AnyObject
    let table = MethodTable.of(type(of: page))
    let methods = try unsafe table.addExported(trusting: .declarations)
    let names = Set(methods.added.map(\.selector.name))
    let expected = [
      "add(_:_:)", "area(width:height:)", "title", "setTitle(_:)", "rename(to:)", "next", "isSame(_:)", "numbers(_:)", "fail(_:)",
      "find(_:)",
    ]
    for name in expected { #expect(names.contains(name), "\(name)") }
    #expect(methods.added.first { $0.selector == "add(_:_:)" }.map { "\($0.methodSignature)" } == "q@:qs")
    #expect(methods.added.first { $0.selector == "rename(to:)" }?.declaration == "Exported.Page.rename(to: Swift.String) -> ()")
    #expect(table.responds(to: "next") && table.selectors.contains("area(width:height:)"))
    #expect(try unsafe table.addExported(trusting: .declarations).added.isEmpty, "what a table has is kept")
  }

  @Test("What is not carried is named with the reason")
  func refusals() throws {
    let other = try Self.library().function("Exported.makeOther()").call([]) as AnyObject
    let refused = try unsafe MethodTable.of(type(of: other)).addExported(trusting: .declarations).refused.map(\.description).joined(
      separator: "\n")
    let expected = [
      "an initializer has no object as its target", "a static member has no object as its target", "a subscript has no selector",
      "several methods with the selector 'show(_:)'", "the parameter is inout", "it is generic", "an asynchronous function",
    ]
    for reason in expected { #expect(refused.contains(reason), "\(reason)") }
    let box = try Self.library().function("Exported.makeBox()").call([]) as AnyObject
    #expect(message { try unsafe MethodTable.of(type(of: box)).addExported(trusting: .declarations) }.contains("is generic"))
  }

  @Test("Messages pass numbers, texts, objects and values, and return results of each kind")
  func messages() throws {
    let page = try Self.object("makePage()")
    #expect(try Invocation.send(page, "add(_:_:)", 40, 2 as Int16, as: Int.self) == 42)
    #expect(try Invocation.send(page, "add(_:_:)", BoxedValue.int(1), BoxedValue.int(2), as: Int.self) == 3)
    #expect(try Invocation.send(page, "area(width:height:)", 1.5, 4.0, as: Double.self) == 6)
    _ = try Invocation.send(page, "rename(to:)", "a title that is long enough for the heap")
    let title = Self.object(in: try Invocation.send(page, "title"))
    #expect((title as? SwiftValue<String>)?.value == "a title that is long enough for the heap")
    #expect(try Invocation.send(page, "isSame(_:)", BoxedValue.object(page), as: Bool.self))
    #expect(try !Invocation.send(page, "isSame(_:)", BoxedValue.null, as: Bool.self))
    let doubled = Self.object(in: try Invocation.send(page, "numbers(_:)", BoxedValue.object(SwiftValue([1, 2, 3]))))
    #expect((doubled as? SwiftValue<[Int]>)?.value == [2, 4, 6])
    #expect(Self.object(in: try Invocation.send(page, "find(_:)", 0)) == nil)
    #expect(Self.object(in: try Invocation.send(page, "find(_:)", 1)) === page)
    #expect(Self.object(in: try Invocation.send(page, "named(_:)", BoxedValue.object(page))) === page)
  }

  @Test("An override is called, and errors are thrown: the method's, and errors of wrong arguments")
  func overridesAndErrors() throws {
    let cover = try Self.object("makeCover()")
    #expect(try Invocation.send(cover, "add(_:_:)", 1, 2, as: Int.self) == -3)
    #expect(try Invocation.send(cover, "own", as: Int.self) == 1)
    #expect(message { _ = try Invocation.send(cover, "fail(_:)", -1) } == "Failure(code: -1)")
    #expect(message { _ = try Invocation.send(cover, "isSame(_:)", BoxedValue.object(Stranger())) }.contains("Stranger"))
    #expect(message { _ = try Invocation.send(cover, "numbers(_:)", BoxedValue.object(SwiftValue(["a"]))) }.contains("Array<Swift.Int>"))
    #expect(message { _ = try Invocation.send(cover, "numbers(_:)", BoxedValue.null) }.contains("null is not"))
  }

  @Test("A number becomes the optional number that a method takes, and an error states the type that it takes")
  func convertedNumbers() throws {
    let page = try Self.object("makePage()")
    _ = try Invocation.send(page, "setAge(_:)", BoxedValue.object(SwiftValue(77)))
    #expect((Self.object(in: try Invocation.send(page, "age")) as? SwiftValue<Int64?>)?.value == 77)
    _ = try Invocation.send(page, "setAge(_:)", BoxedValue.null)
    #expect((Self.object(in: try Invocation.send(page, "age")) as? SwiftValue<Int64?>)?.value == .some(nil))
    let age = try Invocation(target: page, selector: "setAge(_:)")
    #expect(
      message { try age.setArgument(boxed: .int(77), at: 2) }
        == "-[Page setAge(_:)]: argument 2 (@): integer 77 is not an object; the method takes Swift.Optional<Swift.Int64>, also in a SwiftValue"
    )
    #expect(
      message { _ = try Invocation.send(page, "setAge(_:)", BoxedValue.object(SwiftValue("77"))) }.hasSuffix(
        "is not Swift.Optional<Swift.Int64>, nor a SwiftValue of it"))
  }

  @Test("A class and members whose names are no ASCII, keywords or raw identifiers have their methods")
  func names() throws {
    let object = try Self.library().function("Exported.makeNamed()").call([]) as AnyObject
    let names = try unsafe MethodTable.of(type(of: object)).addExported(trusting: .declarations).added.map(\.selector.name)
    #expect(Set(names) == ["höhe", "setHöhe(_:)", "`a.b`(`c d`:)", "class(_:)", "init()"])
    #expect(try Invocation.send(object, "`a.b`(`c d`:)", 3, as: Int.self) == 3)
    #expect(try Invocation.send(object, "class(_:)", 3, as: Int.self) == 4)
  }

  @Test("A spy records the messages to an object whose methods were never registered")
  func spy() throws {
    let page = try Self.object("makePage()")
    let spy = Spy(target: page)
    let message = try Invocation(target: spy, selector: "add(_:_:)")
    try message.setArgument(1, at: 2)
    try message.setArgument(2 as Int16, at: 3)
    try message.invoke()
    #expect(try message.returnValue(as: Int.self) == 3)
    #expect(spy.log == ["add(_:_:)"])
  }

  @Test("A hundred calls leave no object behind")
  func ownership() throws {
    let count = try Self.library().function("Exported.pageCount()")
    let before: Int = try count()
    do {
      let page = try Self.object("makePage()")
      for _ in 0..<100 {
        _ = try Invocation.send(page, "find(_:)", 1)
        _ = try Invocation.send(page, "isSame(_:)", BoxedValue.object(page))
        _ = try Invocation.send(page, "next")
        _ = try Invocation.send(page, "named(_:)", BoxedValue.object(page))
        _ = try Invocation.send(page, "title")
      }
    }
    #expect(try count(as: Int.self) == before)
  }

  private final class Stranger {}

  private final class Spy: InvocationProxy {
    var log: [String] = []

    override func forwardInvocation(_ invocation: Invocation) throws {
      log.append(invocation.selector?.name ?? "")
      try super.forwardInvocation(invocation)
    }
  }

  private static let source = """
    nonisolated(unsafe) var pages = 0
    public struct Failure: Error { public var code: Int }
    open class Page {
      public var title = "none"
      public var age: Int64? = 1
      public init() { pages += 1 }
      deinit { pages -= 1 }
      open func add(_ a: Int, _ b: Int16) -> Int { a + Int(b) }
      public final func area(width: Double, height: Double) -> Double { width * height }
      open func rename(to title: String) { self.title = title }
      public var next: Page { Page() }
      public func isSame(_ other: Page?) -> Bool { other === self }
      public func numbers(_ list: [Int]) -> [Int] { list.map { $0 * 2 } }
      public func fail(_ code: Int) throws -> Int { throw Failure(code: code) }
      public func find(_ index: Int) -> Page? { index == 0 ? nil : self }
      public func named(_ name: Named) -> any Named { name }
    }
    public protocol Named: AnyObject { func name() -> String }
    extension Page: Named { public func name() -> String { title } }
    public class Cover: Page {
      override public func add(_ a: Int, _ b: Int16) -> Int { -a - Int(b) }
      public var own: Int { 1 }
    }
    public class Other {
      public init(name: String) {}
      public static func make() -> Int { 1 }
      public subscript(index: Int) -> Int { index }
      public func show(_ a: Int) {}
      public func show(_ a: String) {}
      public func change(_ a: inout Int) {}
      public func generic<T>(_ a: T) -> T { a }
      public func later() async -> Int { 1 }
    }
    public class Box<T> { public init() {}; public func get() -> Int { 1 } }
    public class `Größe ß` {
      public init() {}
      public var höhe = 1
      public func `a.b`(`c d`: Int) -> Int { `c d` }
      public func `class`(_ x: Int) -> Int { x + 1 }
      public func `init`() -> Int { 5 }
    }
    public func makeNamed() -> `Größe ß` { `Größe ß`() }
    public func makePage() -> Page { Page() }
    public func makeCover() -> Page { Cover() }
    public func makeOther() -> Other { Other(name: "") }
    public func makeBox() -> AnyObject { Box<Int>() }
    public func pageCount() -> Int { pages }
    """
}
