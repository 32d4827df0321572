import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Typed events along a tree.
@Suite(.measured) struct TypedSendingTests {
  private final class Row: ResponderNode {}

  private let moved: TypedEventKey<(Int, Geometry.Rect)> = "moved"

  @Test func aTypedEventComesToATypedHandlerAbove() throws {
    let (root, row) = (ResponderNode("root"), Row("row"))
    root.addChild(row)
    var seen: [String] = []
    try root.proxy.register(moved) { (source: Row?, index: Int, frame: Geometry.Rect) in
      seen.append("\(source === row) \(index) \(frame.size.width)")
    }
    let frame = Geometry.Rect(x: 0, y: 0, width: 7, height: 0)
    #expect(row.send(moved, 3, frame).handledCount == 1)
    // The types of a literal are those of the call.
    #expect(row.send("moved", 4, frame).handledCount == 1)
    #expect(row.send("moved", arguments: [.int(5), .rect(frame)]).handledCount == 1)
    #expect(seen == ["true 3 7.0", "true 4 7.0", "true 5 7.0"])
  }

  @Test func otherTypesAreConvertedOrRefused() throws {
    let (root, row) = (ResponderNode("root"), Row("row"))
    root.addChild(row)
    var seen: [Int16] = []
    try root.proxy.register("short") { (_: Row?, value: Int16) in seen.append(value) }
    #expect(row.send("short", 300).handledCount == 1)
    let outcome = row.send("short", 70_000)
    #expect(outcome.handledCount == 0)
    #expect("\(outcome.firstError.map { "\($0)" } ?? "")".contains("70000 does not fit"))
    #expect(row.send("short", 1, 2).firstError != nil)
    #expect(seen == [300])
  }

  @Test func everyNumberOfArguments() throws {
    let node = Row("node")
    var sums: [Int] = []
    let none: TypedEventKey<Void> = "none"
    try node.proxy.register(none) { (_: Row?) in sums.append(0) }
    try node.proxy.register("k") { (_: Row?, a: Int) in sums.append(a) }
    try node.proxy.register("kk") { (_: Row?, a: Int, b: Int) in sums.append(a + b) }
    try node.proxy.register("kkk") { (_: Row?, a: Int, b: Int, c: Int) in sums.append(a + b + c) }
    try node.proxy.register("kkkk") { (_: Row?, a: Int, b: Int, c: Int, d: Int) in sums.append(a + b + c + d) }
    try node.proxy.register("kkkkk") { (_: Row?, a: Int, b: Int, c: Int, d: Int, e: Int) in sums.append(a + b + c + d + e) }
    try node.proxy.register("k6") { (_: Row?, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) in sums.append(a + b + c + d + e + f) }
    try node.proxy.register("k7") { (_: Row?, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int) in
      sums.append(a + b + c + d + e + f + g)
    }
    try node.proxy.register("k8") { (_: Row?, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int) in
      sums.append(a + b + c + d + e + f + g + h)
    }
    node.send(none)
    node.send("k", 1)
    node.send("kk", 1, 2)
    node.send("kkk", 1, 2, 3)
    node.send("kkkk", 1, 2, 3, 4)
    node.send("kkkkk", 1, 2, 3, 4, 5)
    node.send("k6", 1, 2, 3, 4, 5, 6)
    node.send("k7", 1, 2, 3, 4, 5, 6, 7)
    node.send("k8", 1, 2, 3, 4, 5, 6, 7, 8)
    #expect(sums == [0, 1, 3, 6, 10, 15, 21, 28, 36])
  }

  @Test func anInterceptorSeesBoxes() throws {
    let (root, row) = (ResponderNode("root"), Row("row"))
    root.addChild(row)
    var seen: [Int] = []
    try row.proxy.intercept("low") { _, _, arguments in .resend("high", arguments + [.int(9)]) }
    try root.proxy.register("high") { (_: Row?, a: Int, b: Int) in seen += [a, b] }
    #expect(row.send("low", 3).finalKey == "high")
    #expect(seen == [3, 9])
  }
}
