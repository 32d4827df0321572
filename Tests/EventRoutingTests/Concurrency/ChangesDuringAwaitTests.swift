import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Changes of the tree and of the handlers while an asynchronous handler is suspended.
@MainActor
@Suite(.measured) struct ChangesDuringAwaitTests {
  private let journal = Journal()
  private let root = ResponderNode("root")
  private let middle: ResponderNode
  private let leaf: ResponderNode
  private let gate = Gate()

  /// Suspends a handler until it is opened.
  @MainActor private final class Gate {
    private var continuations: [CheckedContinuation<Void, Never>] = []
    private(set) var isReached = false

    func pass() async {
      isReached = true
      await withCheckedContinuation { continuations.append($0) }
    }

    func open() {
      for continuation in continuations { continuation.resume() }
      continuations = []
    }
  }

  init() {
    middle = root.child("middle")
    leaf = middle.child("leaf")
  }

  /// Removes all handlers, which keep the nodes alive, also of nodes that are detached.
  private func removeHandlers() {
    for node in [root, middle, leaf] { node.removeHandlers() }
  }

  /// Sends an event whose handler at the leaf is suspended, changes something then, and returns the report.
  private func report(_ change: () throws -> Void) async throws -> DispatchReport {
    try leaf.proxy.register("k", options: HandlerOptions(reply: .handledAndContinue, duplicates: .append)) {
      (_: AnyObject?) async in
      journal.note("leaf")
      await gate.pass()
    }
    let task = Task { await leaf.reportAwaiting("k") }
    while !gate.isReached { await pause() }
    try change()
    gate.open()
    return await task.value
  }

  private func on(_ node: ResponderNode, _ name: String) throws -> EventRegistration {
    try node.proxy.register("k", options: HandlerOptions(reply: .handledAndContinue, duplicates: .append)) { (_: AnyObject?) async in
      journal.note(name)
    }
  }

  @Test("A handler that is registered meanwhile is not called, one that is removed neither (E18.5)") func handlers() async throws {
    defer { removeHandlers() }
    let removed = try on(root, "removed")
    _ = try on(root, "kept")
    let report = try await report {
      _ = try on(leaf, "new at the leaf")
      _ = try on(root, "new at the root")
      removed.cancel()
    }
    #expect(journal.entries == ["leaf", "kept"])
    #expect(report.handledBy.map(\.name) == ["leaf", "root"])
  }

  @Test("A handler that replaces the only one of a node meanwhile is not called (E18.5)") func replaced() async throws {
    defer { removeHandlers() }
    let former = try on(root, "former")
    let report = try await report {
      former.cancel()
      try root.proxy.register("k", options: HandlerOptions(reply: .handledAndContinue)) { [journal] (_: AnyObject?) async in
        journal.note("new")
      }
    }
    #expect(journal.entries == ["leaf"])
    #expect(report.handledBy.map(\.name) == ["leaf"])
  }

  @Test("The handler that is suspended may be removed, and ends (E18.5)") func itself() async throws {
    defer { removeHandlers() }
    let report = try await report { leaf.proxy.removeAllHandlers() }
    #expect(report.handledBy.map(\.name) == ["leaf"] && leaf.proxy.keys.isEmpty)
  }

  private final class Captured {}

  @Test(
    "What the suspended handler has captured stays alive until it returns, though its registration is gone (E18.5)",
    arguments: [1, 2], [false, true])
  func captured(count: Int, isBoxed: Bool) async throws {
    for sendsToNode in [true, false] {
      let (gate, journal) = (Gate(), Journal())
      var node: ResponderNode? = ResponderNode("node")
      let proxy = try #require(node?.proxy)
      weak var observed: Captured?
      for index in 0..<count {
        let captured = Captured()
        if index == 0 { observed = captured }
        try proxy.register("k", options: HandlerOptions(reply: .handledAndContinue, duplicates: .append)) {
          (_: AnyObject?, value: Int) async in
          if index == 0 { await gate.pass() }
          journal.note("\(value) \(type(of: captured))")
        }
      }
      let task: Task<Void, Never>
      if sendsToNode {
        let sender = try #require(node)
        task =
          isBoxed
          ? Task { _ = await sender.sendAwaiting("k", arguments: [.int(7)]) } : Task { _ = await sender.sendAwaiting("k", 7) }
      } else {
        task =
          isBoxed
          ? Task { _ = await proxy.sendAwaiting("k", source: nil, arguments: [.int(7)]) }
          : Task { _ = await proxy.sendAwaiting("k", source: nil, 7) }
      }
      while !gate.isReached { await pause() }
      proxy.removeAllHandlers()
      node = nil
      #expect(observed != nil)
      gate.open()
      await task.value
      // The second one was removed before it was called.
      #expect(journal.entries == ["7 Captured"])
      #expect(observed == nil)
    }
  }

  @Test("Nodes that are detached or deallocated meanwhile are skipped (E18.5)") func nodes() async throws {
    defer { removeHandlers() }
    let guest = ResponderNode("guest")
    root.addChild(guest)
    _ = try on(middle, "middle")
    _ = try on(root, "root")
    let report = try await report { middle.removeFromParent() }
    #expect(journal.entries == ["leaf", "root"])
    #expect(report.visits.map(\.answer) == [.handled, .removed, .handled])
  }

  @Test("The path of a pass is kept while a handler is suspended, and no node of it (E18.5)") func deallocated() async throws {
    defer { removeHandlers() }
    var top: ResponderNode? = ResponderNode("top")
    weak let observed = top
    top?.addChild(root)
    _ = try top.map { try on($0, "top") }
    let report = try await report { top = nil }
    #expect(observed == nil && journal.entries == ["leaf"])
    #expect(report.visits.last?.answer == .removed && report.visits.last?.responder == nil)
  }

  @Test("A token that ends meanwhile ends its handlers (E18.5)") func tokens() async throws {
    defer { removeHandlers() }
    let token = EventToken()
    try on(root, "root").end(with: token)
    _ = try await report { token.cancel() }
    #expect(journal.entries == ["leaf"])
  }

  @Test("A weak target stays alive until its handler returns (E18.6)") func target() async throws {
    defer { removeHandlers() }
    final class Target {}
    var target: Target? = Target()
    weak let observed = target
    try target.map {
      _ = try root.proxy.register("k", target: $0) { (target: Target) in
        { (_: AnyObject?) async in
          await gate.pass()
          journal.note("\(target === observed)")
        }
      }
    }
    let task = Task { await leaf.sendAwaiting("k") }
    while !gate.isReached { await pause() }
    target = nil
    #expect(observed != nil)
    gate.open()
    #expect(await task.value.handledCount == 1)
    #expect(observed == nil && journal.entries == ["true"])
  }

  @Test("A handler that runs once is not called by another event while it is suspended (E18.5)") func once() async throws {
    defer { removeHandlers() }
    try root.proxy.register("k", options: HandlerOptions(isOnce: true)) { (_: AnyObject?) async in
      journal.note("once")
      await gate.pass()
    }
    let first = Task { await leaf.sendAwaiting("k") }
    while !gate.isReached { await pause() }
    #expect(await leaf.sendAwaiting("k", rules: .strategy).isUnhandled)
    gate.open()
    #expect(await first.value.handledCount == 1)
    #expect(journal.entries == ["once"] && root.proxy.keys.isEmpty)
  }

  @Test("Other events are delivered while a handler is suspended (E18.5)") func otherEvents() async throws {
    defer { removeHandlers() }
    try root.proxy.register("other") { (_: AnyObject?) in journal.note("other") }
    let report = try await report {
      #expect(leaf.send("other").handledCount == 1)
      #expect(EventContext.current == nil)
    }
    #expect(report.handledBy.map(\.name) == ["leaf"] && journal.entries == ["leaf", "other"])
  }
}
