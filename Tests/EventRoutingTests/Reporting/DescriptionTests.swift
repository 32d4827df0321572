import EventRouting
import Foundation
import TestSupport
import Testing

/// What the public types print: one line, nothing of how they are made.
@Suite(.measured) struct DescriptionTests {
  private func prints(_ value: some Any, _ text: String, line: Int = #line) {
    expectEqual([String(describing: value), String(reflecting: value)], [text, text], line: line)
  }

  @Test func keysAndHandlers() throws {
    let proxy = EventProxy()
    prints(proxy, "EventProxy(0 keys, 0 handlers)")
    let target = Controller()
    let registration = try proxy.register("row.tapped", target: target, Controller.tapped)
    prints(registration, "EventRegistration(row.tapped: closure of Controller (q))")
    let other = try proxy.intercept("row.tapped", options: HandlerOptions(priority: 2, isOnce: true)) { _, _, _ in .handled }
    prints(other, "EventRegistration(row.tapped: interceptor (any arguments) [priority 2, once])")
    prints(proxy, "EventProxy(1 key, 2 handlers)")
    other.cancel()
    prints(other, "EventRegistration(row.tapped: interceptor (any arguments) [priority 2, once], removed)")
    prints(registration.handler, "row.tapped: closure of Controller (q)")
    prints(registration.handler.kind, "closure")
    prints(EventRegistration.Handler.Kind.method("f(_:)"), "method f(_:)")
    prints(EventRegistration.Handler.Kind.function, "function")
    prints(EventKey("row.tapped"), "row.tapped")
    prints(TypedEventKey<Int>("row.tapped"), "row.tapped")
    prints(HandlerOptions(), "HandlerOptions(holding: weak, priority: 0, isOnce: false, reply: handled, duplicates: error)")
    prints(
      HandlerOptions(holding: .unretained, priority: -1, isOnce: true, reply: .handledAndStop(.node), duplicates: .keepFirst),
      "HandlerOptions(holding: unretained, priority: -1, isOnce: true, reply: handledAndStop(node), duplicates: keepFirst)")
    prints(
      HandlerOptions(direction: .up, rewritesTo: "B"),
      "HandlerOptions(holding: weak, priority: 0, isOnce: false, reply: handled, duplicates: error, direction: up, rewritesTo: B)")
    expectEqual([HandlerOptions.Direction.both, .up, .down].map { "\($0)" }, ["both", "up", "down"])
    expectEqual(
      [HandlerOptions.Duplicates.error, .replace, .keepFirst, .append].map { "\($0)" }, ["error", "replace", "keepFirst", "append"])
    expectEqual("\(HandlerOptions.Holding.strong)", "strong")
  }

  @Test func repliesAndAnswers() throws {
    expectEqual([EventReply.StopScope.node, .subtree, .pass].map { "\($0)" }, ["node", "subtree", "pass"])
    prints(EventReply.ignored, "ignored")
    prints(EventReply.handled, "handled")
    prints(EventReply.handledAndContinue, "handledAndContinue")
    prints(EventReply.handledAndStop(.subtree), "handledAndStop(subtree)")
    prints(EventReply.resend("B", [7, "x\n", nil]), "resend(B, 7, \"x\\n\", null)")
    prints(EventReply.handledAndStop(.pass), "handledAndStop(pass)")
    let proxy = EventProxy()
    prints(proxy.send("k", source: nil), "no handler called")
    try proxy.register("k") { (_: AnyObject?) in }
    prints(proxy.send("k", source: nil), "1 handler called: handled")
    prints(
      proxy.send("k", source: nil, 1),
      "no handler called; 1 error: event 'k', handler closure (): the event has 1 argument, the handler takes 0")
    let node = ResponderNode("node")
    prints(node.send("unknown", rules: .strategy), "unhandled")
    prints(node.send("", rules: .busUp), "ignored: the key is empty")
    node.eventProxy = proxy
    prints(node.send("k"), "handled by 1 node; stopped the pass")
    prints(node.send("k", rules: .busDown), "handled by 1 node")
    prints(Optional(node.send("k")) as Any, "Optional(handled by 1 node; stopped the pass)")
    try proxy.intercept("b") { _, _, _ in .resend("c", []) }
    prints(node.send("b", rules: .strategy), "unhandled; sent on as 'c'")
    try proxy.intercept("fails") { _, _, _ in throw Refusal(index: 3) }
    prints(node.send("fails", rules: .strategy), "unhandled; 1 error: \(Refusal(index: 3))")
    let event = try proxy.events(for: "k")
    prints(event, "EventSequence(0 waiting, 0 dropped)")
    prints(event.makeAsyncIterator(), "EventSequence.Iterator(0 waiting)")
  }

  @Test func events() async throws {
    let node = ResponderNode("node")
    let sequence = try node.proxy.events(for: "k")
    node.send("k", arguments: [7, "x"])
    var iterator = sequence.makeAsyncIterator()
    let event = try #require(await iterator.next())
    prints(event, "k(7, \"x\") from ResponderNode")
    node.send("k", source: nil)
    prints(try #require(await iterator.next()), "k()")
  }

  @MainActor
  @Test func portsAndTokens() async throws {
    let node = ResponderNode("node")
    let port = node.port(overflow: .drops(at: 1))
    port.offer("k")
    port.offer("k")
    prints(port, "EventPort(1 waiting, 1 dropped)")
    expectEqual(
      [EventPort.Overflow.suspends(at: 2), .drops(at: 1), .unbounded].map { "\($0)" }, ["suspends(at: 2)", "drops(at: 1)", "unbounded"])
    expectEqual([EventPort.Coalescing.newest, .newest(every: .seconds(2))].map { "\($0)" }, ["newest", "newest(every: 2.0 seconds)"])
    expectEqual([EventSequence.Buffering.newest(2), .oldest(1), .unbounded].map { "\($0)" }, ["newest(2)", "oldest(1)", "unbounded"])
    prints(EventPort.Argument("a\n"), "\"a\\n\"")
    let token = EventToken()
    try node.proxy.register("k") { [weak node] (_: AnyObject?) in
      guard let node else { return }
      expectEqual(EventContext.route(through: node)?.map { "\($0)" }, ["node(0 children, 1 key)"])
    }.end(with: token)
    node.send("k")
    prints(token, "EventToken(1 registration)")
    token.cancel()
    prints(token, "EventToken(cancelled)")
    expectEqual([EventContext.Phase.capture, .up, .down].map { "\($0)" }, ["capture", "up", "down"])
    _ = await port.send("end", rules: .strategy)
  }

  @Test func trees() throws {
    let root = ResponderNode("root")
    prints(root, "root(0 children)")
    let leaf = root.child("leaf\n")
    try root.proxy.intercept("k") { _, _, _ in .handled }
    prints(root, "root(1 child, 1 key)")
    prints(leaf, "leaf\\n(0 children)")
    prints(ResponderNode(), "ResponderNode(0 children)")
    let state = ResponderState()
    prints(state, "ResponderState(0 keys, passing)")
    try state.proxy.intercept("k") { _, _, _ in .handled }
    state.terminality = .forOwnKeys
    state.isBoundary = true
    state.nextOverride = root
    prints(state, "ResponderState(1 key, forOwnKeys, boundary, next root)")
    expectEqual(
      [RoutingRules.Terminality.passing, .forOwnKeys, .always].map { "\($0)" }, ["passing", "forOwnKeys", "always"])
    prints(DispatchReport.TreePicture(of: root), "DispatchReport.TreePicture(2 nodes)")
    prints(DispatchReport.Observer(), "DispatchReport.Observer(watching)")
    let observer = DispatchReport.Observer()
    observer.cancel()
    prints(observer, "DispatchReport.Observer(cancelled)")
    let report = leaf.report("kk", rules: .strategy)
    prints(try #require(report.diagnosis?.nearestKeys.first), "\"k\" of root")
    prints(report.sender, "leaf\n")
  }

  @Test func rules() {
    let presets: [RoutingRules] = [.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast]
    expectEqual(
      presets.map { String(reflecting: $0) }, ["router", "strategy", "busUp", "busDown", "componentEmit", "componentBroadcast"])
    var rules = RoutingRules.busDown
    rules.startsAtSender = false
    expect("\(rules)".hasPrefix("RoutingRules(direction: down, startsAtSender: false, continuesWhenHandled: true, stopScope: subtree, "))
    expect(!"\(rules)".contains("EventRouting"))
    rules.depthLimit = 7
    expect("\(rules)".hasSuffix("endsBeforeBoundary: false, depthLimit: 7)"))
    expectEqual(
      [RoutingRules.UnknownKey.warns, .isSilent, .endsAtTerminal, .endsAtProxy].map { "\($0)" },
      [
        "warns", "isSilent", "endsAtTerminal", "endsAtProxy",
      ])
    expectEqual([RoutingRules.HandlerErrors.told, .kept, .fatal].map { "\($0)" }, ["told", "kept", "fatal"])
    expectEqual([RoutingRules.EmptyKey.isAllowed, .isIgnored].map { "\($0)" }, ["isAllowed", "isIgnored"])
  }

  /// Types without values, and enums whose text is the name of the case as it is.
  private static let withoutText: Set<String> = [
    "EventLog", "Buffering", "Direction", "Duplicates", "EmptyKey", "HandlerErrors", "Holding", "Overflow", "Phase", "StopScope",
    "SynchronousSend", "Terminality", "UnknownKey",
  ]

  @Test("No public type is left out") func noneIsLeftOut() throws {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var types: Set<String> = []
    var described: Set<String> = []
    for module in ["EventRouting", "EventRoutingFoundation"] {
      let files = FileManager.default.enumerator(at: package.appendingPathComponent("Sources/\(module)"), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        let text = try String(contentsOf: file, encoding: .utf8)
        let declaration = #/(?m)^ *(?:@\w+(?:\([^)]*\))? )*(?:public|open) (?:final |indirect )*(?:struct|class|enum|actor) (\w+)/#
        for match in text.matches(of: declaration) where match.1 != "func" && match.1 != "var" { types.insert(String(match.1)) }
        // By the last part of a name: `EventPort.Overflow` is `Overflow`.
        let conformance = #/(?m)(?:struct|class|enum|actor|extension) (?:\w+\.)*(\w+)(?:<[^{>]*>)?:[^{]*CustomStringConvertible/#
        for match in text.matches(of: conformance) { described.insert(String(match.1)) }
      }
    }
    expect(types.count > 40)
    expectEqual(types.subtracting(described).subtracting(Self.withoutText), [])
  }
}
