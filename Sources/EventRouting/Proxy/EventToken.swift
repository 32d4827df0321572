internal import Synchronization

/// A token that ends many registrations at once.
///
///     let token = EventToken()
///     try proxy.register("row.tapped") { (row: Row?, index: Int) in ... }.end(with: token)
///     try proxy.register("row.moved") { (row: Row?, from: Int, to: Int) in ... }.end(with: token)
///     token.cancel()
///
/// The registrations end with ``cancel()``, when the token is deallocated, or when a task ends: see ``during(_:)``. To
/// bind them to the life of an object, store the token in it.
///
/// A token belongs to the isolation domain of its registrations. It may end registrations of several proxies.
///
/// - Complexity: Adding a registration and ending it take constant time and allocate nothing. Where the handlers of a key
///   receive events in different directions, ending one takes O(handlers of the key).
@safe
public final class EventToken {
  /// The first of the registrations, which their proxies retain.
  @safe @exclusivity(unchecked)
  private unowned(unsafe) var first: EventRegistration?
  /// Whether ``cancel()`` was called, or the task of ``during(_:)`` has ended.
  public private(set) var isCancelled: Bool = false
  /// The cancellation of a task, once the token was bound to one.
  private var flag: CancellationFlag?

  /// Creates a token without registrations.
  public init() {}

  deinit { cancel() }

  /// Removes the handlers of all registrations that were added; a second call does nothing.
  ///
  /// Events that are being delivered no longer call them. Registrations that are added later end at once.
  public func cancel() {
    isCancelled = true
    while let registration = first {
      // Also if its proxy does not remove it, so that this ends.
      unlink(registration)
      registration.cancel()
    }
  }

  /// How many registrations the token will end.
  ///
  /// - Complexity: O(registrations).
  public var count: Int {
    var count = 0
    forEach { _ in count += 1 }
    return count
  }

  /// Runs a closure, and cancels the token when it returns or throws, or when the task is cancelled.
  ///
  /// From the cancellation of the task on, no event calls the handlers any more, even before the closure returns.
  ///
  /// - Parameters:
  ///   - body: The closure, which runs in the isolation of the caller.
  /// - Returns: The result of the closure.
  public nonisolated(nonsending) func during<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    let flag = self.flag ?? CancellationFlag()
    self.flag = flag
    forEach { $0.watch() }
    defer { cancel() }
    return try await run(body, flag, isolation: #isolation)
  }

  private func run<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result, _ flag: CancellationFlag, isolation actor: isolated (any Actor)?
  ) async rethrows -> Result {
    // The closure refers to the actor, and so runs on it. The function itself, passed as it is, would run on no actor.
    try await withTaskCancellationHandler {
      _ = actor
      return try await body()
    } onCancel: {
      flag.set()
    }
  }

  private func forEach(_ body: (EventRegistration) -> Void) {
    var next = first
    while let registration = next {
      next = registration.links.next
      body(registration)
    }
  }
}

extension EventToken {
  /// Whether the task of the token was cancelled.
  var isTaskCancelled: Bool { flag?.isSet ?? false }

  fileprivate func link(_ registration: EventRegistration) {
    registration.links = EventRegistration.Links(token: self, next: first)
    first?.links.previous = registration
    first = registration
    if flag != nil { registration.watch() }
  }

  func unlink(_ registration: EventRegistration) {
    let links = registration.links
    if let previous = links.previous { previous.links.next = links.next } else { first = links.next }
    links.next?.links.previous = links.previous
    registration.links = EventRegistration.Links()
  }
}

/// Whether a task was cancelled; any thread may set it.
private final class CancellationFlag: Sendable {
  private let state: Atomic<Bool> = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }
}

extension EventRegistration {
  /// The position in the list of a token; the token and the proxies keep what this refers to alive.
  @safe
  struct Links {
    @safe unowned(unsafe) var token: EventToken?
    @safe unowned(unsafe) var previous: EventRegistration?
    @safe unowned(unsafe) var next: EventRegistration?
  }

  /// Makes a token end this registration, and returns the registration.
  ///
  /// A registration has at most one token: a second one replaces the first. If the token was cancelled before, the
  /// registration ends now.
  @discardableResult
  public func end(with token: EventToken) -> EventRegistration {
    links.token?.unlink(self)
    guard proxy != nil else { return self }
    if token.isCancelled { cancel() } else { token.link(self) }
    return self
  }

  /// Checks at each event whether the task of the token was cancelled.
  fileprivate func watch() { unsafe record.pointee.gate.insert(.watched) }
}
