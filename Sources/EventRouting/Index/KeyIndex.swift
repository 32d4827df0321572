import DynamicInvocation

/// The keys of a node and of the nodes below it.
///
/// A pass searches the index without retaining anything.
typealias KeyIndex = PointerTable<KeyEntry>

/// What a node stores for a key.
struct KeyEntry: BitwiseCopyable {
  /// The number of children that have the key, themselves or below them, for passes down.
  var children: Int32 = 0
  /// The directions in which the node itself receives events of the key.
  var own: Directions = .none

  /// Whether a pass down reaches a handler, of the node or of a node below it.
  var isReached: Bool { children > 0 || own.contains(.down) }
}

/// A key with its hash and a set of directions.
///
/// A send creates it once and queries every node with it.
struct HashedKey {
  /// The address of the interned name; never 0.
  let bits: UInt
  let hash: UInt
  /// The directions to query: those of the pass.
  let directions: Directions

  init(_ key: EventKey, _ directions: Directions = .both) { self.init(bits: key.bits, directions) }

  init(bits: UInt, _ directions: Directions = .both) {
    self.bits = bits
    hash = PointerHash.hash(bits)
    filterBit = 1 &<< EventKey(bits: bits).textHash
    self.directions = directions
  }

  /// The bit of this key in a node's filters.
  ///
  /// It is selected by the text, so it is the same in each run of a program.
  let filterBit: UInt
}

extension PointerTable where Value == KeyEntry {
  /// The entry of a key.
  @inline(__always)
  func entry(of key: HashedKey) -> KeyEntry? { value(for: key.bits, hash: key.hash) }

  /// Whether the node itself handles the key in one of its directions.
  @inline(__always)
  func owns(_ key: HashedKey) -> Bool {
    guard let entry = entry(of: key) else { return false }
    return !entry.own.isDisjoint(with: key.directions)
  }

  /// Changes the entry of a key.
  ///
  /// The entry is created if needed, and removed when it counts nothing.
  ///
  /// - Returns: Whether the key reached a handler before the change, and whether it does now.
  mutating func update(_ key: HashedKey, _ change: (inout KeyEntry) -> Void) -> (before: Bool, after: Bool) {
    var entry = entry(of: key) ?? KeyEntry()
    let before = entry.isReached
    change(&entry)
    let after = entry.isReached
    self[key.bits] = after || !entry.own.isEmpty ? entry : nil
    return (before, after)
  }

  /// Removes the counts of the children, and keeps the node's own keys.
  mutating func removeChildren() {
    var own = KeyIndex()
    forEach { key, entry in
      if !entry.own.isEmpty { own[key] = KeyEntry(own: entry.own) }
    }
    self = own
  }
}
