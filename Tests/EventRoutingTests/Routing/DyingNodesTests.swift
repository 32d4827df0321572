import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Nodes that die while an event is on its way: one rule for nodes and for objects of other classes.
@Suite(.measured) struct DyingNodesTests {
  private let journal = Journal()

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
      let (top, below) = (View("top"), View("leaf"))
      below.superview = top
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
    expect(owner.node == nil && journal.entries.isEmpty)
    let failure = try #require(error as? EventError)
    // A report holds the node while it is made.
    expectEqual(failure.node?.name, (way == .report || way == .reportAwaiting ? "top" : nil))
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
      expectEqual(found.names, ["leaf"] + Array(repeating: "shy", count: count) + ["root"])
      expectEqual(found.visits.map(\.depth), Array(0..<(count + 2)))
      expect(found.visits.dropLast().allSatisfy { $0.answer == .passed })
      expect(found.outcome.isUnhandled == !isHandled && found.outcome.routingError == nil && leaf.parent == nil && root.children.isEmpty)
    }
    expectEqual(journal.entries.count, (way == .dryRun ? 0 : 2))
  }

  /// Sends an event when it is deallocated.
  private final class Sending: EncodedObject {
    private let node = ResponderNode("sending")
    private let seen: (SendOutcome.RoutingError?) -> Void

    init(_ seen: @escaping (SendOutcome.RoutingError?) -> Void) { self.seen = seen }

    deinit {
      let rules = RoutingRules(unknownKey: .isSilent, depthLimit: 1)
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
    expect(owner.node == nil && leaf.parent == nil)
    expectEqual(owner.error, .depthExceeded(limit: 1, [.init(key: "k", node: nil), .init(key: "nested", node: "sending")]))
  }
}
