import DynamicInvocation
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
    expect(view.eventProxy == nil && node.eventProxy == nil)
    try on(node, "k", log)
    try on(view, "k", log)
    try on(cell, "k", log)
    expect(view.eventProxy === view.state.proxy && view.state.eventProxy === view.proxy && cell.proxy === cell.handlers)
    for sender in [node, view, cell] as [any Responder] { expectEqual(sender.send("k").handledCount, 1) }
    expectEqual(log.entries, ["node", "view", "Cell"])
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
    expectEqual(node.send("k", arguments: [3]).handledCount, 1)
    expectEqual(node.send("k", source: nil, arguments: [3]).handledCount, 1)
    expectEqual(target.sources, ["cell", nil])
    try node.proxy.register("node") { (_: AnyObject?, other: ResponderNode) in target.sources.append(other.name) }
    node.send("node", arguments: [.object(node)])
    expectEqual(target.sources.last, "cell")
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
    expectEqual(leaf.send(moved, source: row, 1, 2.5).handledCount, 1)
    expectEqual(leaf.send(reset, source: nil).handledCount, 1)
    let report = leaf.report(tapped, 7)
    expect(report.handledBy.map(\.name) == ["root"] && report == leaf.report("tapped", arguments: [.int(7)]))
    expectEqual(leaf.report(moved, source: row, 3, 4).handledBy.map(\.name), ["root"])
    expect(leaf.report(reset).handledBy.map(\.name) == ["root"] && leaf.report(reset, source: nil).handledBy.map(\.name) == ["root"])
    expectEqual(log.entries, ["true 1 2.5", "true", "true 7", "true 7", "true 3 4.0", "false", "true"])
    expect(leaf.dryRun(moved.key).handledBy.map(\.name) == ["root"] && log.entries.count == 7)
    // An argument that is none is an error of the handler, as when it is sent.
    struct Foreign: EncodedValue {
      var x: Int8
      static let typeEncoding: TypeEncoding = "q"
    }
    try root.proxy.intercept("foreign") { _, _, _ in .handled }
    let foreign = leaf.report("foreign", Foreign(x: 1))
    expectEqual((foreign.errors.first as? EventError)?.reason.argument, .index(1))
    expectEqual(foreign.errors.map { "\(($0 as? EventError)?.reason.code as Any)" }, ["\(InvocationError.Code.typeMismatch as Any?)"])
  }

  @Test func everyNumberOfArgumentsWithAndWithoutASource() throws {
    let (node, row) = (ResponderNode("node"), Row())
    var seen: [String] = []
    try node.proxy.register("0") { (source: AnyObject?) in seen.append("\(source === row) 0") }
    try node.proxy.register("1") { (source: AnyObject?, a: Int) in seen.append("\(source === row) \(a)") }
    try node.proxy.register("2") { (source: AnyObject?, a: Int, b: Int) in seen.append("\(source === row) \(a)\(b)") }
    try node.proxy.register("3") { (source: AnyObject?, a: Int, b: Int, c: Int) in seen.append("\(source === row) \(a)\(b)\(c)") }
    try node.proxy.register("4") { (source: AnyObject?, a: Int, b: Int, c: Int, d: Int) in seen.append("\(source === row) \(a)\(b)\(c)\(d)")
    }
    node.send(TypedEventKey<Void>("0"))
    node.send("1", 1)
    node.send("2", 1, 2)
    node.send("3", 1, 2, 3)
    node.send("4", 1, 2, 3, 4)
    node.send("1", source: row, 1)
    node.send("2", source: row, 1, 2)
    node.send("3", source: row, 1, 2, 3)
    node.send("4", source: row, 1, 2, 3, 4)
    expectEqual(seen, ["false 0", "false 1", "false 12", "false 123", "false 1234", "true 1", "true 12", "true 123", "true 1234"])
  }

  @Test func severalFailedRegistrationsAreOneError() {
    let errors = ["a", "b"].map { InvocationError(.duplicateHandler, "the key '\($0)' is taken") }
    expectEqual(InvocationError(notRegistered: errors).reason, "2 handlers were not registered: the key 'a' is taken; the key 'b' is taken")
    expectEqual(InvocationError(notRegistered: errors).code, .duplicateHandler)
    expectEqual(InvocationError(notRegistered: [errors[1]]).reason, "the key 'b' is taken")
  }
}
