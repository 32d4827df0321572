internal import DynamicInvocation

/// The state of a pass that awaits its handlers, which are all called by one task.
///
/// A handler may be suspended, so this is on the heap, and a task-local value refers to it while handlers are awaited.
@usableFromInline
@safe
final class AwaitingPass: @unchecked Sendable {
  // Unchecked: only the task that sent the event uses `active` and `isOver`. Tasks that a handler creates inherit the
  // reference, and compare `task` only.

  /// The pass whose handler is awaited by this task, or by the task that created it.
  @TaskLocal private static var current: AwaitingPass?

  let active: UnsafeMutablePointer<ActivePass>
  private let task: UInt
  private var isOver: Bool = false

  init(_ key: EventKey, _ rules: RoutingRules, from sender: some Responder) {
    let nesting = unsafe ActivePass.innermost?.pointee.nesting ?? 0
    task = Self.currentTask
    unsafe active = .allocate(capacity: 1)
    // A pass on the stack of the thread may end before this one, so it is not referred to.
    unsafe active.initialize(
      to: ActivePass(
        key, rules, from: unsafeBitCast(sender, to: UnsafeRawPointer.self), within: Self.innermost?.active, nesting: nesting &+ 1))
    SendObserver.awaitingPassesChanged(by: 1)
  }

  deinit { unsafe active.deallocate() }

  /// Ends the pass.
  func end() {
    isOver = true
    SendObserver.awaitingPassesChanged(by: -1)
  }

  /// The innermost pass that awaits a handler of the current task; nil in other tasks, also in those that the handler
  /// has created.
  static var innermost: AwaitingPass? {
    guard SendObserver.isAnyAwaiting, let pass = current, pass.task == currentTask, !pass.isOver else { return nil }
    return pass
  }

  /// The address of the task that is running; 0 outside of tasks.
  private static var currentTask: UInt {
    unsafe withUnsafeCurrentTask { task in
      unsafe task.map { unsafe unsafeBitCast($0, to: UInt.self) } ?? 0
    }
  }

  /// Runs handlers that are synchronous.
  @usableFromInline
  func run(_ handlers: () -> NodeAnswer) -> NodeAnswer {
    let former = unsafe ThreadState.innermostPass
    unsafe ThreadState.innermostPass = UnsafeMutableRawPointer(active)
    defer { unsafe ThreadState.innermostPass = former }
    return handlers()
  }

  /// Awaits handlers.
  @usableFromInline
  nonisolated(nonsending) func wait(for handlers: nonisolated(nonsending) () async -> NodeAnswer) async -> NodeAnswer {
    await wait(for: handlers, isolation: #isolation)
  }

  private func wait(
    for handlers: nonisolated(nonsending) () async -> NodeAnswer, isolation actor: isolated (any Actor)?
  ) async -> NodeAnswer {
    // The closure refers to the actor, and so runs on it. The function itself, passed as it is, would run on no actor.
    await Self.$current.withValue(
      self,
      operation: {
        _ = actor
        return await handlers()
      }, isolation: actor)
  }
}
