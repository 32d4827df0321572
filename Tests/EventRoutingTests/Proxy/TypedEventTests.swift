import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Events whose arguments the compiler checks, and how they meet boxes.
@Suite(.measured) struct TypedEventTests {
  private let proxy = EventProxy()
  private let row = Row()

  private static let rowTapped: TypedEventKey<(Int, Geometry.Rect)> = "row.tapped"

  @Test("A typed key and the plain key of its name are one registration (E1.2)") func oneKey() throws {
    var log: [String] = []
    try proxy.register(Self.rowTapped) { (source: Row?, index: Int, frame: Geometry.Rect) in log.append("\(index) \(frame.size.width)") }
    let frame = Geometry.Rect(x: 0, y: 0, width: 5, height: 0)
    expectEqual(proxy.send(Self.rowTapped, source: row, 1, frame).calls, 1)
    expectEqual(proxy.send("row.tapped", source: row, 2, frame).calls, 1)
    expectEqual(proxy.send("row.tapped", source: row, arguments: [.int(3), .rect(frame)]).calls, 1)
    expectEqual(proxy.send(TypedEventKey(EventKey("row.tapped")), source: row, 4, frame).calls, 1)
    expectEqual(log, ["1 5.0", "2 5.0", "3 5.0", "4 5.0"])
    expect(Self.rowTapped.key == "row.tapped" && "\(Self.rowTapped)" == "row.tapped")
    expectEqual(proxy.send("row.tapped", source: row, arguments: [.int(3), .point(Geometry.Point())]).failure?.reason.argument, .index(2))
  }

  @Test("A typed send to a handler of other types is converted exactly, or an error (E9.10)") func otherTypes() throws {
    var seen = 0.0
    try proxy.register("e") { (_: Row?, value: Double, isOn: Bool) in seen = value }
    expectEqual(proxy.send("e", source: row, 7, true).calls, 1)
    expectEqual(seen, 7)
    expectEqual(proxy.send("e", source: row, 2.5 as Float, true).calls, 1)
    expectEqual(seen, 2.5)
    expectEqual(proxy.send("e", source: row, "text", true).failure?.reason.code, .typeMismatch)
    expectEqual(proxy.send("e", source: row, 1, 1).failure?.reason.argument, .index(2))
    expectEqual(proxy.send("e", source: row, 1).failure?.reason.code, .countMismatch)
    var name = ""
    try proxy.register("s") { (_: Row?, text: String) in name = text }
    expectEqual(proxy.send("s", source: row, arguments: ["größer"]).calls, 1)
    expectEqual(name, "größer")
    expectEqual(proxy.send("s", source: row, 5).calls, 0)
  }

  private struct Badly: EncodedValue, BitwiseCopyable {
    var tag: Int32
    static let typeEncoding: TypeEncoding = "{Badly=id}"
  }

  private struct Unsized: EncodedValue, BitwiseCopyable {
    var tag: Int32
    static let typeEncoding: TypeEncoding = "{Unsized}"
  }

  @Test("A typed argument whose type lies about its layout is an error, not a null")
  func foreignLayout() throws {
    var calls = 0
    try proxy.register("p") { (_: Row?, _: Row?) in calls += 1 }
    try proxy.intercept("i") { _, _, _ in
      calls += 1
      return .handled
    }
    for key in ["p", "i"] as [EventKey] {
      expectEqual(proxy.send(TypedEventKey(key), source: row, Badly(tag: 1)).failure?.reason.code, .typeMismatch)
      expect(proxy.send(TypedEventKey(key), source: row, Unsized(tag: 1)).failure != nil)
    }
    #expect(throws: InvocationError.self) { try proxy.register("b") { (_: Row?, _: Badly) in } }
    expectEqual(calls, 0)
  }

  @Test("An object is of its class or a subclass, and nil only where it may be (E9.6, E9.7)") func objects() throws {
    var seen: [Row?] = []
    try proxy.register("r") { (_: Row?, object: Row) in seen.append(object) }
    try proxy.register("o") { (_: Row?, object: Row?) in seen.append(object) }
    let special = SpecialRow()
    expectEqual(proxy.send("r", source: nil, special).calls, 1)
    expectEqual(proxy.send("r", source: nil, arguments: [.object(special)]).calls, 1)
    expectEqual(proxy.send("o", source: nil, special as Row?).calls, 1)
    expectEqual(proxy.send("o", source: nil, Row?.none).calls, 1)
    expectEqual(proxy.send("o", source: nil, arguments: [nil]).calls, 1)
    expectEqual(seen.map { $0 === special }, [true, true, true, false, false])
    expectEqual(proxy.send("r", source: nil, arguments: [nil]).failure?.reason.code, .nullNotAllowed)
    expectEqual(proxy.send("r", source: nil, Row?.none).failure?.reason.code, .nullNotAllowed)
    for answer in [proxy.send("r", source: nil, arguments: [.object(Stranger())]), proxy.send("r", source: nil, Stranger())] {
      expectEqual(answer.failure?.reason.code, .typeMismatch)
      expectEqual(answer.failure?.reason.argument, .index(1))
    }
  }

  @Test("Typed events reach functions in C")
  func functions() throws {
    let handlers = try CHandlers(.clang)
    try proxy.register(
      "e", handlers.handler("m_event", "v@:@@q{R=dddd}@"), target: row, selector: "go", options: HandlerOptions(holding: .strong))
    expectEqual(proxy.send("e", source: row, row, 12, Geometry.Rect(x: 1, y: 2, width: 8, height: 4), Row?.none).calls, 1)
    try expect(handlers.integer == 12 && handlers.number == 8 && handlers.text == "go" && handlers.part(0) == 0)
    expectEqual(proxy.send("e", source: row, row, 12 as Int32, Geometry.Rect(), Row?.none).calls, 1)
    try proxy.register("t", handlers.handler("h_text", "v@*"))
    expectEqual(proxy.send("t", source: row, "copied").calls, 1)
    try expectEqual(handlers.text, "copied")
  }

  @Test("Every number of arguments, typed and boxed, closures and methods")
  func arities() throws {
    final class Target {
      var sums: [Int] = []
      func m0(_: Row?) { sums.append(0) }
      func m1(_: Row?, a: Int) { sums.append(a) }
      func m2(_: Row?, a: Int, b: Int) { sums.append(a + b) }
      func m3(_: Row?, a: Int, b: Int, c: Int) { sums.append(a + b + c) }
      func m4(_: Row, a: Int, b: Int, c: Int, d: Double) { sums.append(a + b + c + Int(d)) }
    }
    let target = Target()
    let append = HandlerOptions(duplicates: .append)
    try proxy.register("0", target: target, Target.m0)
    try proxy.register("0", options: append) { (_: Row) in target.sums.append(0) }
    try proxy.register("1", target: target, Target.m1)
    try proxy.register("1", options: append) { (_: Row, a: Int) in target.sums.append(a) }
    try proxy.register("2", target: target, Target.m2)
    try proxy.register("2", target: target, options: append) { (t: Target) in { (_: Row, a: Int, b: Int) in t.sums.append(a + b) } }
    try proxy.register("3", target: target, Target.m3)
    try proxy.register("3", options: append) { (_: Row, a: Int, b: Int, c: Int) in target.sums.append(a + b + c) }
    try proxy.register("4", target: target, Target.m4)
    try proxy.register("4", options: append) { (_: AnyObject?, a: Int, b: Int, c: Int, d: Int) in target.sums.append(d) }
    proxy.send("0", source: row)
    proxy.send("1", source: row, 1)
    proxy.send("2", source: row, 1, 2)
    proxy.send("3", source: row, 1, 2, 3)
    proxy.send("4", source: row, 1, 2, 3, 4)
    for count in 0...4 { proxy.send(EventKey("\(count)"), source: row, arguments: (0..<count).map { .int($0 + 1) }) }
    let expected = [0, 0, 1, 1, 3, 3, 6, 6, 10, 4]
    expectEqual(target.sums, expected + expected)
  }
}

/// A proxy belongs to the actor in which it was made, and its handlers may use what that isolates.
@MainActor
@Suite(.measured) struct IsolatedHandlerTests {
  @MainActor
  private final class Screen {
    let proxy = EventProxy()
    var log: [String] = []

    init() throws {
      try proxy.register("reference", target: self, Screen.tapped)
      try proxy.register("target", target: self) { (screen: Screen) in { (row: Row?, index: Int) in screen.tapped(row, index) } }
      try proxy.register("closure") { [weak self] (row: Row?, index: Int) in self?.tapped(row, index) }
      try proxy.intercept("interceptor") { [weak self] _, _, _ in
        self?.log.append("intercepted")
        return .handled
      }
    }

    func tapped(_ row: Row?, _ index: Int) { log.append("\(index)") }
  }

  @Test("Handlers isolated to the main actor are registered and called there")
  func mainActor() async throws {
    let screen = try Screen()
    for key in ["reference", "target", "closure", "interceptor"] as [EventKey] {
      expectEqual(screen.proxy.send(key, source: nil, arguments: [.int(1)]).calls, 1)
    }
    screen.proxy.send("reference", source: nil, 2)
    expectEqual(screen.log, ["1", "1", "1", "intercepted", "2"])
  }
}
