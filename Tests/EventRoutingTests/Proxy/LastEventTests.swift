import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// The last event of a key, and handlers that are registered after it.
@Suite(.measured) struct LastEventTests {
  private let late = HandlerOptions(duplicates: .append, receivesLast: true)

  @Test("A handler that asks for it receives the last event within its registration, typed, boxed and by a method (E22.1, E22.2)")
  func lateHandlers() throws {
    final class Target {
      var values: [Int] = []
    }
    let proxy = EventProxy()
    let (row, target) = (Row(), Target())
    try MethodTable.of(Target.self).replace("take", Implementation { (target: Target, _: Row?, value: Int) in target.values.append(value) })
    proxy.keepLast("e")
    var seen: [String] = []
    // Nothing was sent yet.
    try proxy.register("e", options: late) { (_: Row?, value: Int) in seen.append("first \(value)") }
    expect(seen.isEmpty && proxy.last("e") == nil)
    proxy.send("e", source: row, 3)
    proxy.send("e", source: row, arguments: [.int(4)])
    expect(seen == ["first 3", "first 4"] && proxy.last("e")?.source === row)
    try expectEqual(proxy.last("e")?.arguments.value(at: 0, as: Int.self), 4)
    try proxy.register("e", options: late) { (source: Row, value: Int) in seen.append("second \(value) \(source === row)") }
    try proxy.register("e", target: target, selector: "take", options: late)
    try proxy.intercept("e", options: late) { source, key, arguments in
      seen.append("interceptor \(key) \(arguments.count)")
      return .handledAndStop(.pass)
    }
    // One that does not ask does not receive it.
    try proxy.register("e", options: HandlerOptions(duplicates: .append)) { (_: Row?, value: Int) in seen.append("quiet") }
    expect(seen.suffix(2) == ["second 4 true", "interceptor e 1"] && target.values == [4])
    // The other handlers were not called.
    expectEqual(seen.count, 4)
  }

  @Test("Objects are retained, the source is not, and what is replaced is released (E22.3)") func lifetime() throws {
    final class Item {}
    let proxy = EventProxy()
    proxy.keepLast("e")
    weak var item: Item?
    weak var source: Row?
    do {
      let (here, row) = (Item(), Row())
      (item, source) = (here, row)
      proxy.send("e", source: row, arguments: [.object(here), .string("text")])
    }
    expect(item != nil && source == nil)
    expect(proxy.last("e")?.source == nil && proxy.last("e")?.arguments.count == 2)
    proxy.send("e", source: nil, arguments: [])
    expect(item == nil && proxy.last("e")?.arguments.isEmpty == true)
  }

  @Test("An event with a pointer is not kept, and has an error; the one before it stays (E22.3)") func pointers() throws {
    let proxy = EventProxy()
    proxy.keepLast("e")
    proxy.send("e", source: nil, 1)
    var number: Int32 = 0
    try EventLog.withLogger(nil) {
      let answer = unsafe withUnsafePointer(to: &number) { unsafe proxy.send("e", source: nil, arguments: [.int(2), .pointer($0)]) }
      let error = try #require(answer.errors.first as? InvocationError)
      expect(error.code == .unsupportedType && error.argument == .index(2) && error.reason.contains("not kept"))
      let inside = try EncodedBytes("{P=i^i}", bytes: Array(repeating: 0, count: 16))
      expectEqual(proxy.send("e", source: nil, arguments: [.value(inside)]).errors.count, 1)
      expect(
        proxy.send("e", source: nil, arguments: [.value(try EncodedBytes("{P=ii}", bytes: Array(repeating: 0, count: 8)))]).errors.isEmpty)
    }
    expectEqual(proxy.last("e")?.arguments.count, 1)
  }

  @Test("An event with a value of more than 4,194,304 bytes is not kept (E22.3)") func sizes() throws {
    let proxy = EventProxy()
    proxy.keepLast("e")
    func send(_ count: Int) throws -> InvocationError? {
      let bytes = try EncodedBytes(TypeEncoding("{B=[\(count)C]}"), bytes: Array(repeating: 0, count: count))
      return EventLog.withLogger(nil) { proxy.send("e", source: nil, arguments: [.value(bytes)]).errors.first as? InvocationError }
    }
    let most = 1 << 22
    try expect(send(most) == nil && send(most + 1)?.code == .limitExceeded)
    guard case .value(let kept)? = proxy.last("e")?.arguments.first else { return #expect(Bool(false)) }
    expectEqual(kept.encoding.size, most)
  }

  @Test("Errors of a late handler are logged, one that runs once ends, and an asynchronous one is started (E22.2)") @MainActor
  func kinds() async throws {
    let proxy = EventProxy()
    proxy.keepLast("e")
    proxy.send("e", source: nil, 5)
    let lines = LogLines()
    try EventLog.withLogger(lines.logger()) {
      try proxy.register("e", options: late) { (_: AnyObject?, _: Int) throws in throw Failure() }
      try proxy.register("e", options: late) { (_: AnyObject?, _: String) in }
      try proxy.register("e", options: late) { (_: Row, _: Int) in }
    }
    expect(lines.all.count == 3 && lines.all[0].contains("threw Failure") && lines.all[1].contains("a handler was not called"))
    let once = try proxy.register("e", options: HandlerOptions(isOnce: true, duplicates: .append, receivesLast: true)) {
      (_: AnyObject?, value: Int) in expectEqual(value, 5)
    }
    expect(!once.isActive)
    var values: [Int] = []
    try proxy.register("e", options: late) { (_: AnyObject?, value: Int) async in
      await Task.yield()
      values.append(value)
    }
    while values.isEmpty { await Task.yield() }
    expectEqual(values, [5])
    // A handler that is not added receives nothing.
    let kept = HandlerOptions(duplicates: .keepFirst, receivesLast: true)
    try expect(!proxy.register("e", options: kept) { (_: AnyObject?, _: Int) in values.append(0) }.isActive && values == [5])
  }

  @Test("Late handlers that register others are nested as deep as sends are; the next is registered and not called (E22.4)")
  func nesting() throws {
    let proxy = EventProxy()
    proxy.keepLast("e")
    proxy.send("e", source: nil, 1)
    var calls = 0
    func register() throws {
      try proxy.register("e", options: late) { (_: AnyObject?, _: Int) in
        calls += 1
        try register()
      }
    }
    let lines = LogLines()
    try EventLog.withLogger(lines.logger()) { try register() }
    let limit = RoutingRules.defaultDepthLimit
    expect(calls == limit && proxy.registrations(for: "e").count == limit + 2)
    expect(lines.all.count == 1 && lines.all[0].contains("the last event of \"e\" was not delivered"))
    calls = 0
    try EventLog.withLogger(nil) { try register() }
    expectEqual(calls, limit)
    proxy.removeAllHandlers()
  }
}
