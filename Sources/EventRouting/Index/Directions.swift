/// The ways from which events come: of a handler, of a key at a node, of a pass.
struct Directions: OptionSet {
  let rawValue: UInt8

  // Concrete, as those of the protocol are generic: without optimization each is several calls.
  func contains(_ other: Directions) -> Bool { rawValue & other.rawValue == other.rawValue }
  func isDisjoint(with other: Directions) -> Bool { rawValue & other.rawValue == 0 }
  func union(_ other: Directions) -> Directions { Directions(rawValue: rawValue | other.rawValue) }
  var isEmpty: Bool { rawValue == 0 }

  static var none: Directions { Directions(rawValue: 0) }
  static var up: Directions { Directions(rawValue: 1) }
  static var down: Directions { Directions(rawValue: 2) }
  static var both: Directions { Directions(rawValue: 3) }
}

extension RoutingRules.Direction {
  /// The direction, to ask nodes with.
  var directions: Directions { self == .up ? .up : .down }

  /// The handlers that do not listen to events that go this way.
  var skipped: Gate { self == .up ? .downOnly : .upOnly }
}

extension HandlerOptions.Direction {
  /// What keeps the handler from being called by passes the other way.
  var gate: Gate {
    switch self {
    case .both: Gate(rawValue: 0)
    case .up: .upOnly
    case .down: .downOnly
    }
  }
}

extension Gate {
  /// The ways from which events come to the handler.
  var directions: Directions {
    if contains(.upOnly) { return .up }
    return contains(.downOnly) ? .down : .both
  }
}

/// The nodes that a proxy belongs to; mostly one.
extension EventProxy {
  /// Tells a node of every key that comes and goes, from now on.
  func attach(_ node: NodeRecord) { nodes.append(node) }

  /// Tells a node no more.
  func detach(_ node: NodeRecord) { nodes.removeAll { $0 == node } }

  /// Tells the nodes from which ways events of a key come to the handlers, if that is not as it was before.
  func tellNodes(_ key: EventKey, unlessStill former: Directions) {
    let directions = directions(of: key)
    guard directions != former else { return }
    for node in nodes { node.setOwn(HashedKey(key), directions) }
  }

  /// From which ways events of a key come to its handlers, be they blocked or dead; none without a handler.
  func directions(of key: EventKey) -> Directions {
    var directions = Directions.none
    var next = unsafe state.pointee.first(key.bits)
    while let record = unsafe next, directions != .both {
      directions = directions.union(unsafe record.pointee.gate.directions)
      unsafe next = record.pointee.next
    }
    return directions
  }
}
