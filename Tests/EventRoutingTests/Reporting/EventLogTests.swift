import DynamicInvocation
import EventRouting
import Logging
import Synchronization
import Testing

extension ProcessWideTests {
  /// Warnings about events that nobody handled.
  @Suite struct EventLogTests {
    private final class Lines: Sendable {
      private let lines: Mutex<[String]> = Mutex([])

      func add(_ line: String) { lines.withLock { $0.append(line) } }
      func count(containing text: String) -> Int { lines.withLock { $0.count { $0.contains(text) } } }
      func first(containing text: String) -> String? { lines.withLock { $0.first { $0.contains(text) } } }
    }

    private struct Handler: LogHandler {
      let lines: Lines
      var metadata: Logger.Metadata = [:]
      var logLevel: Logger.Level = .warning

      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }

      func log(event: LogEvent) { lines.add("\(event.level) \(event.message)") }
    }

    private func recording(_ lines: Lines, level: Logger.Level = .warning) -> Logger {
      var logger = Logger(label: "test") { _ in Handler(lines: lines) }
      logger.logLevel = level
      return logger
    }

    @Test("An unhandled key is a warning with the nearest keys (E12.2)")
    func anUnhandledKeyIsWarnedOfWithTheNearestKeys() throws {
      let lines = Lines()
      EventLog.logger = recording(lines)
      defer { EventLog.logger = nil }
      let root = ResponderNode("root")
      let leaf = root.child("leaf")
      let beside = root.child("beside")
      try root.proxy.intercept("logged.row.tapped") { _, _, _ in .handled }
      try beside.proxy.intercept("logged.elsewhere") { _, _, _ in .handled }
      leaf.send("logged.row.taped")
      #expect(lines.first(containing: "\"logged.row.taped\"")?.contains("did you mean \"logged.row.tapped\" of root?") == true)
      leaf.send("logged.elsewhere")
      #expect(lines.first(containing: "\"logged.elsewhere\"")?.contains("registered on beside") == true)
      #expect(lines.first(containing: "\"logged.elsewhere\"")?.hasPrefix("warning") == true)
    }

    @Test("Only silent rules, the level or no logger turn the warning off (E12.2)") func rulesAndLevelsTurnItOff() throws {
      let lines = Lines()
      EventLog.logger = recording(lines)
      defer { EventLog.logger = nil }
      let root = ResponderNode("root")
      let ended = RoutingRules(unknownKey: .endsAtProxy)
      for rules in [.strategy, .busUp, .busDown, .componentEmit, .componentBroadcast, ended] { root.send("off.key", rules: rules) }
      _ = root.wouldHandle("off.key")
      EventLog.logger = recording(lines, level: .error)
      root.send("off.key")
      EventLog.logger = nil
      root.send("off.key")
      #expect(lines.count(containing: "off.key") == 0)
      EventLog.logger = recording(lines)
      root.send("off.key")
      _ = root.report("off.key")
      root.send("off.key", rules: RoutingRules(unknownKey: .endsAtTerminal))
      #expect(lines.count(containing: "off.key") == 3)
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
