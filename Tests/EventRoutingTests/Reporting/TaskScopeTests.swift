import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Loggers and observers of a task, which do not see what others send: beside all other tests, and each other.
@Suite(.measured) struct TaskScopeTests {
  @Test("Tasks side by side write to a logger each", arguments: 0..<4) func loggers(number: Int) async {
    let lines = LogLines()
    let key = EventKey("scope.\(number)")
    await EventLog.withLogger(lines.logger()) {
      for _ in 0..<50 {
        ResponderNode("root").send(key)
        await Task.yield()
      }
      // A task made within writes there, too; one without a logger writes nowhere.
      await Task { _ = ResponderNode("child").send(key) }.value
      EventLog.withLogger(nil) { _ = ResponderNode("quiet").send("scope.quiet") }
    }
    expectEqual(lines.all, Array(repeating: "warning no handler handled \"scope.\(number)\"", count: 51))
  }

  @Test("Tasks side by side watch their own sends only", arguments: 0..<4) func observers(number: Int) async {
    let seen = LogLines()
    let key = EventKey("scope.watched.\(number)")
    await DispatchReport.Observer.watching(before: { key, sender, _ in seen.add("before \(key) from \(sender)") }) {
      for _ in 0..<50 {
        ResponderNode("root").send(key, rules: .strategy)
        await Task.yield()
      }
    }
    ResponderNode("root").send(key, rules: .strategy)
    expectEqual(seen.all, Array(repeating: "before scope.watched.\(number) from root", count: 50))
  }

  @Test("Observers of a task are called from the outermost in, handlers' sends included") func nested() throws {
    let seen = LogLines()
    let root = ResponderNode("root")
    try root.proxy.register("scope.outer") { [unowned root] (_: AnyObject?) in
      root.send("scope.inner", rules: .strategy)
    }
    DispatchReport.Observer.watching(after: { seen.add("1 \($0.key) \($0.outcome.isUnhandled)") }) {
      DispatchReport.Observer.watching(after: { seen.add("2 \($0.key)") }) { _ = root.send("scope.outer") }
    }
    expectEqual(seen.all, ["1 scope.inner true", "2 scope.inner", "1 scope.outer false", "2 scope.outer"])
  }
}
