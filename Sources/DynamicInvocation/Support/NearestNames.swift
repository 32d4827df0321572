/// Finds the names that are most similar to a misspelled one.
///
/// Names that differ only in case and underscores come first, followed by those with the smallest edit distance:
/// inserted, deleted, replaced and transposed bytes. Names whose distance is more than a third of the length of the
/// wanted name, or more than three edits, are left out. A wanted name longer than ``longest`` has no near ones: the text
/// of an error must not cost time and memory that grow with its input.
package enum NearestNames {
  /// The longest name that is compared, in UTF-8 bytes; a mangled name of a program is shorter.
  package static var longest: Int { 1_024 }

  /// Returns at most `limit` distinct names, nearest first, and alphabetically at the same distance.
  ///
  /// - Complexity: O(*n* × *length*) time for *n* names of about the length of `name`; for other names only the length
  ///   is read. Memory for `limit` names and three rows of the length of `name`.
  package static func nearest(to name: String, among names: some Sequence<String>, limit: Int) -> [String] {
    guard limit > 0, !name.isEmpty, name.utf8.count <= longest else { return [] }
    let lengths = lengths(near: name)
    let wanted = Array(name.utf8)
    let wantedFolded = folded(wanted)
    let wantedLetters = letters(wanted)
    let cutoff = cutoff(for: wanted.count)
    var matcher = EditDistance(to: wanted)
    var best: [(distance: Int, name: String)] = []

    for candidate in names where lengths.contains(candidate.utf8.count) {
      let bytes = Array(candidate.utf8)
      // Each edit adds or takes away one letter at most: few names are compared byte by byte.
      let own = letters(bytes)
      guard (own & ~wantedLetters).nonzeroBitCount <= cutoff, (wantedLetters & ~own).nonzeroBitCount <= cutoff else { continue }
      let distance: Int
      if !wantedFolded.isEmpty, folded(bytes) == wantedFolded {
        distance = 0
      } else if let edits = matcher.distance(to: bytes, atMost: cutoff), edits < max(wanted.count, bytes.count) {
        // Names that share no byte are near only because they are short.
        distance = edits
      } else {
        continue
      }
      let entry = (distance: distance, name: candidate)
      guard let place = place(of: entry, in: best), place < limit else { continue }
      best.insert(entry, at: place)
      if best.count > limit { best.removeLast() }
    }
    return best.map(\.name)
  }

  /// The UTF-8 lengths of the names that may be near.
  ///
  /// Callers skip names of other lengths before creating strings.
  package static func lengths(near name: String) -> ClosedRange<Int> {
    let count = name.utf8.count
    let cutoff = cutoff(for: count)
    // A name may lack all underscores of the wanted one, or have a few more.
    let bare = name.utf8.count { $0 != UInt8(ascii: "_") }
    return max(1, min(bare, count - cutoff))...(count + max(cutoff, 4))
  }

  /// A bit for each ASCII letter that the bytes contain, whatever its case.
  private static func letters(_ bytes: [UInt8]) -> UInt32 {
    var letters: UInt32 = 0
    for byte in bytes where byte & 0x40 != 0 && byte != UInt8(ascii: "_") { letters |= 1 << UInt32(byte & 31) }
    return letters
  }

  private static func cutoff(for count: Int) -> Int { min(3, max(1, count / 3)) }

  /// Returns the index of an entry in the sorted list, or nil if the list already contains it.
  private static func place(
    of entry: (distance: Int, name: String), in best: [(distance: Int, name: String)]
  ) -> Int? {
    for (index, other) in best.enumerated() where entry <= other { return entry == other ? nil : index }
    return best.count
  }

  /// Returns the bytes without underscores, with ASCII letters in lower case.
  private static func folded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes where byte != UInt8(ascii: "_") {
      let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      result.append(isUpper ? byte | 0x20 : byte)
    }
    return result
  }
}

/// Computes the edit distance between one byte string and others.
///
/// The edits are insertion, deletion, replacement, and the transposition of two adjacent bytes. The three table rows
/// that are needed at a time are reused from one comparison to the next.
struct EditDistance {
  private let target: [UInt8]
  private var beforePrevious: [Int]
  private var previous: [Int]
  private var current: [Int]

  init(to target: [UInt8]) {
    self.target = target
    beforePrevious = Array(repeating: 0, count: target.count + 1)
    previous = beforePrevious
    current = beforePrevious
  }

  /// Returns the number of edits, or nil when more than `limit` are needed.
  ///
  /// - Complexity: O(*length* × `limit`), since cells more than `limit` away from the diagonal are not computed.
  mutating func distance(to other: [UInt8], atMost limit: Int) -> Int? {
    let count = target.count
    guard limit >= 0, abs(count - other.count) <= limit else { return nil }
    let beyond = limit + 1
    for column in 0...count { previous[column] = min(column, beyond) }

    for row in 0..<other.count {
      let first = max(0, row - limit)
      let last = min(count - 1, row + limit)
      // Cells outside the band are over the limit. The first column is the deletion of all bytes so far.
      current[first] = first == 0 ? min(row + 1, beyond) : beyond
      var smallest = current[first]
      if first <= last {
        for column in first...last {
          var edits = previous[column] + (target[column] == other[row] ? 0 : 1)
          edits = min(edits, previous[column + 1] + 1, current[column] + 1)
          if row > 0, column > 0, target[column] == other[row - 1], target[column - 1] == other[row] {
            edits = min(edits, beforePrevious[column - 1] + 1)
          }
          current[column + 1] = min(edits, beyond)
          smallest = min(smallest, edits)
        }
      }
      if last + 2 <= count { current[last + 2] = beyond }
      if smallest > limit, previous.min() ?? beyond > limit { return nil }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[count] <= limit ? previous[count] : nil
  }
}
