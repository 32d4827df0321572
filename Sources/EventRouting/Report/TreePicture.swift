internal import DynamicInvocation

/// A picture of a tree, its handlers and the way of one event, as text for a tool that draws it.
public struct TreePicture: Sendable {
  private struct Node: Sendable {
    let id: ObjectIdentifier
    let label: String
    let above: Int?
  }

  private let nodes: [Node]
  private let overrides: [(from: Int, to: Int)]
  private let report: DispatchReport?

  /// Takes a picture.
  ///
  /// - Parameters:
  ///   - root: The node at the top.
  ///   - report: A report of which the way is marked: nodes are numbered in the order they were reached, and those that handled the event stand out.
  ///   - limit: How many nodes to draw at most.
  public init(of root: any Responder, report: DispatchReport? = nil, limit: Int = 1_000) {
    let found = TreeWalk.nodes(from: root, limit: limit)
    var places: [ObjectIdentifier: Int] = [:]
    for (index, entry) in found.enumerated() { places[ObjectIdentifier(entry.node)] = index }
    nodes = found.map { entry in
      let keys = (entry.node.eventProxy?.keys.map(\.name).sorted() ?? []).map(\.visible)
      let name = entry.node.responderName.visible
      return Node(
        id: ObjectIdentifier(entry.node), label: keys.isEmpty ? name : "\(name)\n\(keys.joined(separator: ", "))", above: entry.above)
    }
    overrides = found.enumerated().compactMap { index, entry in
      entry.node.nextOverride.flatMap { places[ObjectIdentifier($0)] }.map { (index, $0) }
    }
    self.report = report
  }

  /// How many nodes there are to draw.
  var nodeCount: Int { nodes.count }

  /// The picture for Mermaid.
  public var mermaid: String {
    var lines = ["flowchart TD"]
    for (index, label) in labels.enumerated() {
      lines.append("  n\(index)[\"\(escapedForMermaid(label))\"]")
    }
    for (index, node) in nodes.enumerated() {
      if let above = node.above { lines.append("  n\(above) --> n\(index)") }
    }
    for override in overrides { lines.append("  n\(override.from) -. next .-> n\(override.to)") }
    for (style, members) in styles {
      lines.append("  classDef \(style.name) \(style.mermaid)")
      lines.append("  class \(members.map { "n\($0)" }.joined(separator: ",")) \(style.name)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The picture for Graphviz, in DOT.
  public var dot: String {
    var lines = ["digraph tree {", "  node [shape=box];"]
    let labels = labels
    let styles = styles
    for (index, label) in labels.enumerated() {
      let style = styles.first { $0.members.contains(index) }.map { ", \($0.style.dot)" } ?? ""
      lines.append("  n\(index) [label=\"\(escapedForDOT(label))\"\(style)];")
    }
    for (index, node) in nodes.enumerated() {
      if let above = node.above { lines.append("  n\(above) -> n\(index);") }
    }
    for override in overrides { lines.append("  n\(override.from) -> n\(override.to) [style=dashed, label=\"next\", constraint=false];") }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Style {
    let name: String
    let mermaid: String
    let dot: String
  }

  /// The labels, with the number of the visit.
  private var labels: [String] {
    var order: [ObjectIdentifier: [Int]] = [:]
    for (number, visit) in (report?.visits ?? []).enumerated() {
      if let responder = visit.responder { order[responder.id, default: []].append(number + 1) }
    }
    return nodes.map { node in
      guard let numbers = order[node.id] else { return node.label }
      return "\(numbers.map(String.init).joined(separator: ", ")). \(node.label)"
    }
  }

  private var styles: [(style: Style, members: [Int])] {
    guard let report else { return [] }
    let handled = Set(report.handledBy.map(\.id))
    let failed = Set(report.visits.filter { !$0.errors.isEmpty }.compactMap { $0.responder?.id })
    let asked = Set(report.visits.compactMap { $0.responder?.id })
    let groups: [(Style, (ObjectIdentifier) -> Bool)] = [
      (Style(name: "failed", mermaid: "fill:#fdd,stroke:#a00", dot: "style=filled, fillcolor=\"#ffdddd\""), failed.contains),
      (
        Style(name: "handled", mermaid: "fill:#dfd,stroke:#080", dot: "style=filled, fillcolor=\"#ddffdd\""),
        { handled.contains($0) && !failed.contains($0) }
      ),
      (
        Style(name: "visited", mermaid: "stroke-width:3px", dot: "penwidth=3"),
        { asked.contains($0) && !handled.contains($0) && !failed.contains($0) }
      ),
    ]
    return groups.compactMap { style, isMember in
      let members = nodes.indices.filter { isMember(nodes[$0].id) }
      return members.isEmpty ? nil : (style, members)
    }
  }

  private func escapedForMermaid(_ text: String) -> String {
    // Mermaid reads entity codes; what could end the label or start markup is written as one.
    escaped(text, ["\"": "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\n": "<br/>"])
  }

  private func escapedForDOT(_ text: String) -> String { escaped(text, ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"]) }

  private func escaped(_ text: String, _ codes: [Character: String]) -> String { text.map { codes[$0] ?? String($0) }.joined() }
}
