import EventRouting
import TestSupport
import Testing

/// What registering and sending need of a node, whatever its class is.
@Suite(.measured) struct RegisteringTests {
  /// Options are shared by all threads.
  private static let append = HandlerOptions(reply: .handledAndContinue, duplicates: .append)

  private func on<Node: Responder>(_ node: Node, _ key: EventKey, _ log: Journal) throws {
    try node.proxy.intercept(key, options: Self.append) { _, _, _ in
      log.note(node.responderName)
      return .handledAndContinue
    }
  }

  private final class Bare: Responder {
    var nextResponder: (any Responder)? { nil }
  }

  @Test func genericCodeRegistersOnAnyResponder() throws {
    let log = Journal()
    let (node, view, cell) = (ResponderNode("node"), View("view"), Cell())
    defer { for proxy in [node.proxy, view.proxy, cell.proxy] { proxy.removeAllHandlers() } }
    #expect(view.eventProxy == nil && node.eventProxy == nil)
    try on(node, "k", log)
    try on(view, "k", log)
    try on(cell, "k", log)
    #expect(view.eventProxy === view.state.proxy && view.state.eventProxy === view.proxy && cell.proxy === cell.handlers)
    for sender in [node, view, cell] as [any Responder] { #expect(sender.send("k").handledCount == 1) }
    #expect(log.entries == ["node", "view", "Cell"])
  }

  @Test func aNodeThatKeepsNoHandlersCannotHaveSome() async {
    await #expect(processExitsWith: .failure) { _ = Bare().proxy }
  }

  @Test func aNodeIsTheSourceOfAMethodKnownByItsSelector() throws {
    final class Target {
      var sources: [String?] = []
    }
    try MethodTable.of(Target.self).add("registeringTestsTapped(_:index:)") { (target: Target, node: ResponderNode?, index: Int) in
      target.sources.append(node?.name)
    }
    let (target, node) = (Target(), ResponderNode("cell"))
    try node.proxy.register("k", target: target, selector: "registeringTestsTapped(_:index:)")
    #expect(node.send("k", arguments: [3]).handledCount == 1)
    #expect(node.send("k", source: nil, arguments: [3]).handledCount == 1)
    #expect(target.sources == ["cell", nil])
    try node.proxy.register("node") { (_: AnyObject?, other: ResponderNode) in target.sources.append(other.name) }
    node.send("node", arguments: [.object(node)])
    #expect(target.sources.last == "cell")
  }

  @Test func typedEventsHaveASourceAndAReport() throws {
    let moved: TypedEventKey<(Int, Double)> = "moved"
    let tapped: TypedEventKey<Int> = "tapped"
    let reset: TypedEventKey<Void> = "reset"
    let (root, row) = (ResponderNode("root"), Row())
    let leaf = root.child("leaf")
    let log = Journal()
    try root.proxy.register(moved) { (source: AnyObject?, a: Int, b: Double) in log.note("\(source === row) \(a) \(b)") }
    try root.proxy.register(tapped) { (source: AnyObject?, a: Int) in log.note("\(source === leaf) \(a)") }
    try root.proxy.register(reset) { (source: AnyObject?) in log.note("\(source == nil)") }
    #expect(leaf.send(moved, source: row, 1, 2.5).handledCount == 1)
    #expect(leaf.send(reset, source: nil).handledCount == 1)
    let report = leaf.report(tapped, 7)
    #expect(report.handledBy.map(\.name) == ["root"] && report == leaf.report("tapped", arguments: [.int(7)]))
    #expect(leaf.report(moved, source: row, 3, 4).handledBy.map(\.name) == ["root"])
    #expect(leaf.report(reset).handledBy.map(\.name) == ["root"] && leaf.report(reset, source: nil).handledBy.map(\.name) == ["root"])
    #expect(log.entries == ["true 1 2.5", "true", "true 7", "true 7", "true 3 4.0", "false", "true"])
    #expect(leaf.dryRun(moved) == leaf.dryRun("moved"))
    #expect(leaf.dryRun(moved).handledBy.map(\.name) == ["root"] && log.entries.count == 7)
    // An argument that is none is an error of the handler, as when it is sent.
    struct Foreign: EncodedValue {
      var x: Int8
      static let typeEncoding: TypeEncoding = "q"
    }
    try root.proxy.intercept("foreign") { _, _, _ in .handled }
    let foreign = leaf.report("foreign", Foreign(x: 1))
    #expect((foreign.errors.first as? EventError)?.reason.argument == .index(1))
    #expect(foreign.errors.map { "\(($0 as? EventError)?.reason.code as Any)" } == ["\(InvocationError.Code.typeMismatch as Any?)"])
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8]) func typedEventsOfEveryCountHaveASource(count: Int) throws {
    let (node, row, log) = (ResponderNode("node"), Row(), Journal())
    try node.proxy.intercept("k") { source, _, arguments in
      log.note("\(source === row) \(arguments.map { "\($0)" }.joined())")
      return .handled
    }
    switch count {
    case 1: node.send("k", source: row, 1)
    case 2: node.send("k", source: row, 1, 2)
    case 3: node.send("k", source: row, 1, 2, 3)
    case 4: node.send("k", source: row, 1, 2, 3, 4)
    case 5: node.send("k", source: row, 1, 2, 3, 4, 5)
    case 6: node.send("k", source: row, 1, 2, 3, 4, 5, 6)
    case 7: node.send("k", source: row, 1, 2, 3, 4, 5, 6, 7)
    default: node.send("k", source: row, 1, 2, 3, 4, 5, 6, 7, 8)
    }
    #expect(log.entries == ["true \("12345678".prefix(count))"])
  }

  @Test func severalFailedRegistrationsAreOneError() {
    let errors = ["a", "b"].map { InvocationError(.duplicateHandler, "the key '\($0)' is taken") }
    #expect(InvocationError(notRegistered: errors).reason == "2 handlers were not registered: the key 'a' is taken; the key 'b' is taken")
    #expect(InvocationError(notRegistered: errors).code == .duplicateHandler)
    #expect(InvocationError(notRegistered: [errors[1]]).reason == "the key 'b' is taken")
  }
}
