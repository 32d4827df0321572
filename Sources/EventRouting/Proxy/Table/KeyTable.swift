/// The handlers of a proxy by key: a hash table in raw memory, of addresses, searched without counting a reference.
///
/// Open addressing with linear probing, at most half full; a removed key's place is filled by those that were pushed past it.
@usableFromInline
@safe
struct KeyTable {
  /// A key and its first handler; both are zero where there is none.
  @usableFromInline
  @safe
  struct Place {
    @usableFromInline var key: UInt
    @usableFromInline var first: UnsafeMutablePointer<HandlerRecord>?
  }

  @usableFromInline private(set) var places: UnsafeMutablePointer<Place>
  /// The bits of a hash that are not used: 64 less the logarithm of the number of places.
  @usableFromInline private(set) var shift: UInt
  @usableFromInline private(set) var mask: Int
  private(set) var count = 0

  init() {
    unsafe places = Self.makePlaces(2)
    shift = 63
    mask = 1
  }

  func deallocate() { unsafe places.deallocate() }

  /// The first handler of a key.
  @inlinable @inline(__always)
  func first(_ key: UInt) -> UnsafeMutablePointer<HandlerRecord>? {
    var index = start(key)
    while true {
      let place = unsafe places + index
      if unsafe place.pointee.key == key { return unsafe place.pointee.first }
      if unsafe place.pointee.key == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  /// Where the search for a key begins: the high bits of its product with the golden ratio.
  @inlinable @inline(__always)
  func start(_ key: UInt) -> Int { Int(bitPattern: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift) }

  /// Puts a handler in the place of a key's first, adding the key if it is new.
  mutating func set(_ first: UnsafeMutablePointer<HandlerRecord>, for key: UInt) {
    var index = self.index(of: key)
    if unsafe places[index].key == 0 {
      count += 1
      if 2 * count > mask + 1 {
        grow()
        index = self.index(of: key)
      }
    }
    unsafe places[index] = Place(key: key, first: first)
  }

  /// Removes a key that is there.
  mutating func remove(_ key: UInt) {
    var hole = index(of: key)
    var next = (hole &+ 1) & mask
    while unsafe places[next].key != 0 {
      // A key may move back to the hole unless its search begins after it.
      let home = unsafe start(places[next].key)
      if (next &- home) & mask >= (next &- hole) & mask {
        unsafe places[hole] = places[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    unsafe places[hole] = Place(key: 0, first: nil)
    count -= 1
  }

  /// The first handler of each key, in no order.
  var firsts: [UnsafeMutablePointer<HandlerRecord>] { unsafe (0...mask).compactMap { unsafe places[$0].first } }

  /// The number of places that a search for a key looks at.
  func probes(_ key: UInt) -> Int { ((index(of: key) &- start(key)) & mask) + 1 }

  private func index(of key: UInt) -> Int {
    var index = start(key)
    while unsafe places[index].key != 0, unsafe places[index].key != key { index = (index &+ 1) & mask }
    return index
  }

  private mutating func grow() {
    let (old, size) = unsafe (places, mask + 1)
    unsafe places = Self.makePlaces(2 * size)
    mask = 2 * size - 1
    shift -= 1
    for index in 0..<size where unsafe old[index].key != 0 { unsafe places[self.index(of: old[index].key)] = old[index] }
    unsafe old.deallocate()
  }

  private static func makePlaces(_ count: Int) -> UnsafeMutablePointer<Place> {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
    unsafe places.initialize(repeating: Place(key: 0, first: nil), count: count)
    return unsafe places
  }
}
