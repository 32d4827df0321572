/// What a walk checks of a node besides its keys.
struct NodeFlags: OptionSet {
  let rawValue: UInt16

  // Not generic: without optimization, each of the protocol's generic operations takes several calls, and a walk checks
  // the flags at every node.
  func contains(_ flag: NodeFlags) -> Bool { rawValue & flag.rawValue == flag.rawValue }
  func isDisjoint(with other: NodeFlags) -> Bool { rawValue & other.rawValue == 0 }
  func union(_ other: NodeFlags) -> NodeFlags { NodeFlags(rawValue: rawValue | other.rawValue) }

  static var none: NodeFlags { NodeFlags(rawValue: 0) }
  /// A pass up may end before it.
  static var boundary: NodeFlags { NodeFlags(rawValue: 1) }
  /// Terminal for every key.
  static var terminalAlways: NodeFlags { NodeFlags(rawValue: 2) }
  /// Terminal for the keys it handles.
  static var terminalForOwnKeys: NodeFlags { NodeFlags(rawValue: 4) }
  /// It has a proxy, with or without handlers.
  static var hasProxy: NodeFlags { NodeFlags(rawValue: 8) }
  /// Its next may not be its parent, so that a walk may return to a node.
  static var overridden: NodeFlags { NodeFlags(rawValue: 16) }
  /// Its next is not a `ResponderNode`.
  static var external: NodeFlags { NodeFlags(rawValue: 32) }
  /// The keys below it are not fully known; its parent is notified of that.
  static var saturated: NodeFlags { NodeFlags(rawValue: 64) }
  /// Its table counts only its own keys.
  static var uncounted: NodeFlags { NodeFlags(rawValue: 128) }
  /// Its parent has it among the children that may lead to any key, and does not count its keys.
  static var unknownAbove: NodeFlags { NodeFlags(rawValue: 256) }
  /// Its parent was deallocated, and it has no new one.
  static var orphaned: NodeFlags { NodeFlags(rawValue: 512) }
}
