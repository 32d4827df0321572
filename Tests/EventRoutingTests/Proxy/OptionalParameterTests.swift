import EventRouting
import TestSupport
import Testing

/// Parameters that are optionals, of types with a null in C and of those without.
@Suite(.measured) struct OptionalParameterTests {
  private struct Pair: EncodedValue, Equatable {
    var tag: Int32
    var weight: Double
    static let typeEncoding: TypeEncoding = "{Pair=id}"
  }

  private final class Screen {
    var log: [String] = []
    func scrolled(_ row: Row?, _ offset: Double?) { log.append("\(offset as Any)") }
    func tapped(_ row: Row, _ index: Int?) -> EventReply {
      log.append("\(index as Any)")
      return .handledAndContinue
    }
  }

  private let proxy = EventProxy()
  private let row = Row()

  @Test("For an optional parameter null is nil, and a value is converted (E9.7)")
  func nullIsNilAndAValueIsConverted() throws {
    var log: [String] = []
    try proxy.register("e") { (_: Row?, a: Int?, b: Double?, c: Bool?, d: Int8?) in
      log.append("\([a as Any, b as Any, c as Any, d as Any])")
    }
    try proxy.register("structs") { (_: Row?, e: Geometry.Rect?, f: Pair?) in
      log.append("\(e == nil) \(f == nil) \(e?.origin.x ?? 0) \(f?.weight ?? 0)")
    }
    let pair = try Pair(tag: 1, weight: 2.5).boxed()
    let answers = [
      proxy.send("e", source: row, arguments: [nil, nil, nil, nil]), proxy.send("structs", source: row, arguments: [nil, nil]),
      proxy.send("e", source: row, arguments: [.double(3), .int(4), true, .int(-5)]),
      proxy.send("structs", source: row, arguments: [.rect(Geometry.Rect(x: 6, y: 0, width: 0, height: 0)), pair]),
    ]
    expectEqual(answers.map { "\($0)" }, Array(repeating: "1 handler called: handled", count: 4))
    let converted = "[Optional(3), Optional(4.0), Optional(true), Optional(-5)]"
    expectEqual(log, ["[nil, nil, nil, nil]", "true true 0.0 0.0", converted, "false false 6.0 2.5"])
    // One argument out of eight boxes that are not in an array.
    try proxy.register("one") { (_: Row?, n: UInt16?) in log.append("\(n as Any)") }
    proxy.send("one", source: row, boxed: nil)
    proxy.send("one", source: row, boxed: 7)
    expectEqual(log.suffix(2), ["nil", "Optional(7)"])
  }

  @Test func optionalsOfObjectsTextsAndPointers() throws {
    var log: [String] = []
    try proxy.register("e") { (_: Row?, object: Row?, text: String?, pointer: UnsafeRawPointer?, n: Int?) in
      log.append("\(object != nil) \(text ?? "nil") \(pointer == nil) \(n ?? -1)")
    }
    try proxy.register("framed") { (_: Row?, object: Row?, text: String?) in log.append("\(object != nil) \(text ?? "nil")") }
    expectEqual(proxy.send("e", source: nil, arguments: [nil, nil, nil, nil]).calls, 1)
    expectEqual(proxy.send("e", source: nil, arguments: [.object(row), "größer", nil, 3]).calls, 1)
    expectEqual(proxy.send("framed", source: nil, arguments: [nil, nil]).calls, 1)
    expectEqual(proxy.send("framed", source: nil, arguments: [.object(row), "text"]).calls, 1)
    expectEqual(log, ["false nil true -1", "true größer true 3", "false nil", "true text"])
    let failure = try #require(proxy.send("e", source: nil, arguments: [.object(Stranger()), nil, nil, nil]).failure)
    expect(failure.reason.code == .typeMismatch && failure.reason.argument == .index(1))
  }

  @Test func whatDoesNotFitIsAnErrorOfTheArgument() throws {
    try proxy.register("e") { (_: Row?, a: Int8?, b: Int) in }
    for (arguments, code, index) in [
      ([.int(128), .int(0)], InvocationError.Code.outOfRange, 1), ([.double(0.5), .int(0)], .inexact, 1),
      (["text", .int(0)], .typeMismatch, 1), ([nil, nil], .nullNotAllowed, 2),
    ] as [([BoxedValue], InvocationError.Code, Int)] {
      let failure = try #require(proxy.send("e", source: row, arguments: arguments).failure)
      expect(failure.reason.code == code && failure.reason.argument == .index(index), "\(arguments)")
    }
    for count in [0, 1, 3] {
      expectEqual(proxy.send("e", source: row, arguments: Array(repeating: .int(1), count: count)).failure?.reason.code, .countMismatch)
    }
    expectEqual(proxy.registrations(for: "e").map(\.handler.description), ["e: closure (c?, q)"])
    expectEqual(proxy.registrations(for: "e").first?.handler.argumentTypes?.map(\.description), ["c", "q"])
  }

  @Test func typedEventsMeetOptionals() throws {
    let key: TypedEventKey<Int?> = "e"
    var log: [Int?] = []
    try proxy.register(key) { (_: Row?, n: Int?) in log.append(n) }
    proxy.send(key, source: row, nil)
    proxy.send(key, source: row, 3)
    // The types differ, and so each is converted as a box would be.
    proxy.send("e", source: row, 4)
    proxy.send("e", source: row, 5.0)
    expectEqual(log, [nil, 3, 4, 5])
    try proxy.register("plain") { (_: Row?, n: Int) in log.append(n) }
    let plain: TypedEventKey<Int?> = "plain"
    expectEqual(proxy.send(plain, source: row, 6).calls, 1)
    expectEqual(log.last, 6)
    expectEqual(proxy.send(plain, source: row, nil).failure?.reason.code, .nullNotAllowed)
    let node = ResponderNode("node")
    node.eventProxy = proxy
    expect(node.send(key, source: row, nil).handledCount == 1 && log.last == .some(nil))
    expectEqual(node.send("e", source: nil, arguments: [nil]).handledCount, 1)
    expect((node.send("e", source: nil).firstError as? EventError)?.reason.code == .countMismatch)
    // An argument that is nil is one; without `argument:` there is none.
    try proxy.register("from.node") { (_: ResponderNode?, n: Int?) in log.append(n) }
    expect(node.send("from.node", arguments: [nil]).handledCount == 1 && log.last == .some(nil))
    expectEqual((node.send("from.node").firstError as? EventError)?.reason.code, .countMismatch)
  }

  @Test func everyFormOfRegisteringTakesThem() throws {
    let screen = Screen()
    try proxy.register("scrolled", target: screen, Screen.scrolled)
    try proxy.register("tapped", target: screen, Screen.tapped)
    try proxy.register("closure", target: screen) { (screen: Screen) in { (_: Row?, n: Float?) in screen.log.append("\(n as Any)") } }
    try proxy.register("source") { (_: Row, n: Int?) in screen.log.append("source") }
    proxy.send("scrolled", source: nil, arguments: [nil])
    proxy.send("tapped", source: row, arguments: [7])
    proxy.send("closure", source: row, arguments: [0.5])
    expectEqual(screen.log, ["nil", "Optional(7)", "Optional(0.5)"])
    expectEqual(proxy.send("source", source: nil, arguments: [nil]).failure?.reason.argument, .index(0))
    expectEqual(proxy.send("source", source: SpecialRow(), arguments: [nil]).calls, 1)
    // Once, weak and beside others: the long way.
    let options = HandlerOptions(isOnce: true, duplicates: .append)
    try proxy.register("source", options: options) { (_: Row?, n: Int?) in screen.log.append("once \(n ?? 0)") }
    proxy.send("source", source: row, arguments: [1])
    proxy.send("source", source: row, arguments: [2])
    expectEqual(screen.log.suffix(3), ["source", "once 1", "source"])
    let key: TypedEventKey<(Int?, Int?, Int?, Int?)> = "four"
    var sums: [Int] = []
    try proxy.register(key) { (_: Row?, a: Int?, b: Int?, c: Int?, d: Int?) in
      sums.append([a, b, c, d].reduce(0) { 10 * $0 + ($1 ?? 0) })
    }
    proxy.send("four", source: row, arguments: [1, nil, 3, 4])
    proxy.send(key, source: row, 1, nil, nil, 4)
    expectEqual(sums, [1034, 1004])
  }

  @Test func argumentsAreReadAsSwiftTypes() throws {
    let arguments: [BoxedValue] = [
      .int(7), .null, "text", .object(row), .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)), .double(0.5),
    ]
    try expectEqual(arguments.value(at: 0, as: Int8.self), 7)
    try expectEqual(arguments.value(at: 0, as: Double.self), 7)
    try expect(arguments.value(at: 1, as: Int?.self) == nil)
    try expectEqual(arguments.value(at: 0, as: UInt?.self), 7)
    try expectEqual(arguments.value(at: 2, as: String.self), "text")
    try expect(arguments.value(at: 3, as: Row.self) === row)
    try expectEqual(arguments.value(at: 4, as: Geometry.Rect.self), Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
    let inferred: Float = try arguments.value(at: 5)
    expectEqual(inferred, 0.5)
    for (code, read) in [
      (.indexOutOfRange, { _ = try arguments.value(at: 6, as: Int.self) }),
      (.indexOutOfRange, { _ = try arguments.value(at: -1, as: Int.self) }),
      (.nullNotAllowed, { _ = try arguments.value(at: 1, as: Int.self) }), (.inexact, { _ = try arguments.value(at: 5, as: Int.self) }),
      (.typeMismatch, { _ = try arguments.value(at: 3, as: Stranger.self) }),
      (.typeMismatch, { _ = try arguments.value(at: 2, as: Int.self) }),
      (.nullNotAllowed, { _ = try arguments.value(at: 1, as: Row.self) }),
    ] as [(InvocationError.Code, () throws -> Void)] {
      #expect { try read() } throws: { ($0 as? InvocationError)?.code == code }
    }
    let error = #expect(throws: InvocationError.self) { try arguments.value(at: 5, as: Int.self) }
    expectEqual(error?.argument, .index(5))
  }

  @Test func anySwiftValueTravelsInAnObject() throws {
    var log: [String] = []
    try proxy.register("done") { (_: Row?, done: SwiftValue<(Int) -> Void>) in done.value(3) }
    try proxy.register("info") { (_: Row?, info: SwiftValue<[String: Int]>?) in log.append("\(info?.value["a"] ?? 0)") }
    let done = SwiftValue { (count: Int) in log.append("done \(count)") }
    expectEqual(proxy.send("done", source: row, arguments: [.object(done)]).calls, 1)
    expectEqual(proxy.send("done", source: row, done).calls, 1)
    expectEqual(proxy.send("info", source: row, arguments: [.object(SwiftValue(["a": 5]))]).calls, 1)
    expectEqual(proxy.send("info", source: row, arguments: [nil]).calls, 1)
    expectEqual(log, ["done 3", "done 3", "5", "0"])
    expectEqual(proxy.send("info", source: row, arguments: [.object(done)]).failure?.reason.code, .typeMismatch)
    expectEqual("\(done)", "SwiftValue<(Int) -> ()>")
  }
}
