import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Who may handle an event, and what registering refuses.
@Suite(.measured) struct RegistrationTests {
  private let proxy = EventProxy()
  private let row = Row()

  @Test("A key without a handler calls nothing, and an empty name is a key (E1.1, E1.3)") func unknownKey() throws {
    expect(proxy.send("nobody", source: row, arguments: [.int(1)]).isUnhandled && !proxy.handles("nobody"))
    try proxy.register("") { (_: Row?) in }
    expect(proxy.handles("") && proxy.send("Nobody", source: row).isUnhandled)
    expectEqual(proxy.send("", source: row).calls, 1)
  }

  @Test("Equal names are the same key, which gives its name (E1.1)") func keys() {
    let literal: EventKey = "row.tapped"
    expectEqual(literal, EventKey(["row", "tapped"].joined(separator: ".")))
    expect(literal != "row.Tapped" && Set<EventKey>(["a", "b", "a"]).count == 2)
    expectEqual([EventKey("größer").name, "\(EventKey(""))", EventKey(" ").name], ["größer", "", " "])
  }

  @Test("The source is argument 0, and nil when there is none (E8.1)") func source() throws {
    var sources: [AnyObject?] = []
    try proxy.register("any") { (source: AnyObject?) in sources.append(source) }
    try proxy.register("row") { (source: Row?, _: Int) in sources.append(source) }
    proxy.send("any", source: row)
    proxy.send("any", source: nil, arguments: [])
    proxy.send("row", source: row, arguments: [.int(1)])
    proxy.send("row", source: nil, 1)
    expectEqual(sources.map { $0.map(ObjectIdentifier.init) }, [ObjectIdentifier(row), nil, ObjectIdentifier(row), nil])
    let handlers = try CHandlers(.clang)
    try proxy.register("c", handlers.handler("h_q", "v@q"))
    proxy.send("c", source: nil, arguments: [.int(1)])
    expectEqual(try handlers.source, nil)
  }

  @Test("A handler whose source is no optional takes no event without one, nor one of another class (E8.2)")
  func requiredSource() throws {
    var calls = 0
    try proxy.register("e") { (_: Row, _: Int) in calls += 1 }
    for answer in [proxy.send("e", source: nil, arguments: [.int(1)]), proxy.send("e", source: nil, 1)] {
      expect(answer.code == .nullNotAllowed && answer.failure?.reason.argument == .index(0))
    }
    expectEqual(proxy.send("e", source: Stranger(), 1).code, .typeMismatch)
    expectEqual(calls, 0)
    expectEqual([proxy.send("e", source: SpecialRow(), 1), proxy.send("e", source: row, arguments: [.int(1)])].map(\.calls), [1, 1])
    expectEqual(calls, 2)
  }

  private final class KnownTarget {}

  @Test("An unknown method is an error of the registration, with the nearest names, and harms no other (E8.4)")
  func unknownMethod() throws {
    try MethodTable.of(KnownTarget.self).replace("tapped(_:)", Implementation { (_: KnownTarget, _: Row?) in })
    let error = refusal { try proxy.register("e", target: KnownTarget(), selector: "taped(_:)") }
    expect(error?.code == .unrecognizedSelector && error?.candidates.first == "tapped(_:)" && proxy.keys.isEmpty)
    let target = KnownTarget()
    for (key, selector) in [("a", "tapped(_:)"), ("b", "unknown"), ("c", "tapped(_:)")] {
      _ = try? proxy.register(EventKey(key), target: target, selector: MethodSelector(selector))
    }
    expectEqual(["a", "b", "c", "d"].map { proxy.send(EventKey($0), source: row, arguments: []).calls }, [1, 0, 1, 0])
  }

  @Test("A method that is changed later is looked up again, and one that is removed is an error (E8.5)")
  func changedMethod() throws {
    final class Target {}
    let table = MethodTable.of(Target.self)
    var log: [String] = []
    nonisolated(unsafe) let note: (String) -> Void = { log.append($0) }
    try table.add("handle", Implementation { (_: Target, _: Row?, value: Int) in note("int \(value)") })
    let target = Target()
    func send(_ arguments: BoxedValue...) -> EventProxy.Outcome { proxy.send("e", source: row, arguments: arguments) }
    try proxy.register("e", target: target, selector: "handle")
    expectEqual(send(.int(1)).calls, 1)
    try table.replace("handle", Implementation { (_: Target, _: Row?, value: Double, more: Bool) in note("double \(value) \(more)") })
    expectEqual(send(.int(1)).code, .countMismatch)
    expectEqual(send(.int(1), true).calls, 1)
    table.remove("handle")
    expectEqual([send(.int(1), true), send(.int(1), true)].map(\.code), [.unrecognizedSelector, .unrecognizedSelector])
    expectEqual(log, ["int 1", "double 1.0 true"])
  }

  @Test("A handler without parameters, or whose first is no object, is refused (E8.3)") func noSource() throws {
    let handlers = try CHandlers(.gcc)
    for types in ["v", "vq", "v@:", "v@:q"] {
      expect(refusal { try proxy.register("e", handlers.handler("h_q", types), target: row) } != nil, types)
    }
    expect(refusal { try proxy.register("e", Implementation(handlers.handler("h_q", "v@q").pointer)) } != nil)
    expect(refusal { try proxy.register("e", handlers.handler("m_event", "v@:@@q{R=dddd}@")) } != nil)
    expect(proxy.keys.isEmpty)
  }

  @Test("A method made for a class is not registered with a target of another, nor is an invocation's")
  func targetClass() throws {
    let implementation = try Implementation { (_: Controller, _: Row?) in }
    expect(refusal { try proxy.register("e", implementation, target: Stranger()) } != nil)
    let invocation = Invocation(try MethodSignature(types: "v@:@"))
    invocation.target = Stranger()
    invocation.selector = "event"
    invocation.implementation = implementation
    expect(refusal { try proxy.register("e", invocation) } != nil)
    try proxy.register("e", implementation, target: Controller(), options: HandlerOptions(holding: .strong))
    expectEqual(proxy.send("e", source: row, arguments: []).calls, 1)
  }

  /// A class whose objects are passed as sources.
  private final class AnyPage: EncodedObject {}

  @Test("The types of an invocation need not have the names of structs and the pointees of the method's (E8.8)")
  func invocationsOfOtherNames() throws {
    final class Page {
      var calls: [String] = []
    }
    let table = MethodTable.of(Page.self)
    try table.replace(
      "tapped(_:_:)", Implementation { (page: Page, _: AnyPage?, rect: Geometry.Rect) in page.calls.append("\(rect.size.width)") })
    try table.replace("drawn(_:_:)", Implementation { (page: Page, _: AnyPage?, _: UnsafeMutableRawPointer) in page.calls.append("drawn") })
    let page = Page()
    func invocation(_ selector: MethodSelector, _ types: String) throws -> Invocation {
      let invocation = Invocation(try MethodSignature(types: types))
      invocation.target = page
      invocation.selector = selector
      return invocation
    }
    for (selector, types) in [
      ("tapped(_:_:)", "v@:@{CGRect={CGPoint=dd}{CGSize=dd}}"), ("tapped(_:_:)", "v@:@{?={?=dd}{?=dd}}"),
      ("drawn(_:_:)", "v@:@^{CGContext=}"),
    ] as [(MethodSelector, String)] {
      try proxy.register("names", invocation(selector, types), options: HandlerOptions(duplicates: .replace))
      var memory = 0
      let answer = withUnsafeMutableBytes(of: &memory) { bytes in
        let rect = BoxedValue.rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
        return proxy.send("names", source: nil, arguments: [selector == "drawn(_:_:)" ? .pointer(bytes.baseAddress!) : rect])
      }
      expect(answer.errors.isEmpty, types)
    }
    expectEqual(page.calls, ["3.0", "3.0", "drawn"])
    // Other types are refused, as by a message.
    for types in ["v@:@{CGSize=dd}", "v@:@{?=ff}", "v@:@", "v@:@{CGRect={CGPoint=dd}{CGSize=dd}}q"] {
      let invocation = try invocation("tapped(_:_:)", types)
      expectEqual(refusal { try proxy.register("types", invocation) }?.code, .typeMismatch, types)
      expect(refusal { try invocation.invoke() } != nil, types)
    }
  }

  @Test("A class without methods, and a key with a handler, are told with the way (E8.4, E8.9)") func ways() throws {
    final class Silent {}
    expectEqual(
      refusal { try proxy.register("w", target: Silent(), selector: "foo(_:)") }?.description,
      "Silent does not respond to 'foo(_:)'; give it methods with MethodTable.add or @Invocable")
    try proxy.register("w") { (_: AnyObject?) in }
    let second = refusal { try proxy.register("w") { (_: AnyObject?) in } }
    expect(second?.code == .duplicateHandler && second?.reason.contains("duplicates: .append") == true)
  }

  @Test("An invocation gives target, selector and implementation, and is not changed (E8.8)") func invocation() throws {
    let handlers = try CHandlers(.gcc)
    let target = Controller()
    let invocation = Invocation(try MethodSignature(types: "v@:@@q{R=dddd}@"))
    for set in [{ invocation.target = target }, { invocation.selector = "event" }, {}] {
      expect(refusal { try proxy.register("e", invocation) } != nil)
      set()
    }
    invocation.implementation = try handlers.handler("m_event", "v@:@@q{R=dddd}@")
    try invocation.setArgument(5, at: 4)
    try proxy.register("e", invocation)
    expectEqual(proxy.send("e", source: row, arguments: [.object(row), .int(9), .rect(Geometry.Rect()), nil]).calls, 1)
    expectEqual([try "\(handlers.integer)", try handlers.text, "\(try invocation.argument(at: 4, as: Int.self))"], ["9", "event", "5"])
    let plain = Invocation(try MethodSignature(types: "v@q"))
    expect(!invocation.hasReturnValue && refusal { try proxy.register("p", plain) } != nil)
    plain.implementation = try handlers.handler("h_q", "v@q")
    try proxy.register("p", plain)
    expectEqual(proxy.send("p", source: row, arguments: [.int(4)]).calls, 1)
  }

  @Test("A method registered by its name is called on the target that was given (E8.6, E8.7)")
  func methodReference() throws {
    let controller = Controller()
    try proxy.register("tapped", target: controller, Controller.tapped)
    try proxy.register("plain", target: controller, Controller.plain)
    try proxy.register("failing", target: controller, Controller.failing)
    let failing = proxy.send("failing", source: row, 5)
    let answers = [
      proxy.send("tapped", source: row, 3), proxy.send("tapped", source: nil, arguments: [.int(4)]), proxy.send("plain", source: row),
      failing,
    ]
    expectEqual(answers.map(\.calls), [1, 1, 1, 1])
    expectEqual(failing.errors.first as? Refusal, Refusal(index: 5))
    expectEqual(controller.log, ["tapped row 3", "tapped nil 4", "plain"])
  }

  @Test("Handlers are listed in order, with what they are")
  func listing() throws {
    try proxy.register("b", target: Controller(), options: HandlerOptions(holding: .strong), Controller.tapped)
    try proxy.register("a", options: HandlerOptions(priority: -1)) { (_: Row?) in }
    try proxy.register("a", options: HandlerOptions(priority: 1, isOnce: true, duplicates: .append)) { (_: Row?, _: Geometry.Rect) in }
    try proxy.intercept("a") { _, _, _ in .ignored }
    expectEqual(proxy.keys, ["b", "a"])
    expectEqual(proxy.registrations(for: "a").map(\.options.priority), [1, 0, -1])
    let handlers = proxy.registrations(for: "a").map(\.handler)
    expectEqual(handlers.map(\.kind), [.closure, .interceptor, .closure])
    expectEqual(handlers.map { $0.argumentTypes?.map(\.description) }, [["{Rect={Point=dd}{Size=dd}}"], nil, []])
    expect(proxy.registrations(for: "b")[0].handler.name == "closure of Controller" && handlers[0].description.contains("once"))
    proxy.removeHandlers(for: "a")
    expectEqual(proxy.keys, ["b"])
    proxy.removeAllHandlers()
    expect(proxy.keys.isEmpty && proxy.registrations.isEmpty)
  }

  @Test("More than 60 arguments are refused")
  func limits() throws {
    let handlers = try CHandlers(.gcc)
    try proxy.register("most", handlers.handler("h_q", "v@" + String(repeating: "q", count: 60)))
    expectEqual(proxy.send("most", source: row, arguments: Array(repeating: .int(3), count: 60)).calls, 1)
    expectEqual(try handlers.integer, 3)
    expect(refusal { try proxy.register("more", handlers.handler("h_q", "v@" + String(repeating: "q", count: 61))) } != nil)
  }
}
