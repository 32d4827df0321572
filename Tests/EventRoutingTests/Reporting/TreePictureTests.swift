import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Pictures of trees, with the way of an event.
@Suite(.measured) struct TreePictureTests {
  private let journal = Journal()
  private let root, middle, leaf: ResponderNode

  init() { (root, middle, leaf) = chain() }

  @Test func aPictureShowsTreeKeysAndWay() throws {
    let beside = root.child("beside")
    let quoted = beside.child("say \"<b>\" #1")
    try quoted.on("a\\b", journal)
    try root.on("k", journal)
    try root.on("also", journal)
    try middle.proxy.intercept("k") { _, _, _ in throw InvocationError(.typeMismatch, "no") }
    leaf.nextOverride = beside
    let plain = DispatchReport.TreePicture(of: root)
    expectEqual(
      plain.mermaid,
      """
      flowchart TD
        n0["root<br/>also, k"]
        n1["middle<br/>k"]
        n2["leaf"]
        n3["beside"]
        n4["say #quot;#lt;b#gt;#quot; #35;1<br/>a\\b"]
        n0 --> n1
        n1 --> n2
        n0 --> n3
        n3 --> n4
        n2 -. next .-> n3

      """)
    leaf.nextOverride = nil
    let way = DispatchReport.TreePicture(of: root, report: leaf.report("k"))
    expect(way.mermaid.contains("n0[\"3. root<br/>also, k\"]"))
    expect(way.mermaid.contains("class n1 failed"))
    expect(way.mermaid.contains("class n0 handled"))
    expect(way.mermaid.contains("class n2 visited"))
  }

  @Test("Names in a picture and a report have nothing that a terminal obeys")
  func picturesOfAnybodysNames() throws {
    let beside = root.child("beside")
    let odd = beside.child("a\u{1B}c\nb\u{202E}")
    try odd.on("k\u{9B}1\u{2028}", journal)
    for text in [DispatchReport.TreePicture(of: root).mermaid, "\(odd.report("k\u{9B}1\u{2028}"))"] {
      let isPlain = text.split(separator: "\n").allSatisfy {
        $0.unicodeScalars.allSatisfy { ![0x1B, 0x9B, 0x2028, 0x202E].contains($0.value) }
      }
      expect(isPlain && text.contains("u{1B}c"), "\(text.debugDescription)")
    }
  }

  @Test func aPictureOfACircleOfRespondersEnds() {
    let left = Cell()
    let right = Cell()
    left.below = [right]
    right.below = [left]
    expectEqual(DispatchReport.TreePicture(of: left).mermaid.split(separator: "\n").count, 4)
    left.below = []
  }

  @Test("Pictures show declared rewrites at the node, and an edge for each of a report or a dry run") func pictures() throws {
    try middle.proxy.intercept("B", options: HandlerOptions(rewritesTo: "C")) { _, _, _ in .resend("C", []) }
    try root.on("C", journal)
    let plain = DispatchReport.TreePicture(of: root)
    expect(plain.mermaid.contains("n1[\"middle<br/>B → C\"]"))
    expect(!plain.mermaid.contains("==>"))
    let picture = DispatchReport.TreePicture(of: root, report: leaf.dryRun("B"))
    expect(picture.mermaid.contains("  n1 == \"B → C\" ==> n0\n"))
    expectEqual(middle.proxy.registrations(for: "B").map { "\($0.handler)" }, ["B: interceptor (any arguments) [sends on as C]"])
    root.proxy.removeAllHandlers()
    // Nobody takes it: it goes to the next node reached.
    expect(
      DispatchReport.TreePicture(of: root, report: leaf.report("B", rules: .strategy)).mermaid.contains("n1 == \"B → C\" ==> n0"))
    // Nobody is reached any more.
    try root.proxy.intercept("B", options: HandlerOptions(rewritesTo: "C")) { _, _, _ in .resend("C", []) }
    expect(
      DispatchReport.TreePicture(of: root, report: root.report("B", rules: .strategy)).mermaid.contains(
        "n0 == \"B → C\" ==> n0"))
  }

  @Test("The picture marks keys that a node handles one way only") func picture() throws {
    for (node, key, direction) in [(root, "a", .up), (root, "b", .up), (root, "b", .down), (middle, "c", .down)]
      as [(ResponderNode, EventKey, HandlerOptions.Direction)]
    {
      try node.proxy.intercept(key, options: HandlerOptions(duplicates: .append, direction: direction)) { _, _, _ in .handled }
    }
    let picture = DispatchReport.TreePicture(of: root)
    expect(picture.mermaid.contains("n0[\"root<br/>a (up only), b\"]"))
    expect(picture.mermaid.contains("n1[\"middle<br/>c (down only)\"]"))
  }
}
