internal import DynamicInvocation

extension DispatchReport {
  /// A picture of a tree, its handlers and the route of one event, as text for a drawing tool.
  public struct TreePicture: Sendable {
    private struct Node: Sendable {
      let id: ObjectIdentifier
      let label: String
      let above: Int?
    }

    private let nodes: [Node]
    private let overrides: [(from: Int, to: Int)]
    private let rewrites: [(from: Int, to: Int, label: String)]
    private let report: DispatchReport?

    /// Creates a picture.
    ///
    /// The label of a key shows the direction if a node handles only one, and the key under which a handler has declared
    /// to resend the event.
    ///
    /// - Parameters:
    ///   - root: The node at the top.
    ///   - report: A report, also of a dry run, whose route is marked: nodes are numbered in the order they were reached,
    ///     those that handled the event are highlighted, and an edge leads from each node that resent it under another
    ///     key to the node that received it.
    ///   - limit: The maximum number of nodes to draw.
    public init(of root: any Responder, report: DispatchReport? = nil, limit: Int = 1_000) {
      let found = TreeWalk.nodes(from: root, limit: limit)
      var places: [ObjectIdentifier: Int] = [:]
      for (index, entry) in found.enumerated() { places[ObjectIdentifier(entry.node)] = index }
      nodes = found.map { entry in
        let keys = entry.node.eventProxy.map { Self.labels(of: $0) } ?? []
        let name = entry.node.responderName.asName.escaped
        return Node(
          id: ObjectIdentifier(entry.node), label: keys.isEmpty ? name : "\(name)\n\(keys.joined(separator: ", "))", above: entry.above)
      }
      overrides = found.enumerated().compactMap { index, entry in
        entry.node.nextOverride.flatMap { places[ObjectIdentifier($0)] }.map { (index, $0) }
      }
      rewrites = Self.rewrites(in: report, places)
      self.report = report
    }

    /// The number of nodes to draw.
    var nodeCount: Int { nodes.count }

    private static func labels(of proxy: EventProxy) -> [String] {
      (proxy.keys.map { label(of: $0, in: proxy) } + proxy.interceptorsOfPrefixes.map { "\($0.key)*" }).map(\.escaped).sorted()
    }

    private static func label(of key: EventKey, in proxy: EventProxy) -> String {
      var label = key.description
      let registrations = proxy.registrations(for: key)
      let others = registrations.compactMap(\.options.rewritesTo)
      for (index, other) in others.enumerated() where !others[..<index].contains(other) { label += " → \(other)" }
      if registrations.contains(where: \.isAsynchronous) { label += " (asynchronous)" }
      switch proxy.phases(of: key).running {
      case .up: return label + " (up only)"
      case .down: return label + " (down only)"
      case .capture: return label + " (capture only)"
      default: return label
      }
    }

    /// An edge for each node that resent the event under another key: to the node that took it then, otherwise to the
    /// next one reached, otherwise to itself.
    private static func rewrites(
      in report: DispatchReport?, _ places: [ObjectIdentifier: Int]
    ) -> [(from: Int, to: Int, label: String)] {
      guard let report else { return [] }
      return report.visits.indices.compactMap { index in
        let visit = report.visits[index]
        guard let rewrite = visit.rewrite, rewrite.from != rewrite.to, let node = visit.responder, let from = places[node.id] else {
          return nil
        }
        // In a pass down, the new key applies only below the node.
        let later = report.visits[(index + 1)...].prefix { report.rules.direction == .up || $0.depth > visit.depth }
          .filter { $0.key == rewrite.to && $0.answer != .removed }
        let taker = (later.first { $0.answer != .passed } ?? later.first)?.responder
        return (from, taker.flatMap { places[$0.id] } ?? from, "\(rewrite.from) → \(rewrite.to)")
      }
    }

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
      for rewrite in rewrites { lines.append("  n\(rewrite.from) == \"\(escapedForMermaid(rewrite.label))\" ==> n\(rewrite.to)") }
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
      for rewrite in rewrites {
        lines.append("  n\(rewrite.from) -> n\(rewrite.to) [style=bold, label=\"\(escapedForDOT(rewrite.label))\", constraint=false];")
      }
      lines.append("}")
      return lines.joined(separator: "\n") + "\n"
    }

    private struct Style {
      let name: String
      let mermaid: String
      let dot: String
    }

    /// The labels, with the numbers of the visits.
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
      // Mermaid reads entity codes; characters that could end the label or start markup are written as such codes.
      escaped(text, ["\"": "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\n": "<br/>"])
    }

    private func escapedForDOT(_ text: String) -> String { escaped(text, ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"]) }

    private func escaped(_ text: String, _ codes: [Character: String]) -> String { text.map { codes[$0] ?? String($0) }.joined() }
  }
}

/// Walks a tree of any responders to describe it, without recursion and visiting each node once.
enum TreeWalk {
  /// The last node of a path up, by nexts without overrides; in a cycle, a node of it.
  static func root(of node: any Responder) -> any Responder {
    if let node = node as? ResponderNode { return node.root }
    var watch = CycleWatch<AnyTopology>()
    var here = node
    while let next = here.nextResponder, !watch.meets(here) { here = next }
    return here
  }

  /// The nodes from a root down, in order, with their depth and the index of the node above.
  static func nodes(from root: any Responder, limit: Int) -> [(node: any Responder, depth: Int, above: Int?)] {
    var seen: Set<ObjectIdentifier> = []
    var nodes: [(node: any Responder, depth: Int, above: Int?)] = []
    var pending: [(node: any Responder, depth: Int, above: Int?)] = [(root, 0, nil)]
    while nodes.count < limit, let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next.node)).inserted else { continue }
      let index = nodes.count
      nodes.append(next)
      for child in next.node.childResponders.reversed() { pending.append((child, next.depth + 1, index)) }
    }
    return nodes
  }
}
