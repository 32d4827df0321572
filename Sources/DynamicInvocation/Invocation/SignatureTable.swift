/// Finds the one object of each signature in use.
///
/// The table itself holds signatures weakly, so that a stream of random ones leaves nothing behind; the last few are kept alive, so that a caller who
/// makes a signature anew for each call does not plan it anew.
final class SignatureTable: Sendable {
  static let shared = SignatureTable()

  private struct Key: Hashable {
    var text: String
    /// nil for a text that the table wrote itself, so that no malformed text of a caller can be taken for one.
    var dialect: TypeEncoding.Dialect?
    var fixedCount: Int?
    var lane: CallLane
  }

  private struct Entry {
    weak var storage: MethodSignature.Storage?
  }

  /// A text looked up lately and its signature, which it keeps alive.
  private struct Recent {
    var hash: UInt64
    var key: Key
    var storage: MethodSignature.Storage
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    /// Entries are swept when their number doubles.
    var nextSweep = 512
    /// A text's place is its hash modulo the number of places; a newcomer takes the place.
    var recent: [Recent?] = Array(repeating: nil, count: recentCount)
  }

  /// The number of places for recent texts, a power of two.
  private static let recentCount = 256

  /// The longest text kept alive: what a text becomes takes a hundred times its bytes.
  private static let longestRecent = 4096

  private let state: Guarded<State> = Guarded(State())

  func signature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, lane: CallLane
  ) throws(InvocationError) -> MethodSignature.Storage {
    let key = Key(text: text, dialect: dialect, fixedCount: fixedCount, lane: lane)
    let hash = Self.hash(of: text)
    let found = state.withLock { state -> MethodSignature.Storage? in
      if let recent = state.recent[Int(hash % UInt64(Self.recentCount))], recent.hash == hash, recent.key == key {
        return recent.storage
      }
      guard let storage = state.entries[key]?.storage else { return nil }
      Self.remember(storage, for: key, hash, in: &state)
      return storage
    }
    if let found { return found }
    let storage = try signature(MethodTypes(text, dialect: dialect), fixedCount: fixedCount, lane: lane)
    state.withLock { state in
      Self.add(storage, for: key, to: &state)
      Self.remember(storage, for: key, hash, in: &state)
    }
    return storage
  }

  func signature(_ types: MethodTypes, fixedCount: Int?, lane: CallLane) throws(InvocationError) -> MethodSignature.Storage {
    // Spellings that differ only in frame offsets share one object: the text of everything else is its key.
    let text = types.text(dialect: .gnu, options: TypeEncoding.TextOptions.all.union(.layoutOverrides))
    let key = Key(text: text, dialect: nil, fixedCount: fixedCount, lane: lane)
    if let found = state.withLock({ $0.entries[key]?.storage }) { return found }
    // Planned outside the lock; when two threads plan the same, the first to come back wins.
    let planned = try MethodSignature.Storage(types: types, fixedCount: fixedCount, lane: lane)
    return state.withLock { state in
      if let found = state.entries[key]?.storage { return found }
      Self.add(planned, for: key, to: &state)
      return planned
    }
  }

  private static func add(_ storage: MethodSignature.Storage, for key: Key, to state: inout State) {
    state.entries[key] = Entry(storage: storage)
    if state.entries.count >= state.nextSweep {
      state.entries = state.entries.filter { $0.value.storage != nil }
      state.nextSweep = max(512, 2 * state.entries.count)
    }
  }

  private static func remember(_ storage: MethodSignature.Storage, for key: Key, _ hash: UInt64, in state: inout State) {
    guard key.text.utf8.count <= longestRecent else { return }
    state.recent[Int(hash % UInt64(recentCount))] = Recent(hash: hash, key: key, storage: storage)
  }

  /// A quick hash of a text, which only chooses its place among the recent ones: a clash costs time, nothing else.
  private static func hash(of text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash ^ hash >> 32
  }
}
