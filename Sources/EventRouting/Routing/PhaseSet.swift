/// The phases of events: of a handler, of a key at a node, or of a pass.
struct PhaseSet: OptionSet {
  let rawValue: UInt8

  // Not generic: without optimization, each of the protocol's generic operations takes several calls.
  func contains(_ other: PhaseSet) -> Bool { rawValue & other.rawValue == other.rawValue }
  func isDisjoint(with other: PhaseSet) -> Bool { rawValue & other.rawValue == 0 }
  func union(_ other: PhaseSet) -> PhaseSet { PhaseSet(rawValue: rawValue | other.rawValue) }
  var isEmpty: Bool { rawValue == 0 }

  static var none: PhaseSet { PhaseSet(rawValue: 0) }
  static var up: PhaseSet { PhaseSet(rawValue: 1) }
  static var down: PhaseSet { PhaseSet(rawValue: 2) }
  static var both: PhaseSet { PhaseSet(rawValue: 3) }
  /// The capture phase of a pass up.
  static var capture: PhaseSet { PhaseSet(rawValue: 4) }
  /// Every direction and phase, before and after the event was stopped.
  static var all: PhaseSet { PhaseSet(rawValue: 63) }

  /// The same phases, for events that were stopped.
  var stopped: PhaseSet { PhaseSet(rawValue: rawValue << 3) }

  /// The phases for events that were not stopped.
  var running: PhaseSet { PhaseSet(rawValue: rawValue & 7) }
}

extension RoutingRules.Direction {
  /// The direction as a set, to query nodes with.
  var phases: PhaseSet { self == .up ? .up : .down }
}

extension HandlerOptions {
  /// The phases in which the handler receives events.
  var phases: PhaseSet {
    let phases: PhaseSet =
      switch direction {
      case .both: .both
      case .up: .up
      case .down: .down
      case .capture: .capture
      }
    return seesStopped ? phases.union(phases.stopped) : phases
  }
}

extension HandlerFlags {
  /// The position of the flags of phases.
  private static var shift: Int { 6 }

  /// The flags of handlers that do not receive events of a phase.
  init(missing phase: PhaseSet) { self.init(rawValue: UInt(phase.rawValue & 7) << Self.shift) }

  /// The flags of a handler that receives events in some phases.
  init(receiving phases: PhaseSet) {
    let missing = UInt(~phases.rawValue & 7) << Self.shift
    self.init(rawValue: missing | (phases == phases.running ? HandlerFlags.notStopped.rawValue : 0))
  }

  /// The phases in which the handler receives events.
  var phases: PhaseSet {
    let phases = PhaseSet(rawValue: UInt8(truncatingIfNeeded: ~rawValue >> Self.shift) & 7)
    return contains(.notStopped) ? phases : phases.union(phases.stopped)
  }
}
