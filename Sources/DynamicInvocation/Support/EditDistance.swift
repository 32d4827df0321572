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
