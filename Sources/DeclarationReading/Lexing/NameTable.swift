/// The identifiers of a source, each stored once and identified by its index.
///
/// The first names are the keywords, so that the index of an identifier tells whether the identifier is a keyword.
package struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  /// The offset in `bytes` after each name; its start is the end of the name before it.
  private var ends: [Int32] = []
  /// The hash of each name.
  private var hashes: [UInt32] = []
  /// An open-addressing table of indices plus one; 0 is free.
  private var slots: [Int32] = Array(repeating: 0, count: 1_024)

  /// Returns the text of a name.
  package func text(_ name: Name) -> String { String(decoding: bytes[range(of: Int(name.index))], as: UTF8.self) }

  private func range(of index: Int) -> Range<Int> { (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index]) }

  /// Returns the name of a text, adding it if it is new.
  mutating func intern(_ text: String) -> Name {
    let bytes = Array(text.utf8)
    return intern(bytes, 0..<bytes.count)
  }

  /// Returns the name of a range of a source, adding it if it is new.
  mutating func intern(_ source: [UInt8], _ range: Range<Int>) -> Name {
    intern(source, range, hash: Self.hash(source, range))
  }

  /// Returns the name of a range of a source, whose hash the caller computed with `combine`.
  mutating func intern(_ source: [UInt8], _ range: Range<Int>, hash: UInt32) -> Name {
    var slot = slot(of: source, range, hash)
    if slots[slot] != 0 { return Name(index: slots[slot] - 1) }
    if 2 * ends.count >= slots.count {
      grow()
      slot = self.slot(of: source, range, hash)
    }
    bytes += source[range]
    ends.append(Int32(bytes.count))
    hashes.append(hash)
    slots[slot] = Int32(ends.count)
    return Name(index: Int32(ends.count - 1))
  }

  // MARK: Hashes

  /// The hash of no bytes.
  static let seed: UInt32 = 2_166_136_261

  /// Returns the hash of the bytes so far and another byte.
  static func combine(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte)) &* 16_777_619 }

  private static func hash(_ source: [UInt8], _ range: Range<Int>) -> UInt32 {
    var hash = seed
    for index in range { hash = combine(hash, source[index]) }
    return hash
  }

  // MARK: Searching

  /// Returns the name of a text, or nil if the table does not contain it.
  func find(_ text: String) -> Name? {
    let bytes = Array(text.utf8)
    let slot = slot(of: bytes, 0..<bytes.count, Self.hash(bytes, 0..<bytes.count))
    return slots[slot] == 0 ? nil : Name(index: slots[slot] - 1)
  }

  /// Returns the slot that contains the name, or the free one where it belongs.
  private func slot(of source: [UInt8], _ range: Range<Int>, _ hash: UInt32) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash ^ hash >> 15) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot] - 1)
      if hashes[index] == hash, isEqual(index, source, range) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func isEqual(_ index: Int, _ source: [UInt8], _ range: Range<Int>) -> Bool {
    let known = self.range(of: index)
    guard known.count == range.count else { return false }
    for offset in 0..<known.count where bytes[known.lowerBound + offset] != source[range.lowerBound + offset] { return false }
    return true
  }

  private mutating func grow() {
    let mask = 4 * slots.count - 1
    slots = Array(repeating: 0, count: mask + 1)
    for (index, hash) in hashes.enumerated() {
      var slot = Int(hash ^ hash >> 15) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(index + 1)
    }
  }
}

/// The index of an identifier in a ``NameTable``.
package struct Name: Hashable, Sendable {
  var index: Int32

  /// No name: an anonymous struct, an unnamed member.
  static let none = Name(index: -1)

  package var isNone: Bool { index < 0 }
}

/// Values by name, in the order in which each name was stored first.
package struct ListByName<Value: Sendable>: Sendable {
  package private(set) var all: [Value] = []
  /// The index of the value of each name, or -1.
  private var indexOfName: [Int32] = []

  /// The value of a name, or nil.
  subscript(name: Name) -> Value? {
    guard Int(name.index) < indexOfName.count, indexOfName[Int(name.index)] >= 0 else { return nil }
    return all[Int(indexOfName[Int(name.index)])]
  }

  /// Stores the value of a name in the place of its former one.
  mutating func set(_ value: Value, named name: Name) {
    let index = Int(name.index)
    if index >= indexOfName.count { indexOfName += repeatElement(-1, count: max(index + 1, 2 * indexOfName.count) - indexOfName.count) }
    if indexOfName[index] >= 0 {
      all[Int(indexOfName[index])] = value
    } else {
      indexOfName[index] = Int32(all.count)
      all.append(value)
    }
  }
}
