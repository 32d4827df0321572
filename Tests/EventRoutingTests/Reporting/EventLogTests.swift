import DynamicInvocation
import EventRouting
import Logging
import Testing

extension ProcessWideTests {
  /// Warnings about events that nobody handled.
  @Suite struct EventLogTests {
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
      #expect(lines.all(containing: "\"logged.row.taped\"").first?.contains("did you mean \"logged.row.tapped\" of root?") == true)
      leaf.send("logged.elsewhere")
      #expect(lines.all(containing: "\"logged.elsewhere\"").first?.contains("registered on beside") == true)
      #expect(lines.all(containing: "\"logged.elsewhere\"").first?.hasPrefix("warning") == true)
    }

    @Test("Only silent rules, the level or no logger turn the warning off (E12.2)") func rulesAndLevelsTurnItOff() throws {
      let lines = LogLines()
      EventLog.logger = lines.logger()
      defer { EventLog.logger = nil }
      let root = ResponderNode("root")
      let ended = RoutingRules(unknownKey: .endsAtProxy)
      for rules in [.strategy, .busUp, .busDown, .componentEmit, .componentBroadcast, ended] { root.send("off.key", rules: rules) }
      _ = root.wouldHandle("off.key")
      EventLog.logger = lines.logger(level: .error)
      root.send("off.key")
      EventLog.logger = nil
      root.send("off.key")
      #expect(lines.all(containing: "off.key").count == 0)
      EventLog.logger = lines.logger()
      root.send("off.key")
      _ = root.report("off.key")
      root.send("off.key", rules: RoutingRules(unknownKey: .endsAtTerminal))
      #expect(lines.all(containing: "off.key").count == 3)
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
      #expect(root.queries == 0)
    }
  }
}
