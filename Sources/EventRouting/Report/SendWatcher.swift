/// Runs around the sends of the process, for an adapter that binds values while handlers run.
///
/// An observer is called before and after a send; a watcher also runs around the pass.
package protocol SendWatcher: Sendable {
  /// Returns the watch of a send, or nil for a send that is not watched.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - sender: The node that the event is sent from.
  ///   - rules: The rules of the send.
  ///   - isAwaited: Whether the send waits for asynchronous handlers.
  func watch(_ key: EventKey, from sender: DispatchReport.NodeIdentity, _ rules: RoutingRules, isAwaited: Bool) -> (any SendWatch)?
}

/// The watch of one send, which runs its pass.
package protocol SendWatch {
  /// Runs a pass, once, and returns its outcome.
  func run(_ pass: () -> SendOutcome) -> SendOutcome

  /// Runs a pass that waits for its handlers, once and in the isolation of the caller, and returns its outcome.
  nonisolated(nonsending) func run(awaiting pass: nonisolated(nonsending) () async -> SendOutcome) async -> SendOutcome

  /// Takes the report of the send.
  func end(_ report: DispatchReport)
}

/// The watches of one send, of which each runs within the one before.
struct SendWatches {
  private let watches: [any SendWatch]

  init(_ watches: [any SendWatch]) { self.watches = watches }

  func run(_ pass: () -> SendOutcome) -> SendOutcome { run(from: 0, pass) }

  nonisolated(nonsending) func run(awaiting pass: nonisolated(nonsending) () async -> SendOutcome) async -> SendOutcome {
    await run(from: 0, awaiting: pass)
  }

  /// Ends the watches, the innermost first.
  func end(_ report: DispatchReport) {
    for watch in watches.reversed() { watch.end(report) }
  }

  private func run(from index: Int, _ pass: () -> SendOutcome) -> SendOutcome {
    guard index < watches.count else { return pass() }
    return watches[index].run { run(from: index + 1, pass) }
  }

  private nonisolated(nonsending) func run(
    from index: Int, awaiting pass: nonisolated(nonsending) () async -> SendOutcome
  ) async -> SendOutcome {
    guard index < watches.count else { return await pass() }
    return await watches[index].run(awaiting: { await run(from: index + 1, awaiting: pass) })
  }
}
