import DynamicInvocation
import EventRouting
import TestSupport
import Testing

extension ProcessWideTests {
  /// Task-local values that watchers bind around sends, as adapters of tracing do.
  @Suite(.measured) struct SendWatcherTests {
    @TaskLocal private static var path: String = ""

    private struct Watcher: SendWatcher {
      let name: String
      let lines: LogLines

      func watch(_ key: EventKey, from sender: DispatchReport.NodeIdentity, _ rules: RoutingRules, isAwaited: Bool) -> (any SendWatch)? {
        key.name.hasPrefix("traced")
          ? Watch(name: "\(SendWatcherTests.path)/\(name)\(isAwaited ? " awaits" : "") \(key)", lines: lines) : nil
      }
    }

    private struct Watch: SendWatch {
      let name: String
      let lines: LogLines

      func run(_ pass: () -> SendOutcome) -> SendOutcome { SendWatcherTests.$path.withValue(name, operation: pass) }

      func run(awaiting pass: () async -> SendOutcome, isolation actor: isolated (any Actor)?) async -> SendOutcome {
        await SendWatcherTests.$path.withValue(name, operation: pass, isolation: actor)
      }

      func end(_ report: DispatchReport) { lines.add("end \(name): \(report.handledBy.count)") }
    }

    @Test("Watchers run around sends, nested, also of handlers that suspend (E12.10)") @MainActor func nested() async throws {
      let lines = LogLines()
      let (root, leaf) = (ResponderNode("root"), ResponderNode("leaf"))
      root.addChild(leaf)
      try root.proxy.register("traced.outer") { [unowned leaf] (_: AnyObject?) async in
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
        lines.add("handler in \(Self.path)")
        leaf.send("traced.inner")
      }
      try root.proxy.register("traced.inner") { (_: AnyObject?) in lines.add("handler in \(Self.path)") }
      let watchers = ["a", "b"].map { DispatchReport.Observer(watcher: Watcher(name: $0, lines: lines)) }
      #expect(await leaf.sendAwaiting("traced.outer").isHandled)
      _ = leaf.dryRun("traced.outer")
      leaf.send("other", rules: .strategy)
      for watcher in watchers { watcher.cancel() }
      leaf.send("traced.inner")
      #expect(
        lines.all == [
          "handler in /b awaits traced.outer", "handler in /b awaits traced.outer/b traced.inner",
          "end /b awaits traced.outer/b traced.inner: 1", "end /b awaits traced.outer/a traced.inner: 1", "end /b awaits traced.outer: 1",
          "end /a awaits traced.outer: 1", "handler in ",
        ])
    }
  }
}
