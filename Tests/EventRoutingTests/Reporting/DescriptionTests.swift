import EventRouting
import Foundation
import TestSupport
import Testing

/// What the public types print: one line, nothing of how they are made.
@Suite(.measured) struct DescriptionTests {
  private func expect(_ value: some Any, _ text: String, _ place: SourceLocation = #_sourceLocation) {
    #expect(String(describing: value) == text, sourceLocation: place)
    #expect(String(reflecting: value) == text, sourceLocation: place)
  }

  @Test func keysAndHandlers() throws {
    let proxy = EventProxy()
    expect(proxy, "EventProxy(0 keys, 0 handlers)")
    let target = Controller()
    let registration = try proxy.register("row.tapped", target: target, Controller.tapped)
    expect(registration, "EventRegistration(row.tapped: closure of Controller (q))")
    let scoped = try proxy.intercept("row.tapped", options: HandlerOptions(priority: 2, isOnce: true)) { _, _, _ in .handled }.scoped()
    expect(scoped, "EventRegistration.Scope(row.tapped: interceptor (any arguments) [priority 2, once])")
    expect(proxy, "EventProxy(1 key, 2 handlers)")
    scoped.cancel()
    expect(scoped, "EventRegistration.Scope(row.tapped: interceptor (any arguments) [priority 2, once], removed)")
    expect(registration.handler, "row.tapped: closure of Controller (q)")
    expect(registration.handler.kind, "closure")
    expect(EventRegistration.Handler.Kind.method("f(_:)"), "method f(_:)")
    expect(EventRegistration.Handler.Kind.function, "function")
    expect(EventKey("row.tapped"), "row.tapped")
    expect(TypedEventKey<Int>("row.tapped"), "row.tapped")
    expect(HandlerOptions(), "HandlerOptions(holding: weak, priority: 0, isOnce: false, reply: handled, duplicates: error)")
    expect(
      HandlerOptions(holding: .unretained, priority: -1, isOnce: true, reply: .handledAndStop(.node), duplicates: .keepFirst),
      "HandlerOptions(holding: unretained, priority: -1, isOnce: true, reply: handledAndStop(node), duplicates: keepFirst)")
    expect(
      HandlerOptions(direction: .up, rewritesTo: "B"),
      "HandlerOptions(holding: weak, priority: 0, isOnce: false, reply: handled, duplicates: error, direction: up, rewritesTo: B)")
    #expect([HandlerOptions.Direction.both, .up, .down].map { String(reflecting: $0) } == ["both", "up", "down"])
    #expect(
      [HandlerOptions.Duplicates.error, .replace, .keepFirst, .append].map { "\($0)" } == ["error", "replace", "keepFirst", "append"])
    expect(HandlerOptions.Holding.strong, "strong")
  }

  @Test func repliesAndAnswers() throws {
    #expect([EventReply.StopScope.node, .subtree, .pass].map { String(reflecting: $0) } == ["node", "subtree", "pass"])
    expect(EventReply.ignored, "ignored")
    expect(EventReply.handled, "handled")
    expect(EventReply.handledAndContinue, "handledAndContinue")
    expect(EventReply.handledAndStop(.subtree), "handledAndStop(subtree)")
    expect(EventReply.resend("B", [7, "x\n", nil]), "resend(B, 7, \"x\\n\", null)")
    expect(EventReply.handledAndStop(.pass), "handledAndStop(pass)")
    let proxy = EventProxy()
    expect(proxy.send("k", source: nil), "no handler called")
    try proxy.register("k") { (_: AnyObject?) in }
    expect(proxy.send("k", source: nil), "1 handler called: handled")
    expect(
      proxy.send("k", source: nil, 1),
      "no handler called; 1 error: event 'k', handler closure (): the event has 1 argument, the handler takes 0")
    let node = ResponderNode("node")
    expect(node.send("unknown", rules: .strategy), "unhandled")
    expect(node.send("", rules: .busUp), "ignored: the key is empty")
    node.eventProxy = proxy
    expect(node.send("k"), "handled by 1 node; stopped the pass")
    expect(node.send("k", rules: .busDown), "handled by 1 node")
    expect(Optional(node.send("k")) as Any, "Optional(handled by 1 node; stopped the pass)")
    try proxy.intercept("b") { _, _, _ in .resend("c", []) }
    expect(node.send("b", rules: .strategy), "unhandled; sent on as 'c'")
    try proxy.intercept("fails") { _, _, _ in throw Refusal(index: 3) }
    expect(node.send("fails", rules: .strategy), "unhandled; 1 error: \(Refusal(index: 3))")
    let event = try proxy.events(for: "k")
    expect(event, "EventSequence(0 waiting, 0 dropped)")
    expect(event.makeAsyncIterator(), "EventSequence.Iterator(0 waiting)")
  }

  @Test func events() async throws {
    let node = ResponderNode("node")
    let sequence = try node.proxy.events(for: "k")
    node.send("k", arguments: [7, "x"])
    var iterator = sequence.makeAsyncIterator()
    let event = try #require(await iterator.next())
    expect(event, "k(7, \"x\") from ResponderNode")
    node.send("k", source: nil)
    expect(try #require(await iterator.next()), "k()")
  }

  @MainActor
  @Test func portsAndTokens() async throws {
    let node = ResponderNode("node")
    let port = node.port(overflow: .drops(at: 1))
    port.offer("k")
    port.offer("k")
    expect(port, "EventPort(1 waiting, 1 dropped)")
    #expect(
      [EventPort.Overflow.suspends(at: 2), .drops(at: 1), .unbounded].map { "\($0)" } == ["suspends(at: 2)", "drops(at: 1)", "unbounded"])
    #expect([EventPort.Coalescing.newest, .newest(every: .seconds(2))].map { "\($0)" } == ["newest", "newest(every: 2.0 seconds)"])
    #expect([EventSequence.Buffering.newest(2), .oldest(1), .unbounded].map { "\($0)" } == ["newest(2)", "oldest(1)", "unbounded"])
    expect(EventPort.Argument("a\n"), "\"a\\n\"")
    let token = EventToken()
    try node.proxy.register("k") { [weak node] (_: AnyObject?) in
      guard let node else { return }
      #expect(EventContext.route(through: node).map { "\($0)" } == "EventContext.Route(node)")
    }.end(with: token)
    node.send("k")
    expect(token, "EventToken(1 registration)")
    token.cancel()
    expect(token, "EventToken(cancelled)")
    #expect([EventContext.Phase.capture, .up, .down].map { "\($0)" } == ["capture", "up", "down"])
    _ = await port.send("end", rules: .strategy)
  }

  @Test func trees() throws {
    let root = ResponderNode("root")
    expect(root, "root(0 children)")
    let leaf = root.child("leaf\n")
    try root.proxy.intercept("k") { _, _, _ in .handled }
    expect(root, "root(1 child, 1 key)")
    expect(leaf, "leaf\\n(0 children)")
    expect(ResponderNode(), "ResponderNode(0 children)")
    let state = ResponderState()
    expect(state, "ResponderState(0 keys, passing)")
    try state.proxy.intercept("k") { _, _, _ in .handled }
    state.terminality = .forOwnKeys
    state.isBoundary = true
    state.nextOverride = root
    expect(state, "ResponderState(1 key, forOwnKeys, boundary, next root)")
    #expect(
      [RoutingRules.Terminality.passing, .forOwnKeys, .always].map { String(reflecting: $0) } == ["passing", "forOwnKeys", "always"])
    expect(DispatchReport.TreePicture(of: root), "DispatchReport.TreePicture(2 nodes)")
    expect(DispatchReport.Observer(), "DispatchReport.Observer(watching)")
    let observer = DispatchReport.Observer()
    observer.cancel()
    expect(observer, "DispatchReport.Observer(cancelled)")
    let report = leaf.report("kk", rules: .strategy)
    expect(try #require(report.diagnosis?.nearestKeys.first), "\"k\" of root")
    expect(report.sender, "leaf\n")
    try leaf.proxy.intercept("b") { _, _, _ in .resend("k", [1]) }
    expect(try #require(leaf.report("b").rewrites.first), "leaf\\n: b as k(1)")
  }

  @Test func rules() {
    let presets: [RoutingRules] = [.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast]
    #expect(
      presets.map { String(reflecting: $0) } == ["router", "strategy", "busUp", "busDown", "componentEmit", "componentBroadcast"])
    var rules = RoutingRules.busDown
    rules.startsAtSender = false
    #expect("\(rules)".hasPrefix("RoutingRules(direction: down, startsAtSender: false, continuesWhenHandled: true, stopScope: subtree, "))
    #expect(!"\(rules)".contains("EventRouting"))
    expect(RoutingRules.Direction.up, "up")
    rules.depthLimit = 7
    #expect("\(rules)".hasSuffix("endsBeforeBoundary: false, depthLimit: 7)"))
    #expect(
      [RoutingRules.UnknownKey.warns, .isSilent, .endsAtTerminal, .endsAtProxy].map { String(reflecting: $0) } == [
        "warns", "isSilent", "endsAtTerminal", "endsAtProxy",
      ])
    #expect([RoutingRules.HandlerErrors.told, .kept, .fatal].map { String(reflecting: $0) } == ["told", "kept", "fatal"])
    #expect([RoutingRules.EmptyKey.isAllowed, .isIgnored].map { String(reflecting: $0) } == ["isAllowed", "isIgnored"])
  }

  /// Types without values.
  private static let withoutText: Set<String> = ["EventLog"]

  @Test("No public type is left out") func noneIsLeftOut() throws {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var types: Set<String> = []
    var described: Set<String> = []
    for module in ["EventRouting", "EventRoutingFoundation", "EventObservability"] {
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
    #expect(types.count > 40)
    #expect(types.subtracting(described).subtracting(Self.withoutText) == [])
  }
}
