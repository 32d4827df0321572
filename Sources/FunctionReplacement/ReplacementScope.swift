internal import CallFrames
internal import SwiftFunctions
internal import TypeEncodings

/// The replacements of a task and its children, or of all tasks.
final class ReplacementScope: Sendable {
  /// The scope of the task that is running.
  static var current: ReplacementScope? { ReplacementState.current.scope }
  /// The scope of all tasks and threads.
  static let global: ReplacementScope = ReplacementScope(in: nil)

  /// The scope around this one.
  let outer: ReplacementScope?

  @safe
  private struct State {
    /// By their functions.
    var lists: [ObjectIdentifier: ReplacementList] = [:]
    /// How many replacements were made so far.
    var made = 0
    /// The replacements of the global scope that end with this scope, by their numbers.
    var others: [Int: Replacement] = [:]
    var hasEnded = false
  }

  private let state: Locked<State> = Locked(State())

  init(in outer: ReplacementScope?) {
    self.outer = outer
  }

  /// Makes a replacement that ends with the scope of the task, if there is one.
  ///
  /// - Parameter make: Makes it with its number and the scope that it is in.
  /// - Throws: `InvocationError` `noScope` if the task has none, or if it has ended.
  /// - Complexity: O(1).
  static func add(
    _ reach: Replacement.Reach, _ name: String, _ make: (Int, ReplacementScope) -> Replacement
  ) throws(InvocationError) -> Replacement {
    let own = current
    guard let scope = reach == .global ? global : own else {
      throw InvocationError(
        .noScope, "a replacement of '\(name)' belongs to a task: make it within withReplacements { }, or with 'reach: .global'")
    }
    let replacement = scope.state.withLock { state -> Replacement? in
      guard !state.hasEnded else { return nil }
      let replacement = make(state.made, scope)
      state.made += 1
      state.lists[ObjectIdentifier(replacement.function), default: ReplacementList()].append(replacement)
      return replacement
    }
    if let replacement, own?.keep(replacement) ?? true { return replacement }
    replacement?.cancel()
    throw InvocationError(.noScope, "the scope that a replacement of '\(name)' would end with has ended: make it before that")
  }

  /// Makes a replacement of the global scope end with this scope; returns false if this scope has ended.
  private func keep(_ replacement: Replacement) -> Bool {
    guard replacement.scope !== self else { return true }
    return state.withLock { state in
      if !state.hasEnded { state.others[replacement.number] = replacement }
      return !state.hasEnded
    }
  }

  /// Ends a replacement that is in this scope, or ends with it.
  ///
  /// - Complexity: O(log *n*) in the number of replacements of its function, on average over all that end.
  func remove(_ replacement: Replacement) {
    let removed = state.withLock { state -> [Replacement?] in
      guard replacement.scope === self else { return [state.others.removeValue(forKey: replacement.number)] }
      let function = ObjectIdentifier(replacement.function)
      let removed = state.lists[function]?.remove(replacement.number)
      if state.lists[function]?.isEmpty == true { state.lists[function] = nil }
      return [removed]
    }
    // What a closure has captured is released without the lock.
    withExtendedLifetime(removed) {}
  }

  /// Ends all replacements, for good.
  func end() {
    let removed = state.withLock { state -> State in
      defer {
        state.lists = [:]
        state.others = [:]
        state.hasEnded = true
      }
      return State(lists: state.lists, others: state.others)
    }
    for replacement in removed.others.values { replacement.scope.remove(replacement) }
  }

  /// The newest replacement of a function that answers a call, here or in the scopes around; nil if there is none.
  ///
  /// - Parameters:
  ///   - number: In this scope, only replacements before this number count; nil for all.
  ///   - matches: Whether a replacement of a generic function has the types of the call.
  func newest(of function: ReplacedFunction, before number: Int? = nil, where matches: (Replacement) -> Bool) -> Replacement? {
    var (scope, number) = (self, number)
    while true {
      let found = scope.state.withLock { [scope] state in
        _ = scope
        return state.lists[ObjectIdentifier(function)]?.newest(before: number ?? .max, where: matches)
      }
      if let found { return found }
      guard scope !== Self.global else { return nil }
      (scope, number) = (scope.outer ?? .global, nil)
    }
  }
}

/// The replacements of one function in a scope, the newest last.
private struct ReplacementList {
  /// Nil for one that has ended; at most half of them have.
  private var places: [(number: Int, replacement: Replacement?)] = []
  private var endedCount = 0

  var isEmpty: Bool { places.isEmpty }

  mutating func append(_ replacement: Replacement) { places.append((replacement.number, replacement)) }

  mutating func remove(_ number: Int) -> Replacement? {
    let index = index(of: number)
    guard index < places.count, places[index].number == number, let removed = places[index].replacement else { return nil }
    places[index].replacement = nil
    endedCount += 1
    while let last = places.last, last.replacement == nil {
      places.removeLast()
      endedCount -= 1
    }
    if endedCount * 2 > places.count {
      places.removeAll { $0.replacement == nil }
      endedCount = 0
    }
    return removed
  }

  func newest(before number: Int, where matches: (Replacement) -> Bool) -> Replacement? {
    var index = index(of: number)
    while index > 0 {
      index -= 1
      if let replacement = places[index].replacement, matches(replacement) { return replacement }
    }
    return nil
  }

  /// The index of the first place whose number is not less.
  private func index(of number: Int) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
