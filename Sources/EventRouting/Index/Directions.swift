/// The directions and phases of events: of a handler, of a key at a node, or of a pass.
struct Directions: OptionSet {
  let rawValue: UInt8

  // Not generic: without optimization, each of the protocol's generic operations takes several calls.
  func contains(_ other: Directions) -> Bool { rawValue & other.rawValue == other.rawValue }
  func isDisjoint(with other: Directions) -> Bool { rawValue & other.rawValue == 0 }
  func union(_ other: Directions) -> Directions { Directions(rawValue: rawValue | other.rawValue) }
  var isEmpty: Bool { rawValue == 0 }

  static var none: Directions { Directions(rawValue: 0) }
  static var up: Directions { Directions(rawValue: 1) }
  static var down: Directions { Directions(rawValue: 2) }
  static var both: Directions { Directions(rawValue: 3) }
  /// The capture phase of a pass up.
  static var capture: Directions { Directions(rawValue: 4) }
  /// Every direction and phase, before and after the event was stopped.
  static var all: Directions { Directions(rawValue: 63) }

  /// The same directions, for events that were stopped.
  var stopped: Directions { Directions(rawValue: rawValue << 3) }

  /// The directions for events that were not stopped.
  var running: Directions { Directions(rawValue: rawValue & 7) }
}

extension RoutingRules.Direction {
  /// The direction as a set, to query nodes with.
  var directions: Directions { self == .up ? .up : .down }

  /// The flag of handlers that do not receive events of this direction.
  var skipped: Gate { self == .up ? .notUp : .notDown }
}

extension HandlerOptions.Direction {
  /// The flags that exclude the handler from other passes.
  var gate: Gate {
    switch self {
    case .both: .notCapture
    case .up: Gate(rawValue: Gate.notCapture.rawValue | Gate.notDown.rawValue)
    case .down: Gate(rawValue: Gate.notCapture.rawValue | Gate.notUp.rawValue)
    case .capture: Gate(rawValue: Gate.notUp.rawValue | Gate.notDown.rawValue)
    }
  }
}

extension Gate {
  /// The directions and phases in which the handler receives events.
  var directions: Directions {
    var directions = Directions.none
    if !contains(.notUp) { directions = .up }
    if !contains(.notDown) { directions = directions.union(.down) }
    if !contains(.notCapture) { directions = directions.union(.capture) }
    return contains(.notStopped) ? directions : directions.union(directions.stopped)
  }
}

/// The nodes that a proxy belongs to; usually one.
extension EventProxy {
  /// Starts to notify a node of the keys that are added and removed.
  func attach(_ node: NodeRecord) {
    node.fields.placeInProxy = nodes.count
    nodes.append(node)
  }

  /// Stops notifying a node.
  ///
  /// - Complexity: Constant: the last node takes its place.
  func detach(_ node: NodeRecord) {
    let place = node.fields.placeInProxy
    nodes.swapAt(place, nodes.count - 1)
    nodes[place].fields.placeInProxy = place
    nodes.removeLast()
  }

  /// Notifies the nodes of the directions in which the handlers receive events of a key, if these have changed.
  func tellNodes(_ key: EventKey, _ directions: Directions, unlessStill former: Directions) {
    guard directions != former else { return }
    for node in nodes { node.setOwn(HashedKey(key), directions) }
  }

  /// The directions in which handlers receive events of a key, including blocked handlers and handlers with deallocated
  /// targets; empty without a handler.
  func directions(of key: EventKey) -> Directions { unsafe state.pointee.first(key.bits)?.pointee.list.directions ?? .none }

  /// The directions of the handlers that a key has after a removal, which are among those that it had before.
  ///
  /// - Complexity: O(handlers of the key), which are few.
  func directions(of key: EventKey, atMost former: Directions) -> Directions {
    var directions = Directions.none
    var next = unsafe state.pointee.first(key.bits)
    while let record = unsafe next, directions != former {
      directions = directions.union(unsafe record.pointee.gate.directions)
      unsafe next = record.pointee.next
    }
    return directions
  }
}
