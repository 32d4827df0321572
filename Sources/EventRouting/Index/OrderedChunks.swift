/// A member of ``OrderedChunks``.
protocol OrderedMember {
  associatedtype Order: Comparable
  /// What the members are sorted by; no two are equal.
  var order: Order { get }
}

/// Sorted members, stored in chunks: a change moves the members of one chunk.
struct OrderedChunks<Member: OrderedMember> {
  /// The chunks; no chunk is empty.
  private var pieces: [[Member]] = []

  /// The maximum number of members of a chunk.
  private static var mostMembers: Int { 512 }

  var isEmpty: Bool { pieces.isEmpty }

  mutating func insert(_ member: Member) {
    let order = member.order
    // A member after all others goes into the last chunk.
    let piece = min(Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order > order }, pieces.count - 1)
    guard piece >= 0 else { return pieces.append([member]) }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].order > order }
    pieces[piece].insert(member, at: place)
    guard pieces[piece].count > Self.mostMembers else { return }
    // Members that are appended in order leave full chunks.
    let half = piece == pieces.count - 1 && place == pieces[piece].count - 1 ? place : pieces[piece].count / 2
    let rest = Array(pieces[piece][half...])
    pieces[piece].removeSubrange(half...)
    pieces.insert(rest, at: piece + 1)
  }

  mutating func remove(_ member: Member) {
    let order = member.order
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order >= order }
    guard piece < pieces.count else { return }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].order >= order }
    guard place < pieces[piece].count, pieces[piece][place].order == order else { return }
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }

  func first(after order: Member.Order) -> Member? {
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order > order }
    guard piece < pieces.count else { return nil }
    return pieces[piece][Self.search(pieces[piece].count) { pieces[piece][$0].order > order }]
  }

  /// The last member that is not after an order.
  func last(through order: Member.Order) -> Member? {
    let piece = Self.search(pieces.count) { pieces[$0][0].order > order } - 1
    guard piece >= 0 else { return nil }
    return pieces[piece][Self.search(pieces[piece].count) { pieces[piece][$0].order > order } - 1]
  }

  /// Replaces the member of the same order, or inserts a new one.
  mutating func update(_ member: Member) {
    let order = member.order
    let piece = Self.search(pieces.count) { pieces[$0][pieces[$0].count - 1].order >= order }
    guard piece < pieces.count else { return insert(member) }
    let place = Self.search(pieces[piece].count) { pieces[piece][$0].order >= order }
    if pieces[piece][place].order == order { pieces[piece][place] = member } else { insert(member) }
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
