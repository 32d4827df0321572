import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Classes of the main actor, as a GUI toolkit's are.
@MainActor
private class Widget {
  weak var container: Widget?
  let state = ResponderState()
  var taps = 0

  func tapped() { taps += 1 }
}

extension Widget: @MainActor Responder {
  var nextResponder: (any Responder)? { container }
  var responderState: ResponderState? { state }
}

@MainActor
private final class Panel: ResponderNode {
  var taps = 0

  func tapped() { taps += 1 }
}

/// A tree belongs to its isolation domain; what compiles here is the test, what must not is in the article.
@Suite(.measured) struct IsolationTests {
  @MainActor
  @Test func handlersOfTheMainActorKeepIt() throws {
    let root = Widget()
    let leaf = Widget()
    leaf.container = root
    defer { root.state.proxy.removeAllHandlers() }  // they keep it
    try root.state.proxy.intercept("tap") { _, _, _ in
      MainActor.assertIsolated()
      root.tapped()
      return .handled
    }
    expectEqual(leaf.send("tap").handledCount, 1)
    expectEqual(root.taps, 1)
  }

  @MainActor
  @Test func aNodeMayBeOfTheMainActor() throws {
    let panel = Panel("panel")
    let leaf = ResponderNode("leaf")
    panel.addChild(leaf)
    defer { panel.proxy.removeAllHandlers() }  // they keep it
    try panel.proxy.intercept("tap") { _, _, _ in
      panel.tapped()
      return .handled
    }
    expectEqual(leaf.send("tap").handledCount, 1)
    expectEqual(panel.taps, 1)
  }

  private actor Worker {
    let root = ResponderNode("root")
    var count = 0

    func prepare() throws {
      try root.proxy.intercept("work") { [weak self] _, _, _ in
        self?.assumeIsolated { $0.count += 1 }
        return .handled
      }
    }

    func work() -> Bool { root.send("work").isUnhandled }
  }

  @Test func anActorHasATreeOfItsOwn() async throws {
    let worker = Worker()
    try await worker.prepare()
    await expect(!worker.work())
    await expectEqual(worker.count, 1)
  }

  @Test func aTreeMayBeSentToAnotherDomainWhole() async throws {
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    try root.proxy.intercept("k") { _, _, _ in .handled }
    _ = consume leaf
    let names = await Task.detached { root.report("k").names }.value
    expectEqual(names, ["root"])
  }

  @Test func treesOfDifferentTasksDoNotDisturbEachOther() async {
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<16 {
        group.addTask {
          let root = ResponderNode("root")
          let journal = Journal()
          for step in 0..<200 {
            let node = root.child("\(step)")
            do { try node.on("k", journal, reply: .handledAndContinue) } catch { return false }
            guard root.send("k", rules: .componentBroadcast).handledCount == (step % 2) + 1 else { return false }
            if step % 2 == 1 { for child in root.children { child.removeFromParent() } }
          }
          return journal.entries.count == 300 && index >= 0
        }
      }
      for await isRight in group { expect(isRight) }
    }
  }
}
