internal import DynamicInvocation
import Synchronization

/// A call of an asynchronous handler that a send starts.
struct StartedHandler: @unchecked Sendable {
  // Unchecked Sendable: it is passed to the actor that owns the tree, on which the send runs, and to nothing else.

  private let registration: EventRegistration
  private let work: AwaitedBody.Work
  /// The send that waits, with the number that this call has there; nil if no send waits.
  private let waiting: (handlers: StartedHandlers, number: Int)?

  init(_ registration: EventRegistration, _ work: @escaping AwaitedBody.Work, _ waiting: (handlers: StartedHandlers, number: Int)?) {
    self.registration = registration
    self.work = work
    self.waiting = waiting
  }

  /// Starts the call on the actor that owns the tree, on which the send runs.
  @discardableResult
  func start(on owner: some Actor) -> Task<Void, Never> {
    // An awaited pass is found by the current task. The new task finds it on the thread, until it suspends.
    ActivePass.starting {
      owner.assumeIsolated { owner in startTask(on: owner) }
    }
  }

  private func startTask(on owner: isolated some Actor) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task.immediate {
        _ = owner  // the task runs on the same actor
        await finish()
      }
    } else {
      Task {
        _ = owner  // the task runs on the same actor
        await finish()
      }
    }
  }

  private nonisolated(nonsending) func finish() async {
    if let waiting, waiting.handlers.isCancelled { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
    do {
      let reply = try await work()
      if let waiting { _ = waiting.handlers.end(waiting.number, nil) }
      guard let reply else { return }
      let taken = registration.options.reply
      guard reply.description != taken.description else { return }
      warn { "replied \(reply), but the send had \(waiting == nil ? "returned and " : "")taken \(taken)" }
    } catch {
      guard let waiting else { return warn { "threw \(error.withType)" } }
      guard !waiting.handlers.end(waiting.number, error), !(error is CancellationError) else { return }
      warn { "threw after the deadline: \(error.withType)" }
    }
  }

  private func warn(_ text: () -> String) {
    EventLog.warn {
      let start = waiting == nil ? "started by a synchronous send" : "started with the others"
      return "event '\(registration.key)', handler \(registration.handler.nameInErrors), \(start): \(text())".asLine
    }
  }
}

/// The asynchronous handlers that a send has started, and for which it waits.
@safe
final class StartedHandlers: @unchecked Sendable {
  // Unchecked Sendable: all but the state is used on the actor of the send only.

  /// A handler that was started.
  private struct Start {
    let registration: EventRegistration
    let node: DispatchReport.NodeIdentity?
  }

  /// What has become of a handler.
  private struct Call {
    var task: Task<Void, Never>?
    var isRunning = true
    var error: (any Error)?
  }

  private struct State {
    var calls: [Call] = []
    /// Whether the task that sends is cancelled.
    var isCancelled = false
    /// Whether the send no longer waits.
    var isOver = false
    var continuation: CheckedContinuation<Void, Never>?

    var isRunning: Bool { calls.contains(where: \.isRunning) }
    var runningTasks: [Task<Void, Never>] { calls.filter(\.isRunning).compactMap(\.task) }
  }

  private let actor: (any Actor)?
  private var starts: [Start] = []
  private let state: Mutex<State> = Mutex(State())
  /// Whether the handler that is called now is to be started here; false once it is started.
  private var isOffered: Bool = false

  /// - Parameter actor: The actor of the send, on which the handlers run.
  init(on actor: (any Actor)?) { self.actor = actor }

  // MARK: Starting

  /// The send that waits for the asynchronous handler that is called now; nil if another send starts that handler.
  static func take() -> StartedHandlers? {
    guard let handlers = unsafe ActivePass.innermost?.pointee.started?.takeUnretainedValue(), handlers.isOffered else { return nil }
    return handlers
  }

  /// Calls an asynchronous handler, which is started with ``start(_:_:)``.
  func offering<Result>(_ call: () throws -> Result) rethrows -> Result {
    isOffered = true
    defer { isOffered = false }
    return try call()
  }

  /// Starts a handler.
  ///
  /// - Throws: ``DeliveryFailure`` if the send is not on an actor.
  func start(_ registration: EventRegistration, _ work: @escaping AwaitedBody.Work) throws {
    // What the handler sends before it suspends is not waited for.
    isOffered = false
    guard let actor else {
      throw DeliveryFailure(
        reason: InvocationError(
          .asynchronousHandler, "the handler is asynchronous, and the send is in code of no actor to start it on; use sendAwaiting"))
    }
    let number = starts.count
    starts.append(Start(registration: registration, node: unsafe ActivePass.innermost?.pointee.nodeIdentity))
    state.withLock { $0.calls.append(Call()) }
    let task = StartedHandler(registration, work, (self, number)).start(on: actor)
    let isCancelled = state.withLock { state in
      state.calls[number].task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  // MARK: Waiting

  /// Returns a closure that sleeps for a duration from now; nil without a duration.
  static func sleep<C: Clock<Duration>>(_ limit: Duration?, _ clock: C) -> (@Sendable () async throws -> Void)? {
    guard let limit else { return nil }
    let deadline = clock.now.advanced(by: limit.clamped)
    return { try await clock.sleep(until: deadline, tolerance: nil) }
  }

  /// Waits until all handlers have returned, or until a deadline; then the handlers that have not returned are cancelled.
  ///
  /// - Parameter sleep: Sleeps until the deadline; nil for none.
  nonisolated(nonsending) func wait(_ sleep: (@Sendable () async throws -> Void)?) async {
    guard state.withLock(\.isRunning) else { return }
    let timer = sleep.map { sleep in
      // Weak: a clock may sleep on when the task is cancelled.
      Task { [weak self] in
        do { try await sleep() } catch { return }
        self?.expire()
      }
    }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver, state.isRunning { state.continuation = continuation } else { state.isOver = true }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
    timer?.cancel()
  }

  /// Notes the errors of the handlers, and those that have not returned.
  func note(in outcome: inout SendOutcome, _ limit: Duration?, _ rules: RoutingRules) {
    let calls = state.withLock { $0.calls }
    // Released here, on the actor: the timer may hold the last reference to this object.
    defer { starts = [] }
    for (start, call) in zip(starts, calls) {
      if call.isRunning {
        let reason = InvocationError(
          .deadlineExceeded, "the handler has not returned within \(limit.map { "\($0)" } ?? "the deadline"), and was cancelled")
        outcome.note(EventError(key: start.registration.key, handler: start.registration.handler, reason: reason), at: start.node, rules)
      } else if let error = call.error {
        outcome.note(ThrownError(error: error, handler: start.registration.handler), at: start.node, rules)
      }
    }
  }

  /// Ends a handler; returns whether the send has waited for it.
  fileprivate func end(_ number: Int, _ error: (any Error)?) -> Bool {
    let (waited, continuation) = state.withLock { state in
      guard !state.isOver else { return (false, CheckedContinuation<Void, Never>?.none) }
      state.calls[number].isRunning = false
      state.calls[number].error = error
      guard let continuation = state.continuation, !state.isRunning else { return (true, nil) }
      state.isOver = true
      state.continuation = nil
      return (true, continuation)
    }
    continuation?.resume()
    return waited
  }

  private func expire() {
    let (tasks, continuation) = state.withLock { state in
      guard !state.isOver else { return ([Task<Void, Never>](), CheckedContinuation<Void, Never>?.none) }
      state.isOver = true
      defer { state.continuation = nil }
      return (state.runningTasks, state.continuation)
    }
    for task in tasks { task.cancel() }
    continuation?.resume()
  }

  // MARK: Cancellation

  fileprivate var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels the handlers, as the task that sends was cancelled.
  func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      return state.runningTasks
    }
    for task in tasks { task.cancel() }
  }
}

/// The arguments of an event whose asynchronous handlers are started, and then waited for.
@safe
struct StartingPayload: EventPayload {
  private let base: any EventPayload
  private let handlers: StartedHandlers

  init(_ base: any EventPayload, _ handlers: StartedHandlers) {
    self.base = base
    self.handlers = handlers
  }

  var boxed: [BoxedValue] { get throws { try base.boxed } }

  func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    // The sender keeps the handlers until the pass has ended.
    unsafe ActivePass.innermost?.pointee.started = unsafe Unmanaged.passUnretained(handlers)
    guard unsafe handler.record.pointee.flags.contains(.asynchronous) else { return try base.deliver(to: handler, source: source) }
    return try handlers.offering { try base.deliver(to: handler, source: source) }
  }
}
