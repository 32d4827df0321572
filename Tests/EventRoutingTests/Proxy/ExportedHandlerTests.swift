import SwiftFunctions
import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Handlers that are methods of a class in a library, found by the symbols of the library.
@Suite(.measured) struct ExportedHandlerTests {
  private let node = ResponderNode("row")
  private let list: AnyObject
  private let library: SwiftLibrary

  init() throws {
    library = try unsafe SwiftLibrary(SwiftCompiler.sharedLibrary(source: Self.source, module: "Handled")).trusting(.declarations)
    list = try library.function("Handled.makeLongList()").call([]) as AnyObject
    try unsafe MethodTable.of(type(of: list)).addExported(trusting: .declarations)
  }

  private func log() throws -> [String] { try library.function("Handled.List.log")(list) }

  @Test("A handler is named by a method that was not registered, and the event's source and arguments arrive")
  func handlers() throws {
    try node.proxy.register("row.tapped", target: list, selector: "rowTapped(_:at:)")
    try node.proxy.register("row.named", target: list, selector: "rename(_:to:width:)")
    try node.proxy.register("row.chosen", target: list, selector: "choose(_:_:)")
    expectEqual(node.send("row.tapped", arguments: [.int(3)]).handledCount, 1)
    expectEqual(node.send("row.tapped", source: nil, arguments: [.int(4)]).handledCount, 1)
    expectEqual(node.send("row.named", arguments: [.string("a title of more than fifteen bytes"), .double(1.5)]).handledCount, 1)
    expectEqual(node.send("row.chosen", arguments: [.object(SwiftValue([1, 2]))]).handledCount, 1)
    // The list is of a subclass, whose override is called.
    try expectEqual(log(), ["long 3 true", "long 4 false", "a title of more than fifteen bytes 1.5", "[1, 2]"])
  }

  @Test("A missing method is an error with the nearest names") func errors() throws {
    do {
      try node.proxy.register("row.tapped", target: list, selector: "rowTaped(_:at:)")
      Issue.record("it was registered")
    } catch {
      expect(error.code == .unrecognizedSelector && error.candidates.contains("rowTapped(_:at:)"))
    }
  }

  @Test("A method that throws is the failure of the event") func throwing() throws {
    try node.proxy.register("row.removed", target: list, selector: "remove(_:_:)")
    let answer = node.proxy.send("row.removed", source: node, arguments: [.int(7)])
    expect("\(answer.errors)".contains("Failure(code: 7)"))
  }

  private static let source = """
    public struct Failure: Error { public var code: Int }
    open class List {
      public private(set) var log: [String] = []
      public init() {}
      open func rowTapped(_ source: AnyObject?, at index: Int) { add("\\(index) \\(source != nil)") }
      public func rename(_ source: AnyObject?, to title: String, width: Double) { add("\\(title) \\(width)") }
      public func choose(_ source: AnyObject?, _ numbers: [Int]) { add("\\(numbers)") }
      public func remove(_ source: AnyObject?, _ index: Int) throws { throw Failure(code: index) }
      final func add(_ text: String) { log.append(text) }
    }
    public class LongList: List {
      override public func rowTapped(_ source: AnyObject?, at index: Int) { add("long \\(index) \\(source != nil)") }
    }
    public func makeLongList() -> List { LongList() }
    """
}
