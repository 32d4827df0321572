import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// Texts that are made of data have a limit, whatever the data is.
@Suite(.measured) struct BoundedTextTests {
  /// The most bytes of a line, with the dots of the values and of the line.
  private static let line = 4_096
  private let long = String(repeating: "k", count: 1_000_000)

  @Test("A line has at most 4,096 bytes, whatever is in it") func lines() throws {
    let many = Array(repeating: BoxedValue.string(String(repeating: "x", count: 5_000)), count: 60)
    let reply = EventReply.resend("B", many)
    expect(reply.description.utf8.count <= Self.line && reply.description.hasPrefix("resend(B, \"xxx"))
    let node = ResponderNode(long)
    let key = EventKey(long)
    try node.proxy.intercept(key) { _, _, _ in throw Refusal(index: 1) }
    for index in 0..<100 {
      try node.proxy.intercept(key, options: HandlerOptions(priority: index, duplicates: .append)) { _, _, _ in .ignored }
    }
    let report = EventLog.withLogger(nil) { node.report(key, arguments: many) }
    expect(report.description.utf8.count < 4 * Self.line)
    expect(report.description.split(separator: "\n").allSatisfy { $0.utf8.count <= Self.line })
    let texts: [Any] = [
      node, report.visits[0], report.sender, report, node.proxy, node.proxy.registrations[0],
      SendOutcome.RoutingError.cyclicPath(long),
      SendOutcome.RoutingError.resendLoop(Array(repeating: .init(key: key, node: long), count: 1_000)),
      HandlerOptions(rewritesTo: key),
    ]
    for text in texts { expect("\(text)".utf8.count < 4 * Self.line) }
    let answer = node.proxy.send(key, source: nil, arguments: many)
    expect(answer.description.utf8.count <= Self.line)
  }

  @Test("Of a long name a text has the beginning and the end, 256 bytes; the name itself is whole") func names() throws {
    let name = "begin" + long + "end"
    let key = EventKey(name)
    expect(key.name == name && TypedEventKey<Int>(key).key.name == name)
    for text in [key.description, TypedEventKey<Int>(key).description] {
      expect(text.utf8.count == 256 && text.hasPrefix("begink") && text.hasSuffix("kend") && text.contains("k...k"))
    }
    let root = ResponderNode(name)
    let report = root.report(key, rules: .strategy)
    expect(report.sender.name == name && report.sender.description.utf8.count == 256)
    expect(report.diagnosis?.description.utf8.count ?? 0 < 1_000)
    for picture in [DispatchReport.TreePicture(of: root, report: report).mermaid, DispatchReport.TreePicture(of: root).mermaid] {
      expect(picture.utf8.count < 1_000 && picture.contains("k...k"))
    }
    expectEqual(EventKey(String(repeating: "k", count: 256)).description.utf8.count, 256)
    expect(!EventKey(String(repeating: "k", count: 256)).description.contains("..."))
  }

  @Test("A list of many nodes ends with dots") func lists() throws {
    let root = ResponderNode("root")
    var rules = RoutingRules.busDown
    rules.continuesWhenHandled = true
    for index in 0..<5_000 { try root.child("node \(index)").proxy.intercept("k") { _, _, _ in .handledAndContinue } }
    let report = root.report("k", rules: rules)
    let first = try #require(report.description.split(separator: "\n").first)
    expect(first.utf8.count <= Self.line && first.hasPrefix("k from root: handled by node 0, node 1, ") && first.hasSuffix("..."))
    let diagnosis = try #require(root.report("k", rules: .strategy).diagnosis)
    expect(diagnosis.registeredOn.count == 5_000 && diagnosis.description.utf8.count <= Self.line)
  }

  @Test("A key of more than 1,024 bytes has no near keys, and nodes are searched as long as they have 1,000 keys") func nearKeys() throws {
    let root = ResponderNode("root")
    for count in [1_024, 1_026] {
      let name = String(repeating: "n", count: count)
      try root.proxy.intercept(EventKey(name)) { _, _, _ in .handled }
      let near = root.report(EventKey(String(name.dropLast()) + "m"), rules: .strategy).diagnosis?.nearestKeys.map(\.key.name)
      expectEqual(near?.contains(name), (count == 1_024))
    }
    let (top, below) = (ResponderNode("top"), ResponderNode("below"))
    top.addChild(below)
    for index in 0..<998 { try top.proxy.intercept(EventKey("key \(index)")) { _, _, _ in .handled } }
    for key in ["saved", "moved"] as [EventKey] {
      try below.proxy.intercept(key) { _, _, _ in .handled }
      expectEqual(top.report("savd", rules: .strategy).diagnosis?.nearestKeys.map(\.key.name), ["saved"])
    }
    try below.proxy.intercept("one more") { _, _, _ in .handled }
    expectEqual(top.report("savd", rules: .strategy).diagnosis?.nearestKeys.count, 0)
    expectEqual(top.report("moved", rules: .strategy).diagnosis?.registeredOn.map(\.name), ["below"])
  }
}
