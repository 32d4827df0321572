import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Reports, dry runs and diagnoses.
@Suite(.measured) struct DispatchReportTests {
  private let journal = Journal()
  private let root, middle, leaf, beside: ResponderNode

  init() {
    (root, middle, leaf) = chain()
    beside = root.child("beside")
  }

  @Test("A report tells the key, the nodes, their answers and the time, of a send like any other (E12.4)")
  func aReportTellsTheKeyTheNodesTheirAnswersAndTheTime() throws {
    try middle.on("k", journal, reply: .ignored)
    try root.on("k", journal)
    leaf.send("k", arguments: [.int(1)])
    let entries = journal.entries
    let report = leaf.report("k", arguments: [.int(1)])
    expectEqual(journal.entries, entries + entries)
    expect(report.key == "k" && report.rules == .router && report.sender.name == "leaf" && report.sender.id == ObjectIdentifier(leaf))
    expectEqual(report.visits.map { "\($0.depth) \($0)" }, ["0 leaf: passed", "1 middle: ignored", "2 root: handled, stopped the pass"])
    expectEqual(report.visits.map(\.answer), [.passed, .ignored, .stopped(.pass)])
    expect(report.handledBy.map(\.name) == ["root"] && report.diagnosis == nil)
    expect(!report.outcome.isUnhandled && report.outcome.stopped == .pass)
    expect(report.duration > .zero && !report.isDryRun)
    let text = "k from leaf: handled by root\n  leaf: passed\n   middle: ignored\n    root: handled, stopped the pass"
    expectEqual("\(report)", text)
  }

  @Test("The text of a dry run says that it is one, and shows what is asked if interceptors ignore the event (E12.5)")
  func theTextOfADryRun() throws {
    var called = 0
    try middle.proxy.intercept("k") { _, _, _ in
      called += 1
      return .ignored
    }
    try middle.proxy.register("k") { (_: AnyObject?) -> EventReply in .ignored }
    try root.proxy.register("k") { (_: AnyObject?) in called += 1 }
    let dry = leaf.dryRun("k")
    expect(dry.isDryRun)
    expectEqual(
      "\(dry)",
      """
      k from leaf (dry run, no handler was called): handled by middle
        leaf: passed
         middle: would be asked, assumed: handled, stopped the pass
      if its interceptors ignore it:
        leaf: passed
         middle: would be asked, assumed: handled, stopped the pass
      """)
    for registration in middle.proxy.registrations(for: "k") where registration.handler.kind == .closure { registration.cancel() }
    expectEqual(
      "\(leaf.dryRun("k"))",
      """
      k from leaf (dry run, no handler was called): handled by middle
        leaf: passed
         middle: would be asked, assumed: handled, stopped the pass
      if its interceptors ignore it:
        leaf: passed
         middle: would be asked, assumed: ignored
          root: would be asked, assumed: handled, stopped the pass
      """)
    expectEqual(called, 0)
    let real = leaf.report("k")
    expect(called == 2 && real.visits == leaf.dryRun("k").visitsIfIgnored && real.visitsIfIgnored == nil)
    // Without an interceptor nothing is undecided, and a declared key is no surprise.
    expect(root.dryRun("k").visitsIfIgnored == nil)
    try leaf.proxy.intercept("moved", options: HandlerOptions(rewritesTo: "k")) { _, _, _ in .resend("k", []) }
    expect(leaf.proxy.registrations(for: "moved").count == 1 && beside.dryRun("moved").visitsIfIgnored == nil)
  }

  @Test("The diagnosis of an unhandled key has the nearest keys and the nodes elsewhere (E12.3)")
  func anUnhandledKeyIsExplained() throws {
    try beside.on("row.tapped", journal)
    try leaf.on("cell.swiped", journal)
    try middle.on("unlike", journal)
    let elsewhere = leaf.report("row.tapped")
    expectEqual(elsewhere.diagnosis?.registeredOn.map(\.name), ["beside"])
    expect(elsewhere.diagnosis?.refusal == nil)
    expect("\(elsewhere.diagnosis.map(String.init(describing:)) ?? "")".contains("registered on beside, which this pass did not ask"))
    let misspelled = leaf.report("row.taped")
    expectEqual(misspelled.diagnosis?.nearestKeys.map { "\($0.key) of \($0.responder)" }, ["row.tapped of beside"])
    expectEqual(misspelled.diagnosis?.registeredOn, [])
    let ownEmit = leaf.report("cell.swiped", rules: .componentEmit)
    expectEqual(ownEmit.diagnosis?.registeredOn.map(\.name), ["leaf"])
    let far = leaf.report("something else entirely")
    expectEqual(far.diagnosis?.nearestKeys, [])
  }

  @Test func aHandlerThatCouldNotBeCalledIsNamedInTheDiagnosis() throws {
    let mismatch = InvocationError(.countMismatch, "3 arguments for a handler of 2")
    try root.proxy.intercept("k") { _, _, _ in throw mismatch }
    let report = leaf.report("k")
    expect(report.outcome.isUnhandled)
    expectEqual(report.diagnosis?.refusal?.contains("3 arguments for a handler of 2"), true)
    expectEqual(report.diagnosis?.registeredOn.map(\.name), ["root"])
  }

  @Test func aTypedHandlerThatTheArgumentsDoNotFitIsNamedWithWhatDiffers() throws {
    var calls = 0
    try root.proxy.register("k") { (_: AnyObject?, first: Int, _: Double) in calls += first }
    func refusal(_ arguments: BoxedValue...) -> String {
      let report = leaf.report("k", arguments: arguments)
      expectEqual(report.outcome.isUnhandled, (report.diagnosis != nil))
      expectEqual(report.diagnosis?.registeredOn.map(\.name), (report.outcome.isUnhandled ? ["root"] : nil))
      return report.diagnosis?.refusal ?? ""
    }
    expect(refusal(.int(1)).hasPrefix("event 'k' at 'root', handler closure (q, d): "))
    expect(refusal(.int(1)).contains("the event has 1 argument, the handler takes 2"))
    expect(refusal(.int(1), .double(2), .int(3)).contains("the event has 3 arguments, the handler takes 2"))
    expect(refusal(.int(1), .string("two")).contains("argument 2 (d, Double): string \"two\" is no Double"))
    expectEqual(calls, 0)
    expectEqual(refusal(.int(1), .double(2)), "")
    expectEqual(calls, 1)
  }

  @Test func reportsAreSendableValues() async throws {
    try root.on("k", journal)
    let report = leaf.report("k")
    let names = await Task.detached { report.names }.value
    expectEqual(names, ["leaf", "middle", "root"])
  }

  @Test("The arguments of a rewrite are told within one bound")
  func argumentsOfARewriteAreBounded() throws {
    let nested = String(repeating: "[32", count: 20) + "{E=}" + String(repeating: "]", count: 20)
    let value = BoxedValue.value(try EncodedBytes(TypeEncoding("{S=\(nested)}"), bytes: []))
    let text = BoxedValue.string(String(repeating: "x", count: 3_000))
    try middle.proxy.intercept("k") { _, _, _ in .resend("l", [text, 7, text, value, value]) }
    let arguments = try #require(leaf.report("k").rewrites.first?.arguments)
    expect(arguments.count == 5 && arguments[1] == "7")
    expect(arguments.joined().utf8.count <= 4_200)
    expectEqual(arguments.last, "...")
  }

  @Test("Handlers whose targets are gone are in no diagnosis, of a dry run neither (E12.3, E12.5)", arguments: [true, false])
  func goneTargets(isOther: Bool) throws {
    final class Target {}
    let root = ResponderNode("root")
    let node = root.child("node")
    try root.proxy.register(isOther ? "kk" : "k", target: Target()) { (_: Target) in { (_: AnyObject?) in } }
    let dry = node.dryRun("k", rules: .strategy)
    expect(dry.diagnosis?.registeredOn == [] && dry.diagnosis?.nearestKeys.isEmpty == true)
    expectEqual(dry, node.report("k", rules: .strategy))
  }
}
