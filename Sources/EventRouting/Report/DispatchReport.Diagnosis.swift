import DynamicInvocation

extension DispatchReport {
  /// The possible reasons why no node handled an event.
  public struct Diagnosis: Sendable, Hashable {
    /// A key close to the one sent, with a node that handles it.
    public struct NearKey: Sendable, Hashable {
      /// The key.
      public let key: EventKey
      /// The first node, from the root down, that handles it.
      public let responder: NodeIdentity
    }

    /// The key that no node handled.
    public let key: EventKey
    /// Keys with handlers in the same tree whose names are similar to the key sent, nearest first; none for a key of more
    /// than 1,024 bytes.
    public let nearestKeys: [NearKey]
    /// The nodes of the same tree that have handlers for the key: the pass did not visit them, or the handler could not
    /// be called or ignored the event.
    public let registeredOn: [NodeIdentity]
    /// The nodes of ``registeredOn`` whose handlers for the key receive only events of the other direction, or only the
    /// capture phase.
    public let listeningOtherWay: [NodeIdentity]
    /// The node at which the path up ends because its parent was deallocated, nil if that is not the case.
    ///
    /// A child does not retain its parent.
    public let orphan: NodeIdentity?
    /// The first error of the send, such as the reason why a handler could not be called, or what a handler threw; nil when
    /// there was no error.
    public let refusal: String?

    /// The maximum number of nodes of a tree that are searched.
    static var searchLimit: Int { 10_000 }

    init(_ key: EventKey, from sender: any Responder, _ direction: RoutingRules.Direction, error: (any Error)?) {
      self.key = key
      refusal = error.map { $0 is EventError || $0 is SendOutcome.RoutingError ? "\($0)" : "a handler threw \($0.withType)" }
      var owners: [EventKey: NodeIdentity] = [:]
      var registeredOn: [NodeIdentity] = []
      var listeningOtherWay: [NodeIdentity] = []
      let root = TreeWalk.root(of: sender)
      orphan = (root as? ResponderNode).flatMap { $0.record.fields.flags.contains(.orphaned) ? NodeIdentity($0) : nil }
      for (node, _, _) in TreeWalk.nodes(from: root, limit: Self.searchLimit) {
        guard let proxy = node.eventProxy else { continue }
        for registered in proxy.keys {
          // Those that are not are removed by the events that reach them, which a dry run does not send.
          let active = proxy.registrations(for: registered).filter(\.isActive)
          guard !active.isEmpty else { continue }
          if registered == key {
            registeredOn.append(NodeIdentity(node))
            if active.allSatisfy({ $0.directions.isDisjoint(with: direction.directions) }) {
              listeningOtherWay.append(NodeIdentity(node))
            }
          } else if owners[registered] == nil {
            owners[registered] = NodeIdentity(node)
          }
        }
      }
      self.registeredOn = registeredOn
      self.listeningOtherWay = listeningOtherWay
      nearestKeys = NearestNames.nearest(to: key.name, among: owners.keys.lazy.map(\.name), limit: 3).compactMap { name in
        let near = EventKey(name)
        return owners[near].map { NearKey(key: near, responder: $0) }
      }
    }
  }
}

extension DispatchReport.Diagnosis: CustomStringConvertible {
  /// The diagnosis as a sentence, in one line whatever the names contain.
  public var description: String {
    var text = "no handler handled \"\(key)\""
    if let refusal { text += "; \(refusal)" }
    if !registeredOn.isEmpty {
      let names = registeredOn.lazy.map(\.description).joinedInLine()
      text += refusal == nil ? "; registered on \(names), which this pass did not ask or which ignored it" : "; registered on \(names)"
    }
    if !listeningOtherWay.isEmpty {
      text += "; on \(listeningOtherWay.lazy.map(\.description).joinedInLine()) only for events of another direction or phase"
    }
    if let orphan { text += "; the parent of \(orphan) has ended, as a child does not keep its parent" }
    if !nearestKeys.isEmpty {
      text += "; did you mean \(nearestKeys.map { "\"\($0.key)\" of \($0.responder)" }.joined(separator: ", "))?"
    }
    return text.asLine
  }
}
