import DynamicInvocation
import EventRouting
import Foundation
import Logging
import TestSupport
import Testing

extension ProcessWideTests {
  /// Warnings about events that nobody handled.
  @Suite(.measured) struct EventLogTests {
    @Test("An unhandled key is a warning with the nearest keys (E12.2)")
    func anUnhandledKeyIsWarnedOfWithTheNearestKeys() throws {
      let lines = LogLines()
      EventLog.logger = lines.logger()
      defer { EventLog.logger = nil }
      let root = ResponderNode("root")
      let leaf = root.child("leaf")
      let beside = root.child("beside")
      try root.proxy.intercept("logged.row.tapped") { _, _, _ in .handled }
      try beside.proxy.intercept("logged.elsewhere") { _, _, _ in .handled }
      leaf.send("logged.row.taped")
      expectEqual(lines.all(containing: "\"logged.row.taped\"").first?.contains("did you mean \"logged.row.tapped\" of root?"), true)
      leaf.send("logged.elsewhere")
      expectEqual(lines.all(containing: "\"logged.elsewhere\"").first?.contains("registered on beside"), true)
      expectEqual(lines.all(containing: "\"logged.elsewhere\"").first?.hasPrefix("warning"), true)
    }

    @Test("Only silent rules, the level or no logger turn the warning off (E12.2)") func rulesAndLevelsTurnItOff() throws {
      let lines = LogLines()
      EventLog.logger = lines.logger()
      defer { EventLog.logger = nil }
      let root = ResponderNode("root")
      let ended = RoutingRules(unknownKey: .endsAtProxy)
      for rules in [.strategy, .busUp, .busDown, .componentEmit, .componentBroadcast, ended] { root.send("off.key", rules: rules) }
      _ = root.dryRun("off.key")
      EventLog.logger = lines.logger(level: .error)
      root.send("off.key")
      EventLog.logger = nil
      root.send("off.key")
      expectEqual(lines.all(containing: "off.key").count, 0)
      EventLog.logger = lines.logger()
      root.send("off.key")
      _ = root.report("off.key")
      root.send("off.key", rules: RoutingRules(unknownKey: .endsAtTerminal))
      expectEqual(lines.all(containing: "off.key").count, 3)
    }

    private enum Failure: Error { case empty }

    @Test("What a handler throws is one warning, with the handler, the node and the type of the error (E10.6, E12.2)")
    func thrownErrors() throws {
      let root = ResponderNode("root")
      let leaf = root.child("leaf")
      try leaf.proxy.register("thrown.save") { (_: AnyObject?, _: Int) throws in throw Failure.empty }
      try root.proxy.intercept("thrown.handled") { _, _, _ in .handled }
      try leaf.proxy.intercept("thrown.handled") { _, _, _ in throw Refusal(index: 3) }
      let lines = LogLines()
      EventLog.withLogger(lines.logger()) {
        for rules in [RoutingRules.router, .strategy, RoutingRules(unknownKey: .endsAtTerminal)] {
          let outcome = leaf.send("thrown.save", arguments: [.int(1)], rules: rules)
          expect(outcome.isUnhandled && !outcome.isHandled && outcome.firstError as? Failure == .empty)
        }
        expectEqual(
          lines.all, Array(repeating: "warning event 'thrown.save' at 'leaf', handler closure (q) threw Failure: empty", count: 3))
        expect(leaf.send("thrown.handled").isHandled)
        expectEqual(leaf.report("thrown.handled").errors.count, 1)
        expect(
          lines.all.suffix(2)
            == Array(repeating: "warning event 'thrown.handled' at 'leaf', handler interceptor threw Refusal(index: 3)", count: 2))
        // A proxy alone.
        expect(leaf.proxy.send("thrown.save", source: nil, arguments: [.int(1)]).errors.first is Failure)
        expect(leaf.proxy.send("thrown.save", source: nil, 1).errors.first is Failure)
        expectEqual(
          lines.all.suffix(2), Array(repeating: "warning event 'thrown.save', handler closure (q) threw Failure: empty", count: 2))
      }
      expectEqual(lines.all.count, 7)
    }

    @Test("Rules that keep the errors of handlers log none, and an unhandled event says that a handler threw (E10.6, E12.2)")
    func keptErrors() throws {
      let root = ResponderNode("root")
      let leaf = root.child("leaf")
      try leaf.proxy.register("kept.save") { (_: AnyObject?, _: Int) throws in throw Failure.empty }
      let lines = LogLines()
      try EventLog.withLogger(lines.logger()) {
        var rules = RoutingRules.strategy
        rules.handlerErrors = .kept
        expectEqual(leaf.send("kept.save", arguments: [.int(1)], rules: rules).firstError as? Failure, .empty)
        expect(lines.all.isEmpty)
        // What could not be called is always told.
        leaf.send("kept.save", rules: rules)
        expect(lines.all.count == 1 && lines.all[0].contains("a handler was not called"))
        leaf.send("kept.save", arguments: [.int(1)], rules: RoutingRules(handlerErrors: .kept))
        expectEqual(lines.all.count, 2)
        expectEqual(lines.all.last, "warning no handler handled \"kept.save\"; a handler threw Failure: empty; registered on leaf")
        expect("\(rules)".hasSuffix("handlerErrors: kept)") && "\(RoutingRules.HandlerErrors.told)" == "told")
        rules.depthLimit = 7
        let again = try JSONDecoder().decode(RoutingRules.self, from: JSONEncoder().encode(rules))
        expect(again == rules && again.depthLimit == 7 && again.handlerErrors == .kept && again != .strategy)
        rules.handlerErrors = .told
        rules.depthLimit = nil
        expect(rules == .strategy && rules.depthLimit == nil)
      }
    }

    @Test("Rules whose errors are fatal end the program with the text of the warning (E10.7)") func fatalErrors() async throws {
      let output = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let root = ResponderNode("root")
        try root.proxy.register("fatal.save") { (_: AnyObject?, _: Int) throws in throw Failure.empty }
        root.send("fatal.save", arguments: [.int(1)], rules: RoutingRules(handlerErrors: .fatal))
      }
      let text = String(decoding: output?.standardErrorContent ?? [], as: UTF8.self)
      expect(text.contains("event 'fatal.save' at 'root', handler closure (q) threw Failure: empty"))
      let refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let root = ResponderNode("root")
        try root.proxy.register("fatal.save") { (_: AnyObject?, _: Int) in }
        root.send("fatal.save", rules: RoutingRules(handlerErrors: .fatal))
      }
      let reason = String(decoding: refused?.standardErrorContent ?? [], as: UTF8.self)
      expect(reason.contains("a handler was not called"))
      await #expect(processExitsWith: .failure) {
        let root = ResponderNode("root")
        try root.proxy.register("fatal.later") { (_: AnyObject?) async throws in throw Failure.empty }
        _ = await root.sendAwaiting("fatal.later", rules: RoutingRules(handlerErrors: .fatal))
      }
      // Without an error they are rules like any other; the depth limit shares their memory.
      let root = ResponderNode("root")
      try root.proxy.register("fatal.save") { (_: AnyObject?, _: Int) in }
      var rules = RoutingRules(depthLimit: .max, handlerErrors: .fatal)
      expect(root.send("fatal.save", 1, rules: rules).isHandled && "\(rules)".hasSuffix("handlerErrors: fatal)"))
      let again = try JSONDecoder().decode(RoutingRules.self, from: JSONEncoder().encode(rules))
      expect(again == rules && again.handlerErrors == .fatal && again.depthLimit == rules.depthLimit)
      for errors in [RoutingRules.HandlerErrors.kept, .told, .fatal] {
        rules.handlerErrors = errors
        expect(rules.handlerErrors == errors && rules.depthLimit == 1 << 30 - 1)
      }
      rules.depthLimit = nil
      expect(rules.handlerErrors == .fatal && rules.depthLimit == nil)
    }

    @MainActor
    @Test("What an asynchronous handler throws is told, awaited with the node, and started whatever the rules are (E10.6)")
    func awaitedErrors() async throws {
      let root = ResponderNode("root")
      try root.proxy.register("thrown.later") { (_: AnyObject?, _: Int) async throws in throw Failure.empty }
      let lines = LogLines()
      await EventLog.withLogger(lines.logger()) {
        let outcome = await root.sendAwaiting("thrown.later", 1)
        expectEqual(outcome.firstError as? Failure, .empty)
        expectEqual(lines.all, ["warning event 'thrown.later' at 'root', handler closure (q) threw Failure: empty"])
        _ = await root.sendAwaiting("thrown.later", 1, rules: RoutingRules(unknownKey: .isSilent, handlerErrors: .kept))
        expectEqual(lines.all.count, 1)
        let answer = await root.proxy.sendAwaiting("thrown.later", source: nil, 1)
        expect(answer.errors.first is Failure)
        expectEqual(lines.all.count, 2)
        root.send("thrown.later", 1, rules: RoutingRules(handlerErrors: .kept))
        for _ in 0..<1_000 where lines.all.count < 3 { await Task.yield() }
        expectEqual(lines.all.last?.hasSuffix("started by a synchronous send: threw Failure: empty"), true)
      }
    }

    @Test("A handler that cannot be called is one warning, also if no node handles the event (E12.2, E12.7)") func oneWarning() throws {
      let root = ResponderNode("root")
      try root.proxy.register("once.save") { (_: AnyObject?, _: Int) in }
      let lines = LogLines()
      EventLog.withLogger(lines.logger()) {
        root.send("once.save")
        _ = root.report("once.save")
      }
      expect(lines.all.count == 2 && lines.all.allSatisfy { $0.contains("the event has 0 arguments, the handler takes 1") })
    }

    @Test func nothingIsWorkedOutWhenItIsOff() throws {
      EventLog.logger = nil
      final class Watched: ResponderNode {
        var queries = 0
        override var responderName: String {
          queries += 1
          return "watched"
        }
      }
      let root = Watched()
      try root.proxy.intercept("other") { _, _, _ in .handled }
      root.send("off.unknown")
      expectEqual(root.queries, 0)
    }

    @Test(
      "A handler that cannot be called is a warning with each preset (E12.7)",
      arguments: [RoutingRules.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast])
    func eachPresetWarns(rules: RoutingRules) throws {
      let lines = LogLines()
      try EventLog.withLogger(lines.logger()) {
        let root = ResponderNode("root")
        let leaf = root.child("leaf")
        let (sender, node) = rules.direction == .up ? (leaf, root) : (root, leaf)
        try node.proxy.register("k") { (_: AnyObject?, n: Int) in }
        let error = try #require(sender.send("k", arguments: ["text"], rules: rules).firstError as? EventError)
        let name = node.responderName
        let text = "event 'k' at '\(name)', handler closure (q): argument 1 (q, Int64): string \"text\" is no Int64"
        expectEqual([error.node?.name, "\(error)"], [name, text])
        let warning = "warning a handler was not called: \(text)"
        // An unhandled event is told of as well where the rules say so; the report names the node, too, and warns again.
        expectEqual(lines.all(containing: "not called"), [warning])
        expectEqual(sender.report("k", arguments: ["text"], rules: rules).errors.map { "\($0)" }, [text])
        expectEqual(lines.all(containing: "not called"), [warning, warning])
      }
    }

    @Test("One that cannot be called among others, and one of a proxy alone, are warned of; what is thrown is no such warning (E12.7)")
    func uncallable() throws {
      let (node, proxy, lines) = (ResponderNode("node"), EventProxy(), LogLines())
      try node.proxy.register("several") { (_: AnyObject?, n: Int) in }
      try node.proxy.intercept("several") { _, _, _ in .handled }
      try node.proxy.register("thrown") { (_: AnyObject?) in throw Refusal(index: 1) }
      try proxy.register("alone") { (_: ResponderNode, n: Int) in }
      EventLog.withLogger(lines.logger()) {
        let outcome = node.send("several", arguments: [nil], rules: .strategy)
        expectEqual([outcome.handledCount, outcome.errorCount, lines.all(containing: "'several' at 'node'").count], [1, 1, 1])
        expectEqual(node.send("thrown", rules: .strategy).firstError as? Refusal, Refusal(index: 1))
        expectEqual([lines.all(containing: "'thrown'").count, lines.all(containing: "not called").count], [1, 1])
        expect(proxy.send("alone", source: node, arguments: ["text"]).failure?.node == nil)
        proxy.send("alone", source: nil, arguments: [1])
        proxy.send("alone", source: nil, 1)
        proxy.send("alone", source: node)
        proxy.send("alone", source: node, 2)
        let texts = lines.all(containing: "a handler was not called: event 'alone', handler closure (q): ")
        expect(texts.count == 4 && lines.all(containing: "'alone'").count == 4)
        expect(texts.first?.hasSuffix("argument 1 (q, Int64): string \"text\" is no Int64") == true)
        expect(texts.last?.hasSuffix("the event has 0 arguments, the handler takes 1") == true)
      }
    }
  }
}
