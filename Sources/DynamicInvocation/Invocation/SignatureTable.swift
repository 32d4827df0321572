import Synchronization

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

  private struct State {
    var entries: [Key: Entry] = [:]
    /// Entries are swept when their number doubles.
    var nextSweep = 512
    var recent: [MethodSignature.Storage] = []
    var nextRecent = 0
  }

  /// The number of signatures kept alive.
  private static let recentCount = 256

  /// The longest text of a signature kept alive: what a text becomes takes a hundred times its bytes.
  private static let longestRecent = 4096

  private let state: Mutex<State> = Mutex(State())

  func signature(
    _ text: String, dialect: TypeEncoding.Dialect, fixedCount: Int?, lane: CallLane
  ) throws(InvocationError) -> MethodSignature.Storage {
    let key = Key(text: text, dialect: dialect, fixedCount: fixedCount, lane: lane)
    if let found = state.withLock({ $0.entries[key]?.storage }) { return found }
    let storage = try signature(MethodTypes(text, dialect: dialect), fixedCount: fixedCount, lane: lane)
    state.withLock { Self.add(storage, for: key, to: &$0) }
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
      guard text.utf8.count <= Self.longestRecent else { return planned }
      if state.recent.count < Self.recentCount {
        state.recent.append(planned)
      } else {
        state.recent[state.nextRecent] = planned
        state.nextRecent = (state.nextRecent + 1) % Self.recentCount
      }
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
}
