/// Hashes addresses and other words that identify something.
@usableFromInline
package enum PointerHash {
  /// Returns a hash whose upper bits depend on all bits of a word: the product with 2^64 divided by the golden ratio.
  ///
  /// This is Fibonacci hashing.
  @inlinable @inline(__always)
  package static func hash(_ word: UInt) -> UInt { word &* 0x9E37_79B9_7F4A_7C15 }
}

/// A hash table from addresses to bitwise-copyable values.
///
/// A lookup is a multiplication and usually one comparison. Unlike a lookup in a dictionary, it does no reference
/// counting and hashes no bytes. The table uses open addressing with linear probing, and is at most half full. Address
/// 0 marks a free entry and cannot be a key. Removing an entry moves the entries after it back, so there are no
/// tombstones. A table that has never had an entry allocates nothing.
///
/// A table is not synchronized: threads may share one only when it is no longer changed.
@usableFromInline
@safe
package struct PointerTable<Value: BitwiseCopyable>: ~Copyable {
  /// A key and its value.
  ///
  /// In a free entry the key and the bits of the value are zero.
  @usableFromInline
  @safe
  struct Entry: BitwiseCopyable {
    @usableFromInline var key: UInt
    @usableFromInline var value: Value

    @inlinable
    init(key: UInt, value: Value) {
      self.key = key
      self.value = value
    }
  }

  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  /// The capacity, a power of two, minus one.
  @usableFromInline var mask: Int
  /// 64 minus the binary logarithm of the capacity: the upper bits of a hash are the index where the search starts.
  @usableFromInline var shift: UInt
  /// The number of keys.
  @usableFromInline package var count: Int

  /// Creates an empty table.
  @inlinable
  package init() {
    unsafe entries = freeEntries.assumingMemoryBound(to: Entry.self)
    mask = 1
    shift = 63
    count = 0
    precondition(2 * MemoryLayout<Entry>.stride <= freeEntriesSize, "an entry is at most four words")
  }

  @inlinable
  deinit { if ownsEntries { unsafe entries.deallocate() } }

  /// The value of a key.
  @inlinable
  package subscript(key: UInt) -> Value? {
    @inline(__always) get { value(for: key, hash: PointerHash.hash(key)) }
    set {
      if let newValue { insert(newValue, for: key) } else { remove(key) }
    }
  }

  /// The value of a key whose hash is known.
  @inlinable @inline(__always)
  package func value(for key: UInt, hash: UInt) -> Value? {
    var index = Int(bitPattern: hash &>> shift)
    while true {
      let entry = unsafe entries + index
      if unsafe entry.pointee.key == key { return unsafe entry.pointee.value }
      if unsafe entry.pointee.key == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  /// Calls a closure with each key and its value, in no particular order.
  @inlinable
  package func forEach(_ body: (UInt, Value) -> Void) {
    for index in 0...mask where unsafe entries[index].key != 0 { unsafe body(entries[index].key, entries[index].value) }
  }

  /// The number of entries, free ones too; it never falls.
  package var capacity: Int { mask + 1 }

  /// Returns the number of entries that a search for a key reads.
  package func probes(for key: UInt) -> Int { ((index(of: key) &- home(of: key)) & mask) + 1 }
}

extension PointerTable {
  /// Traps unless each key is found, is there once, and the table is at most half full; for tests.
  package func checkInvariants() {
    var keys: Set<UInt> = []
    forEach { key, _ in keys.insert(key) }
    precondition(keys.count == count, "\(count) keys are counted, \(keys.count) are there")
    for index in 0...mask where unsafe entries[index].key != 0 {
      precondition(unsafe self.index(of: entries[index].key) == index, "a search for a key does not reach it")
    }
    precondition((mask + 1).nonzeroBitCount == 1 && shift == UInt(64 - (mask + 1).trailingZeroBitCount), "the capacity is no power of two")
    precondition(2 * count <= mask + 1, "\(count) of \(mask + 1) entries are used")
  }
}

/// Mutation.
extension PointerTable {
  @inlinable
  mutating func insert(_ value: Value, for key: UInt) {
    var index = index(of: key)
    if unsafe entries[index].key == 0 {
      count += 1
      if !ownsEntries || 2 * count > mask + 1 {
        grow()
        index = self.index(of: key)
      }
    }
    unsafe entries[index] = Entry(key: key, value: value)
  }

  @inlinable
  mutating func remove(_ key: UInt) {
    var hole = index(of: key)
    guard unsafe entries[hole].key != 0 else { return }
    var next = (hole &+ 1) & mask
    while unsafe entries[next].key != 0 {
      // An entry may move back to the hole unless its search starts after the hole.
      let home = unsafe home(of: entries[next].key)
      if (next &- home) & mask >= (next &- hole) & mask {
        unsafe entries[hole] = entries[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    unsafe entries[hole].key = 0
    count -= 1
  }

  @inlinable
  mutating func grow() {
    let (old, capacity, ownsOld) = unsafe (entries, mask + 1, ownsEntries)
    let byteCount = 2 * capacity * MemoryLayout<Entry>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: MemoryLayout<Entry>.alignment)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    unsafe entries = memory.assumingMemoryBound(to: Entry.self)
    mask = 2 * capacity - 1
    shift -= 1
    guard ownsOld else { return }
    for index in 0..<capacity where unsafe old[index].key != 0 { unsafe entries[self.index(of: old[index].key)] = old[index] }
    unsafe old.deallocate()
  }

  /// Returns the index where the search for a key starts.
  @inlinable
  func home(of key: UInt) -> Int { Int(bitPattern: PointerHash.hash(key) &>> shift) }

  /// Returns the index of a key, or of the free entry where it would be inserted.
  @inlinable
  func index(of key: UInt) -> Int {
    var index = home(of: key)
    while unsafe entries[index].key != 0, unsafe entries[index].key != key { index = (index &+ 1) & mask }
    return index
  }

  /// Whether the table has allocated its entries, and does not use those that all empty tables share.
  @inlinable
  var ownsEntries: Bool { unsafe UnsafeMutableRawPointer(entries) != freeEntries }
}

/// The size of ``freeEntries`` in bytes.
@usableFromInline let freeEntriesSize: Int = 64

/// Two free entries, never written to, that all tables without own entries share.
@usableFromInline nonisolated(unsafe) let freeEntries: UnsafeMutableRawPointer = {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: freeEntriesSize, alignment: 16)
  unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: freeEntriesSize)
  return unsafe memory
}()
