/// A key with its hash worked out, and with the ways that are meant: a send makes it once and asks every node with it.
struct HashedKey {
  /// The address of the interned name; never 0.
  let bits: UInt
  let hash: UInt
  /// The way of the pass that asks.
  let directions: Directions

  init(_ key: EventKey, _ directions: Directions = .both) { self.init(bits: key.bits, directions) }

  init(bits: UInt, _ directions: Directions = .both) {
    self.bits = bits
    // Fibonacci hashing: names are interned at addresses that differ in their middle bits.
    hash = bits &* 0x9E37_79B9_7F4A_7C15
    self.directions = directions
  }

  /// The bit of this key in a node's filters.
  var filterBit: UInt { 1 &<< (hash &>> 58) }
}
