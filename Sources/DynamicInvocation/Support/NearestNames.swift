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
    let cutoff = cutoff(for: wanted.count)
    var matcher = EditDistance(to: wanted)
    var best: [(distance: Int, name: String)] = []

    for candidate in names where lengths.contains(candidate.utf8.count) {
      let bytes = Array(candidate.utf8)
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
  static func lengths(near name: String) -> ClosedRange<Int> {
    let count = name.utf8.count
    let cutoff = cutoff(for: count)
    // A name may lack all underscores of the wanted one, or have a few more.
    let bare = name.utf8.count { $0 != UInt8(ascii: "_") }
    return max(1, min(bare, count - cutoff))...(count + max(cutoff, 4))
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
