import EventRouting
import Workloads

/// Sends the workload's event from a node of an actor, typed, and waits for its handler, which does not suspend.
actor AwaitedLoop {
  private let engine: Engine
  private let executor: CallerExecutor = CallerExecutor()
  private var result: Result<Double, any Error>?

  private static let key: TypedEventKey<(Button, Int, Geometry.Rect, Button?)> = "button.pressed"

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(engine: Engine) { self.engine = engine }

  /// Sends the event `count` times and returns the handler's sum, to be checked.
  nonisolated func run(count: Int) throws -> Double {
    let result = assumeIsolated { loop in
      loop.start(count: count)
      return loop.result
    }
    guard let result else { preconditionFailure("nothing suspends the task") }
    return try result.get()
  }

  private func start(count: Int) {
    Task {
      do { result = .success(try await send(count: count)) } catch { result = .failure(error) }
    }
  }

  private func send(count: Int) async throws -> Double {
    let node = ResponderNode("node")
    try register(node.proxy)
    let before = workload_we_sum()
    let (source, button) = (Button(), Button())
    for _ in 0..<count {
      await node.sendAwaiting(Self.key, source: source, button, 7, Geometry.Rect(x: 1, y: 2, width: 3, height: 4), nil)
    }
    return workload_we_sum() - before
  }

  private func register(_ proxy: EventProxy) throws {
    let options = HandlerOptions(holding: .strong)
    let target = Target()
    if engine == .eventAsync {
      try proxy.register(Self.key, target: target, options: options) {
        (_: Target, source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) async in
        handle(source, button, tag, rect, other)
      }
    } else {
      try proxy.register(Self.key, target: target, options: options) {
        (_: Target, source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) in
        handle(source, button, tag, rect, other)
      }
    }
  }
}

/// An executor that runs a job at once, on the thread that enqueues it.
///
/// So the allocations of the handlers are counted with those of the thread that measures. The benchmark is single-threaded.
private final class CallerExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor()) }
  func checkIsolated() {}
}
