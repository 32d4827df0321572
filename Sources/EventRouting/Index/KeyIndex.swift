/// The keys of a node and of what lies below it, in raw memory.
///
/// An open-addressed table with linear probing, at most half full: a walk asks it without retaining anything. Its owner frees it.
@safe
struct KeyIndex {
  struct Entry {
    /// The key, 0 in a free place.
    var bits: UInt
    /// How many children have the key on themselves or below, for events that come down.
    var children: Int32
    /// From which ways events of the key come to the node itself.
    var own: Directions

    static let free: Entry = Entry(bits: 0, children: 0, own: .none)

    /// Whether events that come down have somebody to reach, the node or one below it.
    var isReached: Bool { children > 0 || own.contains(.down) }
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var capacity: Int = 0
  /// How many keys there are.
  private(set) var count: Int = 0

  init() { unsafe entries = nil }

  /// Whether the node itself handles a key that comes the way which is meant.
  @inline(__always)
  func owns(_ key: HashedKey) -> Bool {
    guard let place = place(of: key), let entries = unsafe entries else { return false }
    return unsafe !entries[place].own.isDisjoint(with: key.directions)
  }

  /// The entry of a key.
  @inline(__always)
  func entry(of key: HashedKey) -> Entry? {
    guard let place = place(of: key), let entries = unsafe entries else { return nil }
    return unsafe entries[place]
  }

  /// Changes the entry of a key, made if need be and removed when it counts nothing any more.
  ///
  /// - Returns: Whether the key had somebody to reach before, and whether it has now.
  mutating func update(_ key: HashedKey, _ change: (inout Entry) -> Void) -> (before: Bool, after: Bool) {
    let found = place(of: key)
    let place = found ?? insert(key)
    guard let entries = unsafe entries else { return (false, false) }
    let before = unsafe entries[place].isReached
    unsafe change(&entries[place])
    let after = unsafe entries[place].isReached
    if unsafe !after && entries[place].own.isEmpty { remove(at: place) }
    return (before, after)
  }

  /// Calls `body` with each entry, in no particular order.
  func forEach(_ body: (Entry) -> Void) {
    guard let entries = unsafe entries else { return }
    for place in 0..<capacity {
      let entry = unsafe entries[place]
      if entry.bits != 0 { body(entry) }
    }
  }

  /// Forgets what is below, and keeps the node's own keys.
  mutating func removeChildren() {
    var own = KeyIndex()
    forEach { entry in
      if !entry.own.isEmpty { _ = own.update(HashedKey(bits: entry.bits)) { $0.own = entry.own } }
    }
    deallocate()
    self = own
  }

  /// Frees the memory.
  mutating func deallocate() {
    unsafe entries?.deallocate()
    unsafe entries = nil
    capacity = 0
    count = 0
  }

  private func firstPlace(of key: HashedKey) -> Int { Int(truncatingIfNeeded: key.hash &>> 32) & (capacity &- 1) }

  @inline(__always)
  private func place(of key: HashedKey) -> Int? {
    guard let entries = unsafe entries else { return nil }
    var place = firstPlace(of: key)
    while true {
      let bits = unsafe entries[place].bits
      if bits == key.bits { return place }
      if bits == 0 { return nil }
      place = (place &+ 1) & (capacity &- 1)
    }
  }

  private mutating func insert(_ key: HashedKey) -> Int {
    if (count + 1) * 2 > capacity { grow() }
    guard let entries = unsafe entries else { preconditionFailure("a table that grew has memory") }
    var place = firstPlace(of: key)
    while unsafe entries[place].bits != 0 { place = (place &+ 1) & (capacity &- 1) }
    unsafe entries[place] = Entry(bits: key.bits, children: 0, own: .none)
    count += 1
    return place
  }

  private mutating func grow() {
    let old = unsafe entries
    let oldCapacity = capacity
    capacity = max(4, capacity * 2)
    let fresh = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    unsafe fresh.initialize(repeating: .free, count: capacity)
    unsafe entries = fresh
    guard let old = unsafe old else { return }
    for index in 0..<oldCapacity {
      let entry = unsafe old[index]
      guard entry.bits != 0 else { continue }
      var place = firstPlace(of: HashedKey(bits: entry.bits))
      while unsafe fresh[place].bits != 0 { place = (place &+ 1) & (capacity &- 1) }
      unsafe fresh[place] = entry
    }
    unsafe old.deallocate()
  }

  /// Empties a place and moves back the entries that had to give way to it.
  private mutating func remove(at removed: Int) {
    guard let entries = unsafe entries else { return }
    count -= 1
    let mask = capacity &- 1
    var hole = removed
    var place = (hole &+ 1) & mask
    while unsafe entries[place].bits != 0 {
      let wanted = firstPlace(of: HashedKey(bits: unsafe entries[place].bits))
      // An entry may move into the hole unless its own first place lies after the hole.
      if (place &- wanted) & mask >= (place &- hole) & mask {
        unsafe entries[hole] = entries[place]
        hole = place
      }
      place = (place &+ 1) & mask
    }
    unsafe entries[hole] = .free
  }
}
