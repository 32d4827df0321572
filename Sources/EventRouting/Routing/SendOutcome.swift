/// What became of an event.
///
/// - Complexity: Three words. What is rare, errors and other keys, lies on the heap.
public struct SendOutcome: Sendable {
  /// What few events have.
  private final class Details: Sendable {
    let errorCount: Int
    let firstError: (any Error)?
    let routingError: RoutingError?
    let finalKey: EventKey?

    init(errorCount: Int, firstError: (any Error)?, routingError: RoutingError?, finalKey: EventKey?) {
      self.errorCount = errorCount
      self.firstError = firstError
      self.routingError = routingError
      self.finalKey = finalKey
    }
  }

  /// How many nodes handled it; those that sent it on under another key do not count.
  public internal(set) var handledCount: Int = 0
  private var details: Details?
  /// The widest scope that an answer ended, nil when none did.
  public private(set) var stopped: StopScope?
  /// Whether nobody was asked, because the name is empty and the rules ignore that.
  public internal(set) var wasIgnored: Bool = false

  /// Creates the outcome of an event that met nobody.
  init() {}

  /// Whether nobody handled it.
  public var isUnhandled: Bool { handledCount == 0 }

  /// How many errors there were: of handlers, which keep no other from being called, and of the way.
  public var errorCount: Int { details?.errorCount ?? 0 }

  /// The first error: of a handler, or a ``RoutingError``.
  public var firstError: (any Error)? { details?.firstError }

  /// What was wrong with the way, if the pass ended for that.
  public var routingError: RoutingError? { details?.routingError }

  /// The key it had in the end, when a handler sent it on under another one.
  public var finalKey: EventKey? { details?.finalKey }
}

extension SendOutcome {
  mutating func note(_ error: any Error) {
    details = Details(
      errorCount: errorCount + 1, firstError: firstError ?? error, routingError: error as? RoutingError ?? routingError, finalKey: finalKey)
  }

  mutating func note(finalKey: EventKey) {
    details = Details(errorCount: errorCount, firstError: firstError, routingError: routingError, finalKey: finalKey)
  }

  mutating func note(stop scope: StopScope) { stopped = max(stopped ?? scope, scope) }
}
