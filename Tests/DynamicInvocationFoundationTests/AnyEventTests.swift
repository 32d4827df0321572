import EventRoutingFoundation
import Foundation
import TestSupport
import Testing

/// Events whose arguments are any values: the parameters decide what becomes of them.
@Suite(.measured) struct AnyEventTests {
  private let node = ResponderNode("node")

  private final class Log {
    var entries: [String] = []
  }

  @Test func aNumberIsAnObjectForAnObjectAndANumberForANumber() throws {
    let log = Log()
    let number = NSNumber(value: 7)
    try node.proxy.register("object") { (_: AnyObject?, n: NSNumber) in log.entries.append("\(n === number) \(n)") }
    try node.proxy.register("int8") { (_: AnyObject?, n: Int8) in log.entries.append("\(n)") }
    try node.proxy.register("double") { (_: AnyObject?, n: Double?) in log.entries.append("\(n as Any)") }
    for key in ["object", "int8", "double"] as [EventKey] { expectEqual(node.send(key, any: [number]).handledCount, 1) }
    expectEqual(log.entries, ["true 7", "7", "Optional(7.0)"])
    // A Swift number becomes the object that Foundation bridges it to.
    expectEqual(node.send("object", any: [8.5]).handledCount, 1)
    expectEqual(log.entries.last, "false 8.5")
    let outcome = node.send("int8", any: [NSNumber(value: 700)], rules: .strategy)
    expectEqual((outcome.firstError as? EventError)?.reason.code, .outOfRange)
    expectEqual((outcome.firstError as? EventError)?.reason.argument, .index(1))
    expect((node.send("int8", any: ["7"], rules: .strategy).firstError as? EventError)?.reason.code == .typeMismatch)
    expect((node.send("int8", any: [number, number], rules: .strategy).firstError as? EventError)?.reason.code == .countMismatch)
  }

  @Test func textsDictionariesAndClosuresNeedNoClassOfYours() throws {
    let log = Log()
    try node.proxy.register("text") { (_: AnyObject?, text: String) in log.entries.append(text) }
    try node.proxy.register("string") { (_: AnyObject?, text: NSString?) in log.entries.append("\(text?.length ?? -1)") }
    try node.proxy.register("info") { (_: AnyObject?, info: NSDictionary) in log.entries.append("\(info["id"] as? Int ?? 0)") }
    try node.proxy.register("done") { (_: AnyObject?, done: SwiftValue<(Int) -> Void>) in done.value(3) }
    expectEqual(node.send("text", any: ["größer"]).handledCount, 1)
    expectEqual(node.send("text", any: [NSString("text")]).handledCount, 1)
    expectEqual(node.send("string", any: ["größer"]).handledCount, 1)
    expectEqual(node.send("string", any: [nil]).handledCount, 1)
    expectEqual(node.send("string", any: [NSNull()]).handledCount, 1)
    let info: [String: Any] = ["id": 5, "title": "a"]
    expectEqual(node.send("info", any: [info]).handledCount, 1)
    let done = { (count: Int) -> Void in log.entries.append("done \(count)") }
    expectEqual(node.send("done", any: [done]).handledCount, 1)
    expectEqual(log.entries, ["größer", "text", "6", "-1", "-1", "5", "done 3"])
    expect((node.send("done", any: [info], rules: .strategy).firstError as? EventError)?.reason.code == .typeMismatch)
    expect((node.send("text", any: [done], rules: .strategy).firstError as? EventError)?.reason.code == .typeMismatch)
  }

  @Test func eachHandlerOfAKeyDecidesForItself() throws {
    let log = Log()
    let append = HandlerOptions(duplicates: .append)
    try node.proxy.register("k", options: append) { (_: AnyObject?, n: NSNumber, r: Geometry.Rect) in
      log.entries.append("object \(n) \(r.size.width)")
    }
    try node.proxy.register("k", options: append) { (_: AnyObject?, n: Int?, r: Geometry.Rect?) in log.entries.append("int \(n ?? 0)") }
    try node.proxy.intercept("k") { source, key, arguments in
      log.entries.append("\(key) \(arguments) \(source == nil)")
      return .handled
    }
    let value = NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4))
    let answer = node.proxy.send("k", source: nil, any: [NSNumber(value: 7), value])
    expect(answer.calls == 3 && answer.errors.isEmpty, "\(answer)")
    expectEqual(log.entries.suffix(2), ["object 7 3.0", "int 7"])
    expect(log.entries.first?.hasPrefix("k [7, ") == true && log.entries.first?.hasSuffix(" true") == true)
    let outcome = node.send("k", any: [NSNumber(value: 8), value])
    expect(outcome.handledCount == 1 && outcome.firstError == nil)
    expectEqual(node.send("k", source: nil, any: [1, CGRect.zero]).handledCount, 1)
  }

  @Test func methodsKnownAtRunTimeTakeThem() throws {
    final class Target {
      var numbers: [NSNumber?] = []
    }
    try MethodTable.of(Target.self).add("anyEventTestsTake(_:number:)") { (target: Target, _: ResponderNode?, number: NSNumber?) in
      target.numbers.append(number)
    }
    let target = Target()
    try node.proxy.register("k", target: target, selector: "anyEventTestsTake(_:number:)")
    let number = NSNumber(value: 2.5)
    node.send("k", any: [number])
    node.send("k", any: [nil])
    expect(target.numbers.count == 2 && target.numbers[0] === number && target.numbers[1] == nil)
  }

  /// A handler that takes a wrapped value, as a closure with and without a frame, and what it has received.
  private func register<Value>(_ key: EventKey, _ type: Value.Type, _ log: Log) throws {
    let append = HandlerOptions(duplicates: .append)
    try node.proxy.register(TypedEventKey(key), options: append) { (_: AnyObject?, value: SwiftValue<Value>) in
      log.entries.append("\(value.value)")
    }
    try node.proxy.register(TypedEventKey(key), options: append) { (_: AnyObject?, value: SwiftValue<Value>?) in
      log.entries.append(value.map { "\($0.value)" } ?? "nil")
    }
  }

  @Test func aWrappedValueIsOfTheTypeThatTheHandlerStates() throws {
    let date = Date(timeIntervalSince1970: 5)
    func check<Value>(_ type: Value.Type, _ given: Any, _ text: String) throws {
      let log = Log()
      let key = EventKey("\(Value.self)")
      try register(key, type, log)
      let outcome = node.send(key, any: [given])
      expect(outcome.errorCount == 0 && log.entries == [text, text], "\(type): \(outcome) \(log.entries)")
      let wrapped = SwiftValue(given)
      expect((node.send(key, any: [wrapped], rules: .strategy).firstError != nil) == (type != Any.self))
    }
    try check([String: Any].self, ["id": 7] as [String: Any], #"["id": 7]"#)
    try check([String: Int].self, ["id": 7] as NSDictionary, #"["id": 7]"#)
    try check([Int].self, [1, 2], "[1, 2]")
    try check([Any].self, [1, 2] as NSArray, "[1, 2]")
    try check(Set<Int>.self, Set([3]), "[3]")
    try check(String.self, "text", "text")
    try check(Substring.self, "text".prefix(2), "te")
    try check(Date.self, date, "\(date)")
    try check(Data.self, Data([1, 2]), "\(Data([1, 2]))")
    try check(URL.self, URL(fileURLWithPath: "/a"), "file:///a")
    try check(Int64.self, 7, "7")
    try check(Int8?.self, 7, "Optional(7)")
    try check(CGFloat.self, 7, "7.0")
    try check(Bool.self, true, "true")
    try check((Int, String).self, (1, "a"), #"(1, "a")"#)
    try check(Any.self, ["id": 7], #"["id": 7]"#)
    let log = Log()
    try node.proxy.register("none") { (_: AnyObject?, value: SwiftValue<[Int]>?) in log.entries.append("\(value == nil)") }
    for given in [nil, NSNull()] as [Any?] { expectEqual(node.send("none", any: [given]).handledCount, 1) }
    expectEqual(log.entries, ["true", "true"])
    let error = node.send("none", any: [["a": 1]], rules: .strategy).firstError as? EventError
    expect(error?.reason.code == .typeMismatch && "\(error as Any)".contains("SwiftValue<Array<Int>>"))
  }

  @Test func aWrappedValueIsOfTheTypeThatAMethodOrFunctionStates() async throws {
    final class Target {
      var seen: [String] = []
    }
    try MethodTable.of(Target.self).add("anyEventTestsShow(_:info:)") {
      (target: Target, _: ResponderNode?, info: SwiftValue<[String: Any]>) in
      target.seen.append("\(info.value)")
    }
    let target = Target()
    try node.proxy.register("method", target: target, selector: "anyEventTestsShow(_:info:)")
    expectEqual(node.send("method", any: [["id": 7] as [String: Any]]).handledCount, 1)
    expect(node.send("method", any: [["id": 8] as NSDictionary]).firstError == nil)
    // A parameter that no frame holds is beside it.
    try node.proxy.register("boxes") { (_: AnyObject?, n: Int?, info: SwiftValue<[Int]>) in
      target.seen.append("\(n ?? 0) \(info.value)")
    }
    expectEqual(node.send("boxes", any: [3, [1, 2]]).handledCount, 1)
    expectEqual(target.seen, [#"["id": 7]"#, #"["id": 8]"#, "3 [1, 2]"])
  }

  @Test func aValueIsBoxedForItsParameter() throws {
    try expectEqual(BoxedValue(7, for: "q").value(as: Int.self), 7)
    try expectEqual(BoxedValue(7, for: "@").value(as: NSNumber.self), 7)
    try expect(BoxedValue(NSNull(), for: "@").isNull)
    #expect(throws: InvocationError.self) { try BoxedValue({ () -> Void in }, for: "@") }
  }

  @Test func aDictionaryThatAnInterceptorDecoratesArrives() throws {
    let log = Log()
    let root = ResponderNode("root")
    root.addChild(node)
    let append = HandlerOptions(duplicates: .append)
    try MethodTable.of(Log.self).replace(
      "play:info:",
      Implementation { (log: Log, _: ResponderNode?, info: SwiftValue<[String: Any]>) in
        log.entries.append("method \(info.value.count)")
      })
    try root.proxy.register("play", options: append) { (_: AnyObject?, info: SwiftValue<[String: Any]>) in
      log.entries.append("value \(info.value["track"] as? Int ?? 0) \(info.value["volume"] as? Int ?? 0)")
    }
    try root.proxy.register("play", options: append) { (_: AnyObject?, info: SwiftValue<[String: Int]>?) in
      log.entries.append("optional \(info?.value.count ?? 0)")
    }
    try root.proxy.register("play", options: append) { (_: AnyObject?, info: NSDictionary) in log.entries.append("object \(info.count)") }
    try root.proxy.register("play", target: log, selector: "play:info:", options: append)
    try root.proxy.register("wrong") { (_: AnyObject?, info: SwiftValue<[Int]>) in log.entries.append("wrong") }
    try node.proxy.intercept("play") { _, key, arguments in
      var info = try arguments.value(at: 0, as: SwiftValue<[String: Any]>.self).value
      info["volume"] = 3
      let changed: AnyObject = info["track"] as? Int == 4 ? SwiftValue(info) : NSMutableDictionary(dictionary: info)
      return .resend(key, [.object(changed)])
    }
    for (track, expected) in [(5, ["value 5 3", "optional 2", "object 2", "method 2"]), (4, ["value 4 3"])] {
      log.entries = []
      var rules = RoutingRules.strategy
      rules.continuesWhenHandled = true
      let outcome = EventLog.withLogger(nil) { node.send("play", any: [["track": track] as [String: Any]], rules: rules) }
      expectEqual(Array(log.entries.prefix(expected.count)), expected)
      // A wrapper of another type and no bridged object stay errors.
      if track == 5 { expect(outcome.firstError == nil) } else { expect(outcome.firstError != nil) }
    }
    try node.proxy.intercept("wrong") { _, key, arguments in .resend(key, arguments) }
    let outcome = EventLog.withLogger(nil) { node.send("wrong", any: [["track": 1]], rules: .strategy) }
    expect((outcome.firstError as? EventError)?.reason.code == .typeMismatch && !log.entries.contains("wrong"))
    expect((try? BoxedValue.object(SwiftValue(1)).value(as: SwiftValue<Any>.self)) == nil)
  }
}
