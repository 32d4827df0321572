import DynamicInvocation

/// The keys of a node and of what lies below it.
///
/// A pass searches it without retaining anything.
typealias KeyIndex = PointerTable<KeyEntry>

/// What a node knows of a key.
struct KeyEntry: BitwiseCopyable {
  /// How many children have the key on themselves or below, for events that come down.
  var children: Int32 = 0
  /// From which ways events of the key come to the node itself.
  var own: Directions = .none

  /// Whether events that come down have somebody to reach, the node or one below it.
  var isReached: Bool { children > 0 || own.contains(.down) }
}

/// A key with its hash and the directions that are meant: a send makes it once and asks every node with it.
struct HashedKey {
  /// The address of the interned name; never 0.
  let bits: UInt
  let hash: UInt
  /// The way of the pass that asks.
  let directions: Directions

  init(_ key: EventKey, _ directions: Directions = .both) { self.init(bits: key.bits, directions) }

  init(bits: UInt, _ directions: Directions = .both) {
    self.bits = bits
    hash = PointerHash.hash(bits)
    self.directions = directions
  }

  /// The bit of this key in a node's filters, chosen by other bits of the hash than the place in a table.
  var filterBit: UInt { 1 &<< (hash &>> 32) }
}

extension PointerTable where Value == KeyEntry {
  /// The entry of a key.
  @inline(__always)
  func entry(of key: HashedKey) -> KeyEntry? { value(for: key.bits, hash: key.hash) }

  /// Whether the node itself handles a key that comes the way which is meant.
  @inline(__always)
  func owns(_ key: HashedKey) -> Bool {
    guard let entry = entry(of: key) else { return false }
    return !entry.own.isDisjoint(with: key.directions)
  }

  /// Changes the entry of a key, made if need be and removed when it counts nothing any more.
  ///
  /// - Returns: Whether the key had somebody to reach before, and whether it has now.
  mutating func update(_ key: HashedKey, _ change: (inout KeyEntry) -> Void) -> (before: Bool, after: Bool) {
    var entry = entry(of: key) ?? KeyEntry()
    let before = entry.isReached
    change(&entry)
    let after = entry.isReached
    self[key.bits] = after || !entry.own.isEmpty ? entry : nil
    return (before, after)
  }

  /// Forgets what is below, and keeps the node's own keys.
  mutating func removeChildren() {
    var own = KeyIndex()
    forEach { key, entry in
      if !entry.own.isEmpty { own[key] = KeyEntry(own: entry.own) }
    }
    self = own
  }
}
