/// What a walk has to know of a node beside its keys.
struct NodeFlags: OptionSet {
  let rawValue: UInt16

  // Concrete, as those of the protocol are generic: without optimization each is several calls, and a walk asks at every node.
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
  /// Has a proxy, whatever is in it.
  static var hasProxy: NodeFlags { NodeFlags(rawValue: 8) }
  /// Its next may not be its parent, so that a walk may come back to a node.
  static var overridden: NodeFlags { NodeFlags(rawValue: 16) }
  /// Its next is no `ResponderNode`.
  static var external: NodeFlags { NodeFlags(rawValue: 32) }
  /// It is not known of all keys whether they lie below; its parent knows that.
  static var saturated: NodeFlags { NodeFlags(rawValue: 64) }
  /// Its table counts only its own keys.
  static var uncounted: NodeFlags { NodeFlags(rawValue: 128) }
  /// Its parent has it among the children that may lead to any key, and counts none of its keys.
  static var unknownAbove: NodeFlags { NodeFlags(rawValue: 256) }
  /// Its parent has ended, and it has got no other.
  static var orphaned: NodeFlags { NodeFlags(rawValue: 512) }
}
