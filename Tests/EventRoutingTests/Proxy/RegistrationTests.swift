import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Who may handle an event, and what registering refuses.
@Suite(.measured) struct RegistrationTests {
  private let proxy = EventProxy()
  private let row = Row()

  @Test("A key without a handler calls nothing, and an empty name is a key (E1.1, E1.3)") func unknownKey() throws {
    #expect(proxy.send("nobody", source: row, arguments: [.int(1)]).isUnhandled)
    #expect(!proxy.handles("nobody"))
    try proxy.register("") { (_: Row?) in }
    #expect(proxy.handles(""))
    #expect(proxy.send("", source: row).calls == 1)
    #expect(proxy.send("Nobody", source: row).isUnhandled)
  }

  @Test("The source is argument 0, and nil when there is none (E8.1)") func source() throws {
    var sources: [AnyObject?] = []
    try proxy.register("any") { (source: AnyObject?) in sources.append(source) }
    try proxy.register("row") { (source: Row?, _: Int) in sources.append(source) }
    proxy.send("any", source: row)
    proxy.send("any", source: nil, arguments: [])
    proxy.send("row", source: row, arguments: [.int(1)])
    proxy.send("row", source: nil, 1)
    #expect(sources.map { $0 === row } == [true, false, true, false])
    #expect(sources[1] == nil && sources[3] == nil)
    let handlers = try CHandlers(.clang)
    try proxy.register("c", handlers.handler("h_q", "v@q"))
    proxy.send("c", source: nil, arguments: [.int(1)])
    #expect(try handlers.source == nil)
  }

  @Test("A handler whose source is no optional takes no event without one, nor one of another class (E8.2)")
  func requiredSource() throws {
    var calls = 0
    try proxy.register("e") { (_: Row, _: Int) in calls += 1 }
    for answer in [proxy.send("e", source: nil, arguments: [.int(1)]), proxy.send("e", source: nil, 1)] {
      #expect(answer.failure?.reason.code == .nullNotAllowed)
      #expect(answer.failure?.reason.argument == .index(0))
    }
    #expect(proxy.send("e", source: Stranger(), 1).failure?.reason.code == .typeMismatch)
    #expect(calls == 0)
    #expect(proxy.send("e", source: SpecialRow(), 1).calls == 1)
    #expect(proxy.send("e", source: row, arguments: [.int(1)]).calls == 1)
    #expect(calls == 2)
  }

  @Test("An unknown method is an error of the registration, with the nearest names (E8.4)")
  func unknownMethod() throws {
    try MethodTable.of(KnownTarget.self).replace("tapped(_:)", Implementation { (_: KnownTarget, _: Row?) in })
    do {
      try proxy.register("e", target: KnownTarget(), selector: "taped(_:)")
      Issue.record("it was registered")
    } catch {
      #expect(error.code == .unrecognizedSelector)
      #expect(error.candidates.first == "tapped(_:)")
    }
    #expect(proxy.keys.isEmpty)
    // Another entry is not harmed.
    let target = KnownTarget()
    try proxy.register("e", target: target, selector: "tapped(_:)")
    #expect(proxy.send("e", source: row, arguments: []).calls == 1)
  }

  private final class KnownTarget {}

  @Test("A method that is changed later is looked up again, and one that is removed is an error (E8.5)")
  func changedMethod() throws {
    final class Target {}
    let table = MethodTable.of(Target.self)
    var log: [String] = []
    nonisolated(unsafe) let note: (String) -> Void = { log.append($0) }
    try table.add("handle", Implementation { (_: Target, _: Row?, value: Int) in note("int \(value)") })
    let target = Target()
    try proxy.register("e", target: target, selector: "handle")
    #expect(proxy.send("e", source: row, arguments: [.int(1)]).calls == 1)
    try table.replace("handle", Implementation { (_: Target, _: Row?, value: Double, more: Bool) in note("double \(value) \(more)") })
    #expect(proxy.send("e", source: row, arguments: [.int(1)]).failure?.reason.code == .countMismatch)
    #expect(proxy.send("e", source: row, arguments: [.int(1), true]).calls == 1)
    table.remove("handle")
    for _ in 0..<2 { #expect(proxy.send("e", source: row, arguments: [.int(1), true]).failure?.reason.code == .unrecognizedSelector) }
    #expect(log == ["int 1", "double 1.0 true"])
  }

  @Test("A handler without parameters, or whose first is no object, is refused (E8.3)") func noSource() throws {
    let handlers = try CHandlers(.gcc)
    for types in ["v", "vq", "v@:", "v@:q"] {
      #expect(throws: InvocationError.self) { try proxy.register("e", handlers.handler("h_q", types), target: row) }
    }
    #expect(throws: InvocationError.self) {
      try proxy.register("e", Implementation(handlers.handler("h_q", "v@q").pointer))
    }
    #expect(throws: InvocationError.self) { try proxy.register("e", handlers.handler("m_event", "v@:@@q{R=dddd}@")) }
    #expect(proxy.keys.isEmpty)
  }

  @Test("A method made for a class is not registered with a target of another")
  func targetClass() throws {
    let implementation = try Implementation { (_: Controller, _: Row?) in }
    #expect(throws: InvocationError.self) { try proxy.register("e", implementation, target: Stranger()) }
    // That of an invocation is not, either.
    let invocation = Invocation(try MethodSignature(types: "v@:@"))
    invocation.target = Stranger()
    invocation.selector = "event"
    invocation.implementation = implementation
    #expect(throws: InvocationError.self) { try proxy.register("e", invocation) }
    try proxy.register("e", implementation, target: Controller(), options: HandlerOptions(holding: .strong))
    #expect(proxy.send("e", source: row, arguments: []).calls == 1)
  }

  @Test("The types of an invocation need not have the names of structs and the pointees of the method's (E8.8)")
  func invocationsOfOtherNames() throws {
    final class Page {
      var calls: [String] = []
      func tapped(_: AnyObject?, _ rect: Geometry.Rect) { calls.append("\(rect.size.width)") }
      func drawn(_: AnyObject?, _ context: UnsafeMutableRawPointer) { calls.append("drawn") }
    }
    try MethodTable.of(Page.self).replace(
      "tapped(_:_:)", Implementation { (page: Page, source: AnyPage?, rect: Geometry.Rect) in page.tapped(source, rect) })
    try MethodTable.of(Page.self).replace(
      "drawn(_:_:)", Implementation { (page: Page, source: AnyPage?, context: UnsafeMutableRawPointer) in page.drawn(source, context) })
    let (page, proxy) = (Page(), EventProxy())
    for (selector, types) in [
      ("tapped(_:_:)", "v@:@{CGRect={CGPoint=dd}{CGSize=dd}}"), ("tapped(_:_:)", "v@:@{?={?=dd}{?=dd}}"),
      ("drawn(_:_:)", "v@:@^{CGContext=}"),
    ] as [(MethodSelector, String)] {
      let invocation = Invocation(try MethodSignature(types: types))
      invocation.target = page
      invocation.selector = selector
      try proxy.register("other.names", invocation, options: HandlerOptions(duplicates: .replace))
      var memory = 0
      let answer = withUnsafeMutableBytes(of: &memory) { bytes in
        proxy.send(
          "other.names", source: nil,
          arguments: [
            selector == "drawn(_:_:)"
              ? bytes.baseAddress.map { .pointer($0) } ?? .null : .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
          ])
      }
      #expect(answer.errors.isEmpty)
    }
    #expect(page.calls == ["3.0", "3.0", "drawn"])
    // Other types are refused, as by a message.
    for types in ["v@:@{CGSize=dd}", "v@:@{?=ff}", "v@:@", "v@:@{CGRect={CGPoint=dd}{CGSize=dd}}q"] {
      let invocation = Invocation(try MethodSignature(types: types))
      invocation.target = page
      invocation.selector = "tapped(_:_:)"
      #expect(#expect(throws: InvocationError.self) { try proxy.register("other.types", invocation) }?.code == .typeMismatch)
      #expect(throws: InvocationError.self) { try invocation.invoke() }
    }
  }

  /// A class whose objects are passed as sources.
  private final class AnyPage: EncodedObject {}

  @Test("A class without methods, and a key with a handler, are told with the way (E8.4, E8.9)") func ways() throws {
    final class Silent {}
    let proxy = EventProxy()
    let missing = #expect(throws: InvocationError.self) { try proxy.register("w", target: Silent(), selector: "foo(_:)") }
    #expect(missing?.description == "Silent does not respond to 'foo(_:)'; give it methods with MethodTable.add or @Invocable")
    try proxy.register("w") { (_: AnyObject?) in }
    let second = #expect(throws: InvocationError.self) { try proxy.register("w") { (_: AnyObject?) in } }
    #expect(second?.code == .duplicateHandler && second?.reason.contains("duplicates: .append") == true)
  }

  @Test("An invocation gives target, selector and implementation, and is not changed (E8.8)") func invocation() throws {
    let handlers = try CHandlers(.gcc)
    let target = Controller()
    let invocation = Invocation(try MethodSignature(types: "v@:@@q{R=dddd}@"))
    #expect(throws: InvocationError.self) { try proxy.register("e", invocation) }
    invocation.target = target
    #expect(throws: InvocationError.self) { try proxy.register("e", invocation) }
    invocation.selector = "event"
    #expect(throws: InvocationError.self) { try proxy.register("e", invocation) }
    invocation.implementation = try handlers.handler("m_event", "v@:@@q{R=dddd}@")
    try invocation.setArgument(5, at: 4)
    try proxy.register("e", invocation)
    #expect(proxy.send("e", source: row, arguments: [.object(row), .int(9), .rect(Geometry.Rect()), nil]).calls == 1)
    #expect(try handlers.integer == 9 && handlers.text == "event")
    #expect(try invocation.argument(at: 4, as: Int.self) == 5)
    #expect(!invocation.hasReturnValue)
    let plain = Invocation(try MethodSignature(types: "v@q"))
    #expect(throws: InvocationError.self) { try proxy.register("p", plain) }
    plain.implementation = try handlers.handler("h_q", "v@q")
    try proxy.register("p", plain)
    #expect(proxy.send("p", source: row, arguments: [.int(4)]).calls == 1)
  }

  @Test("A method registered by its name is called on the target that was given (E8.6, E8.7)")
  func methodReference() throws {
    let controller = Controller()
    try proxy.register("tapped", target: controller, Controller.tapped)
    try proxy.register("plain", target: controller, Controller.plain)
    try proxy.register("failing", target: controller, Controller.failing)
    #expect(proxy.send("tapped", source: row, 3).calls == 1)
    #expect(proxy.send("tapped", source: nil, arguments: [.int(4)]).calls == 1)
    #expect(proxy.send("plain", source: row).calls == 1)
    let answer = proxy.send("failing", source: row, 5)
    #expect(answer.errors.first as? Refusal == Refusal(index: 5))
    #expect(answer.calls == 1)
    #expect(controller.log == ["tapped row 3", "tapped nil 4", "plain"])
  }

  @Test("A second handler of a key is an error, dropped, called too, or a replacement (E8.9)")
  func duplicates() throws {
    var log: [String] = []
    func add(_ name: String, _ policy: HandlerOptions.Duplicates) throws -> EventRegistration {
      try proxy.register("e", options: HandlerOptions(duplicates: policy)) { (_: Row?) in log.append(name) }
    }
    let first = try add("first", .error)
    do {
      _ = try add("second", .error)
      Issue.record("it was registered")
    } catch let error as InvocationError {
      #expect(error.code == .duplicateHandler)
      #expect(error.description.contains("'e'"))
    }
    let kept = try add("third", .keepFirst)
    #expect(first.isActive && !kept.isActive)
    proxy.send("e", source: row)
    _ = try add("fourth", .append)
    proxy.send("e", source: row)
    let last = try add("fifth", .replace)
    proxy.send("e", source: row)
    #expect(log == ["first", "first", "fourth", "fifth"])
    #expect(!first.isActive && last.isActive)
    #expect(proxy.registrations(for: "e").count == 1)
  }

  @Test("Handlers are listed in order, with what they are")
  func listing() throws {
    let controller = Controller()
    try proxy.register("b", target: controller, Controller.tapped)
    try proxy.register("a", options: HandlerOptions(priority: -1)) { (_: Row?) in }
    try proxy.register("a", options: HandlerOptions(priority: 1, isOnce: true, duplicates: .append)) { (_: Row?, _: Geometry.Rect) in }
    try proxy.intercept("a") { _, _, _ in .ignored }
    #expect(proxy.keys == ["b", "a"])
    let handlers = proxy.registrations(for: "a").map(\.handler)
    #expect(handlers.map(\.options.priority) == [1, 0, -1])
    #expect(handlers.map(\.kind) == [.closure, .interceptor, .closure])
    #expect(handlers[0].argumentTypes?.map(\.description) == ["{Rect={Point=dd}{Size=dd}}"])
    #expect(handlers[1].argumentTypes == nil)
    #expect(proxy.registrations(for: "b")[0].handler.name == "closure of Controller")
    #expect(handlers[0].description.contains("once"))
    proxy.removeHandlers(for: "a")
    #expect(proxy.keys == ["b"])
    proxy.removeAllHandlers()
    #expect(proxy.keys.isEmpty && proxy.registrations.isEmpty)
  }

  @Test("A registration that fails harms no other (E8.4)") func table() throws {
    final class Target {}
    try MethodTable.of(Target.self).replace("known", Implementation { (_: Target, _: Row?) in })
    let target = Target()
    for (key, selector) in [("a", "known"), ("b", "unknown"), ("c", "known")] {
      _ = try? proxy.register(EventKey(key), target: target, selector: MethodSelector(selector))
    }
    #expect(["a", "b", "c", "d"].map { proxy.send(EventKey($0), source: row, arguments: []).calls } == [1, 0, 1, 0])
  }

  @Test("More than 60 arguments are refused")
  func limits() throws {
    let handlers = try CHandlers(.gcc)
    try proxy.register("most", handlers.handler("h_q", "v@" + String(repeating: "q", count: 60)))
    #expect(proxy.send("most", source: row, arguments: Array(repeating: .int(3), count: 60)).calls == 1)
    #expect(try handlers.integer == 3)
    #expect(throws: InvocationError.self) {
      try proxy.register("more", handlers.handler("h_q", "v@" + String(repeating: "q", count: 61)))
    }
  }
}
