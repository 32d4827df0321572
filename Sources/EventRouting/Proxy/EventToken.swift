internal import DynamicInvocation
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
/// A token belongs to the isolation domain of its registrations: the one that most recently added a registration, or in which
/// an event reached one. It may end registrations of several proxies. Any thread may release the last reference to an object
/// of the main actor. If a token is deallocated outside its domain, no event calls the handlers from then on, and the next
/// event that reaches them removes them. In code without an actor, each thread counts as a domain.
///
/// - Complexity: Adding a registration and ending it allocate nothing, and take constant time for few handlers of a key,
///   O(log *n*) for *n*.
public final class EventToken: CustomStringConvertible {
  private let list: TokenList = TokenList()

  /// Creates a token without registrations.
  public init() {}

  deinit {
    list.flag.set()
    if list.flag.isHere { list.cancel() }
  }

  /// Whether ``cancel()`` was called, or the task of ``during(_:)`` has ended.
  public var isCancelled: Bool { list.isCancelled }

  /// Removes the handlers of all registrations that were added; a second call does nothing.
  ///
  /// Events that are being delivered no longer call them. Registrations that are added later end at once.
  public func cancel() { list.cancel() }

  /// How many registrations the token will end.
  ///
  /// - Complexity: O(registrations).
  public var count: Int { list.count }

  /// Runs a closure, and cancels the token when it returns or throws, or when the task is cancelled.
  ///
  /// After the task is cancelled, no event calls the handlers, even before the closure returns.
  ///
  /// - Parameters:
  ///   - body: The closure, which runs in the isolation of the caller.
  /// - Returns: The result of the closure.
  public nonisolated(nonsending) func during<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    defer { cancel() }
    return try await run(body, list.flag, isolation: #isolation)
  }

  private func run<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result, _ flag: CancellationFlag, isolation actor: isolated (any Actor)?
  ) async rethrows -> Result {
    // The closure refers to the actor, and so runs on it. The function itself, passed directly, would run on no actor.
    try await withTaskCancellationHandler {
      _ = actor
      return try await body()
    } onCancel: {
      flag.set()
    }
  }

  fileprivate func add(_ registration: EventRegistration) {
    if list.isCancelled { registration.cancel() } else { list.link(registration) }
  }

  /// The number of registrations, or that the token was cancelled.
  public var description: String { "EventToken(\(isCancelled ? "cancelled" : count.counted("registration")))" }
}

/// The registrations of a token; this list outlives the token until all of them are removed.
@safe
final class TokenList {
  /// The first of the registrations, which their proxies retain.
  @safe @exclusivity(unchecked)
  private unowned(unsafe) var first: EventRegistration?
  private(set) var isCancelled: Bool = false
  /// Whether the token was deallocated, or its task was cancelled.
  let flag: CancellationFlag = CancellationFlag()

  func cancel() {
    isCancelled = true
    while let registration = first {
      // Unlink it even if its proxy keeps it; otherwise the loop would not end.
      unlink(registration)
      registration.cancel()
    }
  }

  var count: Int {
    var count = 0
    var next = first
    while let registration = next {
      next = registration.links.next
      count += 1
    }
    return count
  }

  fileprivate func link(_ registration: EventRegistration) {
    registration.links = EventRegistration.Links(list: self, next: first)
    first?.links.previous = registration
    first = registration
    flag.enter()
    registration.watch()
  }

  func unlink(_ registration: EventRegistration) {
    let links = registration.links
    if let previous = links.previous { previous.links.next = links.next } else { first = links.next }
    links.next?.links.previous = links.previous
    registration.links = EventRegistration.Links()
  }
}

extension EventRegistration {
  /// The position in the list of a token; the proxies keep the other registrations alive.
  @safe
  struct Links {
    var list: TokenList?
    @safe unowned(unsafe) var previous: EventRegistration?
    @safe unowned(unsafe) var next: EventRegistration?
  }

  /// Makes a token end this registration, and returns the registration.
  ///
  /// A registration has at most one token: a second one replaces the first. If the token was cancelled before, the
  /// registration ends now.
  @discardableResult
  public func end(with token: EventToken) -> EventRegistration {
    if let template {
      template.end(with: token)
      return self
    }
    links.list?.unlink(self)
    guard proxy != nil else { return self }
    token.add(self)
    return self
  }

  /// Whether the registration's token or owner was deallocated, or the task of the token was cancelled.
  var hasEnded: Bool {
    if let template { return template.hasEnded }
    guard unsafe record.pointee.flags.contains(.watched) else { return false }
    links.list?.flag.enter()
    return links.list?.flag.isSet == true || owner?.isAlive == false
  }

  /// Checks at each event whether the registration has ended.
  func watch() {
    unsafe record.pointee.flags.insert(.watched)
    proxy?.copyFlags(ofPrefix: self)
  }
}

/// Whether registrations have ended, which any thread may set, and the isolation domain that they are in.
///
/// The deinitializer of a class is not isolated to an actor, even if the class is. It runs on the thread that releases the last
/// reference, while other code of the domain may be running, and has to know whether it may remove handlers.
final class CancellationFlag: Sendable {
  private let state: Atomic<Bool> = Atomic(false)
  private let home: Atomic<UInt> = Atomic(0)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }

  /// Notes that the code that is running is in the domain.
  ///
  /// Each event calls this method: a tree may be moved to another domain.
  func enter() { home.store(Self.domain, ordering: .relaxed) }

  /// Whether the code that is running is known to be in the domain.
  ///
  /// Outside an actor, only the same thread counts as the same domain.
  var isHere: Bool { home.load(ordering: .relaxed) == Self.domain }

  /// An address that stands for the actor on which this thread runs, or for the thread.
  private static var domain: UInt {
    if let executor = unsafe ThreadState.currentExecutor { return UInt(bitPattern: executor) }
    return ThreadState.isMainThread ? mainActor : UInt(bitPattern: unsafe ThreadState.identity)
  }

  /// The main thread belongs to the main actor, even in code that no task runs, such as the callbacks of its run loop.
  private static let mainActor: UInt = unsafe unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0
}
