import DynamicInvocation
import EventRouting
import Foundation
import Workloads

/// Sends the workload's event through a chain of nodes.
///
/// The last node on the route has a handler, a C function.
struct EventTreeLoop {
  /// The number of nodes that pass the event on.
  static let passing = 16

  private static let key: EventKey = "button.pressed"

  /// Sends the event `count` times, up or down, and returns the handler's sum, to be checked.
  func run(_ phase: Phase, count: Int) throws -> Double {
    let root = ResponderNode("root")
    var leaf = root
    for _ in 0..<Self.passing {
      let child = ResponderNode("node")
      leaf.addChild(child)
      leaf = child
    }
    let target = Target()
    let (sender, handler, rules) = phase == .up ? (leaf, root, RoutingRules.router) : (root, leaf, RoutingRules.busDown)
    let implementation = Implementation(workload_callee(.we), methodSignature: try MethodSignature(types: Suite.WE.types))
    try handler.proxy.register(Self.key, implementation, target: target, selector: "pressed")
    let (source, button) = (Button(), Button())
    let boxes: [BoxedValue] = [.object(button), .int(7), .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)), .null]
    let before = workload_we_sum()
    for _ in 0..<count { sender.send(Self.key, source: source, arguments: boxes, rules: rules) }
    withExtendedLifetime((root, target, source, button)) {}
    return workload_we_sum() - before
  }
}

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
      try proxy.register(Self.key, target: target, options: options) { (_: Target) in
        {
          (source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) async in
          handle(source, button, tag, rect, other)
        }
      }
    } else {
      try proxy.register(Self.key, target: target, options: options) { (_: Target) in
        {
          (source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) in
          handle(source, button, tag, rect, other)
        }
      }
    }
  }
}

/// An executor that runs a job at once, on the thread that enqueues it.
///
/// So the handlers run, and allocate, on the thread whose allocations are counted. The benchmark is single-threaded.
private final class CallerExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor()) }
  func checkIsolated() {}
}

/// Calls a Swift method with an event's types from C, as often as C would call the callee.
///
/// The method has objects among its parameters, and is a closure or a thunk.
struct HandlerLoop {
  /// Makes `count` calls and returns what they added to the sum, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let implementation = engine == .thunk ? thunk() : try closure()
    let (target, source, button) = (ThunkTarget(), Button(), Button())
    return withExtendedLifetime((implementation, target)) {
      workload_run_handler(implementation.pointer, Unmanaged.passUnretained(target).toOpaque(), source.address, button.address, count)
    }
  }

  private func closure() throws -> Implementation {
    try Implementation { (_: ThunkTarget, source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) in
      handle(source, button, tag, rect, other)
    }
  }

  private func thunk() -> Implementation {
    guard let implementation = MethodTable.of(ThunkTarget.self).implementation(for: ThunkTarget.selector(of: .WE)) else {
      preconditionFailure("the list of thunks lacks a method")
    }
    return implementation
  }
}

/// Sends the workload's event without a library, through a dictionary of closures.
struct DictionaryLoop {
  private let key = "button.pressed"
  private let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)

  /// Sends to closures that cast their arguments, and returns the handler's sum, to be checked.
  func runCasts(_ phase: Phase, count: Int) -> Double {
    var handlers: [String: (Any?, [Any?]) -> Void] = [:]
    handlers[key] = { source, arguments in
      guard let source = source as? Button, arguments.count == 4, let button = arguments[0] as? Button, let tag = arguments[1] as? Int,
        let rect = arguments[2] as? Geometry.Rect
      else { return }
      handle(source, button, tag, rect, arguments[3] as? Button)
    }
    let (source, button) = (Button(), Button())
    let arguments: [Any?] = [button, 7, rect, nil]
    let before = workload_we_sum()
    for _ in 0..<count { handlers[key]?(source, phase == .boxing ? [button, 7, rect, nil] : arguments) }
    return workload_we_sum() - before
  }

  /// Sends to closures with the event's types.
  func runTyped(count: Int) -> Double {
    var handlers: [String: (Button, Button, Int, Geometry.Rect, Button?) -> Void] = [:]
    handlers[key] = { handle($0, $1, $2, $3, $4) }
    let (source, button) = (Button(), Button())
    let before = workload_we_sum()
    for _ in 0..<count { handlers[key]?(source, button, 7, rect, nil) }
    return workload_we_sum() - before
  }
}

/// Sends the workload's event through a `NotificationCenter`.
struct NotificationLoop {
  /// Posts `count` times and returns the handler's sum, to be checked.
  func run(_ phase: Phase, count: Int) -> Double {
    let center = NotificationCenter()
    let name = Notification.Name("button.pressed")
    let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
    let observer = center.addObserver(forName: name, object: nil, queue: nil) { notification in
      guard let source = notification.object as? Button, let button = notification.userInfo?["button"] as? Button,
        let tag = notification.userInfo?["tag"] as? Int, let rect = notification.userInfo?["rect"] as? Geometry.Rect
      else { return }
      handle(source, button, tag, rect, notification.userInfo?["other"] as? Button)
    }
    defer { center.removeObserver(observer) }
    let (source, button) = (Button(), Button())
    let arguments: [AnyHashable: Any] = ["button": button, "tag": 7, "rect": rect]
    let before = workload_we_sum()
    for _ in 0..<count {
      center.post(name: name, object: source, userInfo: phase == .boxing ? ["button": button, "tag": 7, "rect": rect] : arguments)
    }
    return workload_we_sum() - before
  }
}
