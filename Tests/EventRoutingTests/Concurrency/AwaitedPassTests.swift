import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What passes that wait share with others: where they end, resends, and the handlers of stopped events.
@MainActor
@Suite(.measured) struct AwaitedPassTests {
  private let journal = Journal()
  private let root = ResponderNode("root")
  private let middle: ResponderNode
  private let leaf: ResponderNode
  private let other: ResponderNode

  init() {
    middle = root.child("middle")
    leaf = middle.child("leaf")
    other = root.child("other")
  }

  /// Registers an asynchronous handler that notes the node and the key.
  private func on(_ node: ResponderNode, _ key: EventKey, seesStopped: Bool = false, reply: EventReply = .handledAndContinue) throws {
    let options = HandlerOptions(duplicates: .append, seesStopped: seesStopped)
    try node.proxy.intercept(key, options: options) { [journal, unowned node] _, key, _ async in
      journal.note("\(node.responderName).\(key)")
      return reply
    }
  }

  @Test("A pass that ends below a node that resent the event leaves nothing to the next pass (E18.1)") func endsBelow() async throws {
    try on(middle, "old", reply: .resend("new", []))
    try on(leaf, "new", reply: .handledAndStop(.pass))
    try on(other, "old")
    for _ in 0..<3 {
      #expect(await root.sendAwaiting("old", rules: .busDown).stopped == .pass)
      #expect(await other.sendAwaiting("old", rules: .busDown).handledCount == 1)
    }
    #expect(journal.entries == Array(repeating: ["middle.old", "leaf.new", "other.old"], count: 3).flatMap(\.self))
  }

  @Test("A handler that is registered below a node that resent the event waits for the next event beside it, too (E7.4)")
  func registeredBelow() async throws {
    try on(middle, "old", reply: .resend("new", []))
    try on(other, "old")
    try leaf.proxy.intercept("new") { [journal, other] _, _, _ async in
      _ = try? other.proxy.intercept("old", options: HandlerOptions(duplicates: .append)) { _, _, _ in
        journal.note("too early")
        return .handledAndContinue
      }
      return .handledAndContinue
    }
    await root.sendAwaiting("old", rules: .busDown)
    #expect(journal.entries == ["middle.old", "other.old"])
  }

  @Test("After a stop a node ends the pass up if it ends what its handlers ignore (E15.5)") func endsAfterStop() async throws {
    middle.terminality = .forOwnKeys
    try on(leaf, "k", reply: .handledAndStop(.pass))
    try on(middle, "k", seesStopped: true)
    try on(root, "k", seesStopped: true)
    for (unknownKey, rest) in [(RoutingRules.UnknownKey.isSilent, ["root.k"]), (.endsAtTerminal, [])] {
      journal.entries = []
      await leaf.sendAwaiting("k", rules: RoutingRules(unknownKey: unknownKey))
      #expect(journal.entries == ["leaf.k", "middle.k"] + rest)
    }
  }

  @Test("A handler that is registered in the capture phase receives the event, once it was resent under the same key (E7.4, E18.1)")
  func registeredWhileCapturing() async throws {
    var rules = RoutingRules.strategy
    rules.hasCapturePhase = true
    func tree() throws -> ResponderNode {
      let root = ResponderNode("root")
      var isFirst = true
      try root.proxy.register("k", options: HandlerOptions(direction: .capture)) { [unowned root] (_: AnyObject?) throws -> EventReply in
        if isFirst { try root.proxy.register("k", options: HandlerOptions(duplicates: .append, direction: .up)) { (_: AnyObject?) in } }
        isFirst = false
        return .resend("k", [])
      }
      return root
    }
    #expect(try tree().send("k", rules: rules).handledCount == 1)
    #expect(try await tree().sendAwaiting("k", rules: rules).handledCount == 1)
  }

  @Test("Tasks that come after many suspended ones are within no event (E18.1)") func manyTasks() async throws {
    let (gate, last) = (Gate(), Gate())
    try root.proxy.register("waits") { (_: AnyObject?, gate: Gate) async in await gate.wait() }
    // More than have a slot of their own.
    let waiting = (0..<1_500).map { _ in Task { await root.sendAwaiting("waits", gate) } }
    while gate.count < waiting.count { await pause() }
    // Without a pass that waits, none is looked for.
    let held = Task { await root.sendAwaiting("waits", last) }
    while last.count < 1 { await pause() }
    gate.open()
    for task in waiting { #expect(await task.value.handledCount == 1) }
    // Their memory is used again, some for the tasks that come.
    for _ in 0..<4 {
      let tasks = (0..<1_500).map { _ in Task { EventContext.current?.key } }
      for task in tasks { #expect(await task.value == nil) }
    }
    last.open()
    #expect(await held.value.handledCount == 1)
  }

  /// Lets those that wait go on together.
  @MainActor private final class Gate: EncodedObject {
    private var continuations: [CheckedContinuation<Void, Never>] = []

    var count: Int { continuations.count }

    func wait() async { await withCheckedContinuation { continuations.append($0) } }

    func open() {
      for continuation in continuations { continuation.resume() }
      continuations = []
    }
  }

  @Test("The report of a typed event that waits is that of the boxed one (E18.1)") func typedReport() async throws {
    let tapped: TypedEventKey<(Int, String)> = "tapped"
    try root.proxy.register(tapped) { [journal] (source: ResponderNode?, index: Int, title: String) async in
      await Task.yield()
      journal.note("\(source?.responderName ?? "nil") \(index) \(title)")
    }
    let typed = await leaf.reportAwaiting(tapped, 3, "title")
    let boxed = await leaf.reportAwaiting("tapped", arguments: [3, "title"])
    let without = await leaf.reportAwaiting(tapped, source: nil, 3, "title", rules: .strategy)
    #expect(typed == boxed && typed.handledBy.map(\.name) == ["root"])
    #expect(without.handlerCount == 1)
    #expect(journal.entries == ["leaf 3 title", "leaf 3 title", "nil 3 title"])
  }
}
