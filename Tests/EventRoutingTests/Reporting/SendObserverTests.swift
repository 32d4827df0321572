import DynamicInvocation
import EventRouting
import TestSupport
import Testing

extension ProcessWideTests {
  /// Those who watch every send; other tests send meanwhile, so each looks for keys of its own.
  @Suite(.measured) struct SendObserverTests {
    @Test("Observers see every send before and after it (E12.9)") func observersSeeEverySendBeforeAndAfter() throws {
      let seen = LogLines()
      let root = ResponderNode("root")
      let leaf = root.child("leaf")
      try root.proxy.register("watched.k") { (_: AnyObject?) in seen.add("handler") }
      let observer = DispatchReport.Observer { key, sender, rules in
        if key == "watched.k" { seen.add("before \(sender) \(rules.direction)") }
      } after: { report in
        if report.key == "watched.k" { seen.add("after \(report.handledBy)") }
      }
      expectEqual(leaf.send("watched.k").handledCount, 1)
      expectEqual(seen.all, ["before leaf up", "handler", "after [root]"])
      observer.cancel()
      observer.cancel()
      leaf.send("watched.k")
      expectEqual(seen.all.count, 4)
    }

    @Test("Observers see unhandled sends, and no dry runs (E12.9)") func observersSeeUnhandledSendsButNoDryRuns() {
      let seen = LogLines()
      let root = ResponderNode("root")
      let observer = DispatchReport.Observer(after: { report in
        if report.key == "watched.nobody" { seen.add("\(report.outcome.isUnhandled)") }
      })
      _ = root.dryRun("watched.nobody")
      root.send("watched.nobody", rules: .strategy)
      _ = root.report("watched.nobody", rules: .strategy)
      expectEqual(seen.all, ["true", "true"])
      withExtendedLifetime(observer) {}
    }

    @Test func severalObserversAreCalledInOrderAndEndWithTheirLives() {
      let seen = LogLines()
      let root = ResponderNode("root")
      let first = DispatchReport.Observer(before: { key, _, _ in if key == "watched.order" { seen.add("1") } })
      do {
        let second = DispatchReport.Observer(before: { key, _, _ in if key == "watched.order" { seen.add("2") } })
        root.send("watched.order", rules: .strategy)
        withExtendedLifetime(second) {}
      }
      root.send("watched.order", rules: .strategy)
      expectEqual(seen.all, ["1", "2", "1"])
      withExtendedLifetime(first) {}
    }

    @Test func anObserverMaySend() throws {
      let seen = LogLines()
      let observer = DispatchReport.Observer(after: { report in
        guard report.key == "watched.first" else { return }
        let node = ResponderNode("inner")
        node.send("watched.second", rules: .strategy)
        seen.add("first")
      })
      let other = DispatchReport.Observer(after: { report in if report.key == "watched.second" { seen.add("second") } })
      ResponderNode("root").send("watched.first", rules: .strategy)
      expectEqual(seen.all, ["second", "first"])
      withExtendedLifetime((observer, other)) {}
    }
  }
}
