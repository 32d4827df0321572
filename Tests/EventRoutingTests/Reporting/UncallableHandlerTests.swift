import EventRouting
import TestSupport
import Testing

extension ProcessWideTests {
  /// Warnings about handlers that were there and could not be called.
  @Suite(.measured) struct UncallableHandlerTests {
    private func recorded(_ body: (LogLines) throws -> Void) rethrows {
      let lines = LogLines()
      EventLog.logger = lines.logger()
      defer { EventLog.logger = nil }
      try body(lines)
    }

    @Test(
      "A handler that cannot be called is a warning with each preset (E12.7)",
      arguments: [
        RoutingRules.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast,
      ])
    func eachPresetWarns(rules: RoutingRules) throws {
      try recorded { lines in
        let root = ResponderNode("root")
        let leaf = root.child("leaf")
        let (sender, node) = rules.direction == .up ? (leaf, root) : (root, leaf)
        let key = EventKey("uncallable.\(rules)")
        try node.proxy.register(TypedEventKey<Int>(key)) { (_: AnyObject?, n: Int) in }
        let outcome = sender.send(key, arguments: ["text"], rules: rules)
        let error = try #require(outcome.firstError as? EventError)
        #expect(error.node?.name == node.name)
        let text =
          "event '\(key)' at '\(node.responderName)', handler closure (q): argument 1 (q, Int64): string \"text\" is no Int64"
        #expect("\(error)" == text)
        #expect(lines.all(containing: "called: event '\(key)'") == ["warning a handler was not called: \(text)"])
        // The report names the node, too, and warns as well.
        #expect(sender.report(key, arguments: ["text"], rules: rules).errors.map { "\($0)" } == [text])
        #expect(lines.all(containing: "called: event '\(key)'").count == 2)
      }
    }

    @Test func oneAmongOthersIsWarnedOf() throws {
      try recorded { lines in
        let node = ResponderNode("node")
        try node.proxy.register("uncallable.several") { (_: AnyObject?, n: Int) in }
        try node.proxy.intercept("uncallable.several") { _, _, _ in .handled }
        let outcome = node.send("uncallable.several", arguments: [nil], rules: .strategy)
        #expect(outcome.handledCount == 1 && outcome.errorCount == 1)
        #expect(lines.all(containing: "'uncallable.several' at 'node'").count == 1)
      }
    }

    @Test func aProxyAloneWarnsWithoutANode() throws {
      try recorded { lines in
        let proxy = EventProxy()
        try proxy.register("uncallable.alone") { (_: ResponderNode, n: Int) in }
        #expect(proxy.send("uncallable.alone", source: ResponderNode("a"), arguments: ["text"]).failure?.node == nil)
        proxy.send("uncallable.alone", source: nil, arguments: [1])
        proxy.send("uncallable.alone", source: nil, 1)
        proxy.send("uncallable.alone", source: ResponderNode("a"))
        let texts = lines.all(containing: "a handler was not called: event 'uncallable.alone', handler closure (q): ")
        #expect(texts.count == 4)
        #expect(texts.first?.hasSuffix("argument 1 (q, Int64): string \"text\" is no Int64") == true)
        #expect(texts.last?.hasSuffix("the event has 0 arguments, the handler takes 1") == true)
        proxy.send("uncallable.alone", source: ResponderNode("a"), 2)
        #expect(lines.all(containing: "uncallable.alone").count == 4)
      }
    }

    @Test func whatAHandlerThrowsIsNotSaidToBeUncallable() throws {
      try recorded { lines in
        let node = ResponderNode("node")
        try node.proxy.register("uncallable.thrown") { (_: AnyObject?) in throw Refusal(index: 1) }
        #expect(node.send("uncallable.thrown", rules: .strategy).firstError as? Refusal == Refusal(index: 1))
        #expect(lines.all(containing: "uncallable.thrown").count == 1)
        #expect(lines.all(containing: "a handler was not called").isEmpty)
      }
    }
  }
}
