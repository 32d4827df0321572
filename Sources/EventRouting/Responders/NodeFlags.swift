/// What a walk has to know of a node beside its keys.
struct NodeFlags: OptionSet {
  let rawValue: UInt8

  static let none: NodeFlags = NodeFlags(rawValue: 0)
  /// A pass up may end before it.
  static let boundary: NodeFlags = NodeFlags(rawValue: 1)
  /// Terminal for every key.
  static let terminalAlways: NodeFlags = NodeFlags(rawValue: 2)
  /// Terminal for the keys it handles.
  static let terminalForOwnKeys: NodeFlags = NodeFlags(rawValue: 4)
  /// Has a proxy, whatever is in it.
  static let hasProxy: NodeFlags = NodeFlags(rawValue: 8)
  /// Its next may not be its parent, so that a walk may come back to a node.
  static let overridden: NodeFlags = NodeFlags(rawValue: 16)
  /// Its next is no `ResponderNode`.
  static let external: NodeFlags = NodeFlags(rawValue: 32)
  /// So many keys lie below that its table counts only its own.
  static let saturated: NodeFlags = NodeFlags(rawValue: 64)
}
