/// A member of ``OrderedChunks``.
protocol OrderedMember {
  associatedtype Order: Comparable
  /// What the members are sorted by; no two are equal.
  var order: Order { get }
}

/// Sorted members, stored in chunks: a change moves the members of one chunk.
struct OrderedChunks<Member: OrderedMember> {
  /// The chunks; no chunk is empty.
  private var chunks: [[Member]] = []

  /// The maximum number of members of a chunk.
  private static var mostMembers: Int { 512 }

  var isEmpty: Bool { chunks.isEmpty }

  /// The members, in order.
  var all: [Member] { Array(chunks.joined()) }

  mutating func insert(_ member: Member) {
    let order = member.order
    // A member after all others goes into the last chunk.
    let chunk = min(firstChunk(after: order), chunks.count - 1)
    guard chunk >= 0 else { return chunks.append([member]) }
    let place = Self.search(chunks[chunk].count) { chunks[chunk][$0].order > order }
    chunks[chunk].insert(member, at: place)
    guard chunks[chunk].count > Self.mostMembers else { return }
    // Members that are appended in order leave full chunks.
    let half = chunk == chunks.count - 1 && place == chunks[chunk].count - 1 ? place : chunks[chunk].count / 2
    let rest = Array(chunks[chunk][half...])
    chunks[chunk].removeSubrange(half...)
    chunks.insert(rest, at: chunk + 1)
  }

  mutating func remove(_ member: Member) {
    let order = member.order
    let chunk = Self.search(chunks.count) { chunks[$0][chunks[$0].count - 1].order >= order }
    guard chunk < chunks.count else { return }
    let place = Self.search(chunks[chunk].count) { chunks[chunk][$0].order >= order }
    guard place < chunks[chunk].count, chunks[chunk][place].order == order else { return }
    chunks[chunk].remove(at: place)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  func first(after order: Member.Order) -> Member? {
    let chunk = firstChunk(after: order)
    guard chunk < chunks.count else { return nil }
    return chunks[chunk][Self.search(chunks[chunk].count) { chunks[chunk][$0].order > order }]
  }

  /// The last member that is before an order.
  func last(before order: Member.Order) -> Member? {
    let chunk = Self.search(chunks.count) { chunks[$0][0].order >= order } - 1
    guard chunk >= 0 else { return nil }
    return chunks[chunk][Self.search(chunks[chunk].count) { chunks[chunk][$0].order >= order } - 1]
  }

  /// The index of the first chunk with a member after an order.
  private func firstChunk(after order: Member.Order) -> Int {
    Self.search(chunks.count) { chunks[$0][chunks[$0].count - 1].order > order }
  }

  /// The first index below `count` for which a monotonic predicate holds; `count` when there is no such index.
  private static func search(_ count: Int, _ holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
