import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Rewrites that handlers have declared.
@Suite(.measured) struct DeclaredRewriteTests {
  private let journal = Journal()
  private let controller = ResponderNode("controller")
  private let table: ResponderNode
  private let cell: ResponderNode

  /// The cell sends B; the table makes C of it, which the controller handles.
  init() {
    table = controller.child("table")
    cell = table.child("cell")
  }

  private func declare(_ answer: EventReply, options: HandlerOptions = HandlerOptions(rewritesTo: "C")) throws {
    try table.proxy.intercept("B", options: options) { _, _, _ in answer }
    try controller.on("C", journal)
  }

  @Test("A dry run follows a declared rewrite, and equals the report of a send that does so (E12.5, E12.6)")
  func dryRun() throws {
    try declare(.resend("C", []))
    let dry = cell.dryRun("B")
    #expect(dry.visits.map(\.answer) == [.passed, .resent, .stopped(.pass)])
    #expect(dry.handledBy.map(\.name) == ["controller"])
    #expect(dry.rewrites.map { "\($0.from) → \($0.to)" } == ["B → C"])
    #expect(journal.entries.isEmpty)
    let report = cell.report("B")
    #expect(report == dry)
    #expect(journal.entries == ["controller.C"])
    #expect(report.visits.filter { !$0.notes.isEmpty }.isEmpty)
  }

  @Test("Downward too, below the node only, and a loop of declared keys is found without a call") func downward() throws {
    try table.proxy.intercept("B", options: HandlerOptions(rewritesTo: "C")) { _, _, _ in .resend("C", []) }
    try cell.proxy.intercept("C", options: HandlerOptions(rewritesTo: "B")) { _, _, _ in .resend("B", []) }
    let beside = controller.child("beside")
    try beside.on("B", journal)
    let dry = controller.dryRun("B", rules: .busDown)
    #expect(dry.handledBy.map(\.name) == ["beside"])
    #expect(dry.routingError == .resendLoop([.init(key: "B", node: "table"), .init(key: "C", node: "cell"), .init(key: "B", node: nil)]))
    #expect(controller.report("B", rules: .busDown) == dry)
  }

  @Test("A reply in the options counts as declared: methods and closures without a result") func repliesOfOptions() throws {
    try cell.proxy.register("B", options: HandlerOptions(reply: .handledAndContinue)) { (_: AnyObject?) in }
    try table.proxy.register("B", options: HandlerOptions(reply: .ignored)) { (_: AnyObject?) in }
    try controller.proxy.register("B", options: HandlerOptions(reply: .handledAndStop(.node))) { (_: AnyObject?) in }
    let dry = cell.dryRun("B")
    #expect(dry.visits.map(\.answer) == [.handled, .ignored, .stopped(.node)])
    #expect(cell.report("B") == dry)
  }

  @Test("A send that does otherwise goes its way, and the report tells it") func deviations() throws {
    try declare(.resend("D", []))
    try controller.on("D", journal)
    let other = cell.report("B")
    #expect(other.handledBy.map(\.name) == ["controller"])
    #expect(journal.entries == ["controller.D"])
    #expect(other.visits[1].notes == ["a handler sent the event on as D, not as C, as declared"])
    #expect("\(other)".contains("table: sent on as D(); a handler sent the event on as D, not as C, as declared"))
    #expect(other != cell.dryRun("B"))
    table.proxy.removeAllHandlers()
    try table.proxy.intercept("B", options: HandlerOptions(rewritesTo: "C")) { _, _, _ in .handled }
    let handled = cell.report("B")
    #expect(handled.handledBy.map(\.name) == ["table"])
    #expect(handled.visits[1].notes == ["a handler did not send the event on as C, as declared"])
  }

  @Test("A handler that was not called has not done otherwise, nor has one that failed") func notCalled() throws {
    try table.proxy.intercept("B", options: HandlerOptions(priority: 1)) { _, _, _ in .handledAndStop(.node) }
    try table.proxy.intercept("B", options: HandlerOptions(duplicates: .append, rewritesTo: "C")) { _, _, _ in .handled }
    #expect(cell.report("B").visits[1].notes.isEmpty)
    #expect(cell.dryRun("B").rewrites.map(\.to) == ["C"])
    struct Failure: Error {}
    table.proxy.removeAllHandlers()
    try table.proxy.intercept("B", options: HandlerOptions(rewritesTo: "C")) { _, _, _ in throw Failure() }
    #expect(cell.report("B").visits[1].notes.isEmpty)
  }

  @Test("Pictures show declared rewrites at the node, and an edge for each of a report or a dry run") func pictures() throws {
    try declare(.resend("C", []))
    let plain = DispatchReport.TreePicture(of: controller)
    #expect(plain.mermaid.contains("n1[\"table<br/>B → C\"]"))
    #expect(!plain.mermaid.contains("==>"))
    let picture = DispatchReport.TreePicture(of: controller, report: cell.dryRun("B"))
    #expect(picture.mermaid.contains("  n1 == \"B → C\" ==> n0\n"))
    #expect(picture.dot.contains("  n1 -> n0 [style=bold, label=\"B → C\", constraint=false];\n"))
    #expect(table.proxy.registrations(for: "B").map { "\($0.handler)" } == ["B: interceptor (any arguments) [sends on as C]"])
    controller.proxy.removeAllHandlers()
    // Nobody takes it: it goes to the next node reached.
    #expect(
      DispatchReport.TreePicture(of: controller, report: cell.report("B", rules: .strategy)).mermaid.contains("n1 == \"B → C\" ==> n0"))
    // Nobody is reached any more.
    try controller.proxy.intercept("B", options: HandlerOptions(rewritesTo: "C")) { _, _, _ in .resend("C", []) }
    #expect(
      DispatchReport.TreePicture(of: controller, report: controller.report("B", rules: .strategy)).mermaid.contains(
        "n0 == \"B → C\" ==> n0"))
  }
}
