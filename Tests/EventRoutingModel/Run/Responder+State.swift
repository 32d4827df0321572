package import EventRouting

/// The state of a node; an object of the engine's own class has it itself, another object in its ``ResponderState``.
extension Responder {
  package func set(_ terminality: RoutingRules.Terminality) {
    if let node = self as? ResponderNode { node.terminality = terminality } else { responderState?.terminality = terminality }
  }

  package func setBoundary(_ isBoundary: Bool) {
    if let node = self as? ResponderNode { node.isBoundary = isBoundary } else { responderState?.isBoundary = isBoundary }
  }

  package func set(next: (any Responder)?) {
    if let node = self as? ResponderNode { node.nextOverride = next } else { responderState?.nextOverride = next }
  }

  package func set(_ proxy: EventProxy?) {
    if let node = self as? ResponderNode { node.eventProxy = proxy } else { responderState?.eventProxy = proxy }
  }
}
