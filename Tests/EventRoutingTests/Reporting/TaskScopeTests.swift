import DynamicInvocation
import EventRouting
import Logging
import Synchronization
import Testing

/// Loggers and observers of a task, which do not see what others send: beside all other tests, and each other.
@Suite struct TaskScopeTests {
  private final class Lines: Sendable {
    private let lines: Mutex<[String]> = Mutex([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add("\(event.message)") }
  }

  @Test("Tasks side by side write to a logger each", arguments: 0..<4) func loggers(number: Int) async {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines) }
    let key = EventKey("scope.\(number)")
    await EventLog.withLogger(logger) {
      for _ in 0..<50 {
        ResponderNode("root").send(key)
        await Task.yield()
      }
      // A task made within writes there, too; one without a logger writes nowhere.
      await Task { _ = ResponderNode("child").send(key) }.value
      EventLog.withLogger(nil) { _ = ResponderNode("quiet").send("scope.quiet") }
    }
    #expect(lines.all == Array(repeating: "no handler handled \"scope.\(number)\"", count: 51))
  }

  @Test("Tasks side by side watch their own sends only", arguments: 0..<4) func observers(number: Int) async {
    let seen = Lines()
    let key = EventKey("scope.watched.\(number)")
    await SendObserver.watching(before: { key, sender, _ in seen.add("before \(key) from \(sender)") }) {
      for _ in 0..<50 {
        ResponderNode("root").send(key, rules: .strategy)
        await Task.yield()
      }
    }
    ResponderNode("root").send(key, rules: .strategy)
    #expect(seen.all == Array(repeating: "before scope.watched.\(number) from root", count: 50))
  }

  @Test("Observers of a task are called from the outermost in, handlers' sends included") func nested() throws {
    let seen = Lines()
    let root = ResponderNode("root")
    try root.proxy.register("scope.outer") { [unowned root] (_: AnyObject?) in
      root.send("scope.inner", rules: .strategy)
    }
    SendObserver.watching(after: { seen.add("1 \($0.key) \($0.isUnhandled)") }) {
      SendObserver.watching(after: { seen.add("2 \($0.key)") }) { _ = root.send("scope.outer") }
    }
    #expect(seen.all == ["1 scope.inner true", "2 scope.inner", "1 scope.outer false", "2 scope.outer"])
  }
}
