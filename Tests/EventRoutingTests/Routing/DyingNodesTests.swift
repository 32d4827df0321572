import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Nodes that die while an event is on its way: one rule for nodes and for objects of other classes.
@Suite(.measured) struct DyingNodesTests {
  /// A node of another class, linked up by weak nexts; its owner keeps it.
  private final class Linked: Responder {
    let responderName: String
    weak var next: Linked?
    var below: [Linked] = []
    let state = ResponderState()

    init(_ name: String) { responderName = name }

    var nextResponder: (any Responder)? { next }
    var childResponders: [any Responder] { below }
    var responderState: ResponderState? { state }
  }

  private let journal = Journal()

  @Test(
    "Upward, a node of which a handler lets go before its turn is not called, and the way goes on (E7.6)",
    arguments: [RoutingRules.router, .busUp])
  func foreignUp(rules: RoutingRules) throws {
    let leaf = Linked("leaf")
    let first = Linked("first")
    var second: Linked? = Linked("second")
    weak let weakSecond = second
    let third = Linked("third")
    leaf.next = first
    first.next = second
    second?.next = third
    try first.state.proxy.intercept("k") { [journal] _, _, _ in
      journal.note("first")
      second = nil
      #expect(weakSecond == nil)
      return .handledAndContinue
    }
    try second?.state.proxy.on("k", journal, "second", reply: .handledAndContinue)
    try third.state.proxy.on("k", journal, "third")
    leaf.send("k", rules: rules)
    #expect(journal.entries == ["first", "third"])
    withExtendedLifetime((first, third)) {}
  }

  @Test("Upward, nodes do the same") func nodesUp() throws {
    let leaf = ResponderNode("leaf")
    var second: ResponderNode? = ResponderNode("second")
    let third = ResponderNode("third")
    leaf.nextOverride = second
    second?.nextOverride = third
    try leaf.proxy.intercept("k") { [journal] _, _, _ in
      journal.note("leaf")
      second = nil
      return .handledAndContinue
    }
    try second?.on("k", journal)
    try third.on("k", journal)
    leaf.send("k", rules: .router)
    #expect(journal.entries == ["leaf", "third.k"])
    withExtendedLifetime(third) {}
  }

  @Test("A dead node stands in the report as removed, without a name") func reports() throws {
    let leaf = Linked("leaf")
    var second: Linked? = Linked("second")
    leaf.next = second
    try leaf.state.proxy.intercept("k") { _, _, _ in
      second = nil
      return .handledAndContinue
    }
    try second?.state.proxy.on("k", journal, "second")
    let report = leaf.report("k")
    #expect(report.visits.map(\.answer) == [.handled, .removed])
    #expect(report.visits[1].responder == nil)
    #expect(journal.entries.isEmpty)
  }

  @Test("Downward, a node of which a handler lets go before its turn is not called, listed as a child or not (E7.6)")
  func foreignDown() throws {
    let root = Linked("root")
    let first = Linked("first")
    var second: Linked? = Linked("second")
    weak let weakSecond = second
    let third = Linked("third")
    for node in [first, second, third].compactMap({ $0 }) {
      root.below.append(node)
      // The second's nexts lead nowhere: only its life tells whether it is still there.
      if node !== second { node.next = root }
    }
    try first.state.proxy.intercept("k") { [unowned root] _, _, _ in
      root.below.remove(at: 1)
      second = nil
      #expect(weakSecond == nil)
      return .handledAndContinue
    }
    try second?.state.proxy.on("k", journal, "second")
    try third.state.proxy.on("k", journal, "third")
    let report = root.report("k", rules: .busDown)
    #expect(report.visits.map(\.answer) == [.passed, .handled, .removed, .handled])
    #expect(journal.entries == ["third"])
  }

  @Test("A node that dies of its own handler, which sends the event on, has nothing below any more") func ownHandler() throws {
    let root = Linked("root")
    var middle: Linked? = Linked("middle")
    weak let weakMiddle = middle
    let leaf = Linked("leaf")
    middle?.below = [leaf]
    middle?.next = root
    leaf.next = middle
    root.below = [middle].compactMap { $0 }
    try middle?.state.proxy.intercept("k") { [unowned root] _, _, _ in
      root.below = []
      middle = nil
      #expect(weakMiddle == nil)
      return .resend("l", [])
    }
    try leaf.state.proxy.on("l", journal, "leaf")
    #expect(root.send("k", rules: .busDown).isUnhandled)
    #expect(journal.entries.isEmpty)
  }

  /// Owns a node until a handler lets go of it.
  private final class Owner {
    var node: (any Responder)?
    var error: SendOutcome.RoutingError?
  }

  enum Way: CaseIterable { case send, sendAwaiting, report, reportAwaiting }

  @Test("The error of a handler names no node that died while another handler of it ran", arguments: Way.allCases, [true, false])
  @MainActor
  func handlerErrors(way: Way, isForeign: Bool) async throws {
    let owner = Owner()
    let leaf: any Responder
    if isForeign {
      let (top, below) = (Linked("top"), Linked("leaf"))
      below.next = top
      (owner.node, leaf) = (top, below)
    } else {
      let top = ResponderNode("top")
      (owner.node, leaf) = (top, top.child("leaf"))
    }
    let options = HandlerOptions(reply: .handledAndContinue, duplicates: .append)
    if way == .sendAwaiting || way == .reportAwaiting {
      try owner.node?.proxy.register("k", options: options) { (_: AnyObject?) async in
        owner.node = nil
        await Task.yield()
      }
    } else {
      try owner.node?.proxy.register("k", options: options) { (_: AnyObject?) in owner.node = nil }
    }
    try owner.node?.proxy.register("k", options: options) { (_: AnyObject?, _: Int) in journal.note("called") }
    let error: (any Error)? =
      switch way {
      case .send: leaf.send("k").firstError
      case .sendAwaiting: await leaf.sendAwaiting("k").firstError
      case .report: leaf.report("k").errors.first
      case .reportAwaiting: await leaf.reportAwaiting("k").errors.first
      }
    #expect(owner.node == nil && journal.entries.isEmpty)
    let failure = try #require(error as? EventError)
    // A report holds the node while it is made.
    #expect(failure.node?.name == (way == .report || way == .reportAwaiting ? "top" : nil))
  }

  @Test("The error of a loop and of a send nested too deep names no node that has died") func errors() throws {
    var first: Linked? = Linked("first")
    let second = Linked("second")
    first?.next = second
    try first?.state.proxy.intercept("B") { _, _, _ in .resend("C", []) }
    try second.state.proxy.intercept("C") { _, _, _ in
      first = nil
      return .resend("B", [])
    }
    let leaf = Linked("leaf")
    leaf.next = first
    #expect(
      leaf.send("B").routingError
        == .resendLoop([.init(key: "B", node: nil), .init(key: "C", node: "second"), .init(key: "B", node: nil)]))
    withExtendedLifetime(second) {}
  }

  /// Leaves its tree when it is asked for its name.
  private final class Shy: ResponderNode {
    override var responderName: String {
      removeFromParent()
      return "shy"
    }
  }

  /// A leaf below nodes that only their parents keep.
  private func shyTree(of count: Int) -> (root: ResponderNode, leaf: ResponderNode) {
    let root = ResponderNode("root")
    var here = root
    for _ in 0..<count {
      let node = Shy()
      here.addChild(node)
      here = node
    }
    return (root, here.child("leaf"))
  }

  enum ReportWay: CaseIterable { case report, reportAwaiting, dryRun, observed }

  @Test("A node that leaves the tree, and dies, when a report asks for its name was passed (E7.2, E7.6)", arguments: ReportWay.allCases)
  func shyNodes(way: ReportWay) async throws {
    for (count, isHandled) in [(1, false), (1, true), (2, false), (5, true)] {
      let (root, leaf) = shyTree(of: count)
      if isHandled { try root.on("k", journal) }
      var report: DispatchReport?
      switch way {
      case .report: report = leaf.report("k", rules: .strategy)
      case .reportAwaiting: report = await leaf.reportAwaiting("k", rules: .strategy)
      case .dryRun: report = leaf.dryRun("k", rules: .strategy)
      case .observed:
        let seen = Locked<DispatchReport?>(nil)
        _ = DispatchReport.Observer.watching(after: { report in seen.withLock { $0 = report } }) { leaf.send("k", rules: .strategy) }
        report = seen.withLock { $0 }
      }
      let found = try #require(report)
      #expect(found.names == ["leaf"] + Array(repeating: "shy", count: count) + ["root"])
      #expect(found.visits.map(\.depth) == Array(0..<(count + 2)))
      #expect(found.visits.dropLast().allSatisfy { $0.answer == .passed })
      #expect(found.isUnhandled == !isHandled && found.routingError == nil && leaf.parent == nil && root.children.isEmpty)
    }
    #expect(journal.entries.count == (way == .dryRun ? 0 : 2))
  }

  /// Sends an event when it is deallocated.
  private final class Sending: EncodedObject {
    private let node = ResponderNode("sending")
    private let seen: (SendOutcome.RoutingError?) -> Void

    init(_ seen: @escaping (SendOutcome.RoutingError?) -> Void) { self.seen = seen }

    deinit {
      var rules = RoutingRules.strategy
      rules.depthLimit = 1
      seen(node.send("nested", rules: rules).routingError)
    }
  }

  @Test("The error of an event that is sent when the handlers of a node have ended does not name it (E7.6)") func afterHandlers() throws {
    let owner = Owner()
    func makeLeaf() throws -> ResponderNode {
      let top = ResponderNode("top")
      owner.node = top
      try top.proxy.intercept("k") { _, _, _ in
        owner.node = nil
        return .resend("next", [.object(Sending { owner.error = $0 })])
      }
      return top.child("leaf")
    }
    let leaf = try makeLeaf()
    leaf.send("k")
    #expect(owner.node == nil && leaf.parent == nil)
    #expect(owner.error == .depthExceeded(limit: 1, [.init(key: "k", node: nil), .init(key: "nested", node: "sending")]))
  }
}
