internal import DynamicInvocation

extension DispatchReport {
  /// A picture of a tree, its handlers and the route of one event, as text for Mermaid.
  public struct TreePicture: Sendable, CustomStringConvertible {
    /// How a node that the event has reached is drawn.
    private enum Style: String, CaseIterable {
      case failed = "fill:#fdd,stroke:#a00"
      case handled = "fill:#dfd,stroke:#080"
      case visited = "stroke-width:3px"

      init?(of visits: [Visit]) {
        guard !visits.isEmpty else { return nil }
        self = visits.contains { !$0.errors.isEmpty } ? .failed : visits.contains(where: \.answer.isHandled) ? .handled : .visited
      }
    }

    /// The picture for Mermaid.
    public let mermaid: String
    private let nodeCount: Int

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
      nodeCount = found.count
      var places: [ObjectIdentifier: Int] = [:]
      for (index, entry) in found.enumerated() { places[ObjectIdentifier(entry.node)] = index }
      let visits = (report?.visits ?? []).enumerated().map { (number: $0 + 1, visit: $1) }
      let visitsOfNodes = Dictionary(grouping: visits) { $0.visit.responder?.id }
      var (nodes, children, overrides): ([String], [String], [String]) = ([], [], [])
      var members: [Style: [String]] = [:]
      for (index, entry) in found.enumerated() {
        let visits = visitsOfNodes[ObjectIdentifier(entry.node)] ?? []
        let numbers = visits.isEmpty ? "" : visits.map { "\($0.number)" }.joined(separator: ", ") + ". "
        let keys = entry.node.eventProxy.map { Self.labels(of: $0) } ?? []
        let label = numbers + entry.node.responderName.asName.escaped + (keys.isEmpty ? "" : "\n\(keys.joined(separator: ", "))")
        nodes.append("  n\(index)[\"\(Self.escaped(label))\"]")
        if let above = entry.above { children.append("  n\(above) --> n\(index)") }
        if let next = entry.node.nextOverride, let place = places[ObjectIdentifier(next)] {
          overrides.append("  n\(index) -. next .-> n\(place)")
        }
        if let style = Style(of: visits.map(\.visit)) { members[style, default: []].append("n\(index)") }
      }
      var lines = nodes + children + overrides + Self.rewrites(in: report, places)
      for style in Style.allCases {
        guard let members = members[style] else { continue }
        lines += ["  classDef \(style) \(style.rawValue)", "  class \(members.joined(separator: ",")) \(style)"]
      }
      mermaid = "flowchart TD\n" + lines.joined(separator: "\n") + "\n"
    }

    /// The number of nodes to draw.
    public var description: String { "DispatchReport.TreePicture(\(nodeCount.counted("node")))" }

    private static func labels(of proxy: EventProxy) -> [String] {
      (proxy.keys.map { label(of: $0, in: proxy) } + proxy.interceptorsOfPrefixes.all.map { "\($0.key)*" }).map(\.escaped).sorted()
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
    private static func rewrites(in report: DispatchReport?, _ places: [ObjectIdentifier: Int]) -> [String] {
      guard let report else { return [] }
      return report.visits.indices.compactMap { index in
        let visit = report.visits[index]
        guard let rewrite = visit.rewrite, rewrite.to != visit.key, let node = visit.responder, let from = places[node.id] else {
          return nil
        }
        // In a pass down, the new key applies only below the node.
        let later = report.visits[(index + 1)...].prefix { report.rules.direction == .up || $0.depth > visit.depth }
          .filter { $0.key == rewrite.to && $0.answer != .removed }
        let taker = (later.first { $0.answer != .passed } ?? later.first)?.responder
        let label = Self.escaped("\(visit.key) → \(rewrite.to)")
        return "  n\(from) == \"\(label)\" ==> n\(taker.flatMap { places[$0.id] } ?? from)"
      }
    }

    private static func escaped(_ text: String) -> String {
      // Mermaid reads entity codes; characters that could end the label or start markup are written as such codes.
      let codes: [Character: String] = ["\"": "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\n": "<br/>"]
      return text.map { codes[$0] ?? String($0) }.joined()
    }
  }
}

/// Walks a tree of any responders to describe it, without recursion and visiting each node once.
enum TreeWalk {
  /// The last node of the path up through next responders, without overrides; in a cycle, one of its nodes.
  static func root(of node: any Responder) -> any Responder {
    if let node = node as? ResponderNode { return node.root }
    var watch = CycleWatch<AnyTopology>()
    var here = node
    while let next = here.nextResponder, !watch.meets(here) { here = next }
    return here
  }

  /// The nodes from a root down, in order, with the index of the node above.
  static func nodes(from root: any Responder, limit: Int) -> [(node: any Responder, above: Int?)] {
    var seen: Set<ObjectIdentifier> = []
    var nodes: [(node: any Responder, above: Int?)] = []
    var pending: [(node: any Responder, above: Int?)] = [(root, nil)]
    while nodes.count < limit, let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next.node)).inserted else { continue }
      nodes.append(next)
      for child in next.node.childResponders.reversed() { pending.append((child, nodes.count - 1)) }
    }
    return nodes
  }
}
