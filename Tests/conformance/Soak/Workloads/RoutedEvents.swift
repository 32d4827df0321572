import DynamicInvocation
import EventRouting
import TestSupport

/// Registrations and events on a tree of the thread's own, which changes all the time; the keys are those of all threads.
final class RoutedEvents: Workload {
  static let name: String = "events"
  static let weight: Int = 6

  private final class Target {
    let tracked: LifetimeTracked
    init(_ tracker: LifetimeTracker) { tracked = tracker.object() }
  }

  private final class Source: EncodedObject {}
  private struct Refusal: Error {}

  /// Both ways, from the sender and from its next, ended by a handler and not; without warnings.
  private static let presets: [RoutingRules] = {
    let presets: [RoutingRules] = [.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast]
    return presets.map { rules in
      var rules = rules
      rules.unknownKey = .isSilent
      return rules
    }
  }()

  private let world: World
  private let counter: CallCounter
  private let root: ResponderNode = ResponderNode("root")
  private var nodes: [ResponderNode]
  private var targets: [Target] = []
  private var registrations: [EventRegistration] = []
  private let source: Source = Source()

  /// The calls of handlers in this thread, and those that refused.
  private final class Calls {
    var count = 0
    var refusals = 0
    /// What events sent by handlers came to.
    var claimed = 0
    var claimedRefusals = 0
    var depth = 0
  }
  private let calls: Calls = Calls()

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) {
    self.world = world
    self.counter = counter
    nodes = [root]
  }

  func turn(_ generator: inout SeededGenerator) throws {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: grow(&generator)
    case 1: prune(&generator)
    case 2, 3: try register(&generator)
    case 4: if !registrations.isEmpty, generator.oneIn(3) { generator.pick(registrations).cancel() }
    case 5: if !targets.isEmpty { targets.remove(at: Int.random(in: 0..<targets.count, using: &generator)) }
    default: try send(&generator)
    }
  }

  /// Made from its text each time: the table of names is shared.
  private static func key(_ generator: inout SeededGenerator) -> EventKey { EventKey("soak.\(Int.random(in: 0..<6, using: &generator))") }

  private func grow(_ generator: inout SeededGenerator) {
    guard nodes.count < 60 else { return }
    let node = ResponderNode("node")
    if generator.oneIn(8) { node.isBoundary = true }
    if generator.oneIn(8) { node.terminality = .forOwnKeys }
    generator.pick(nodes).addChild(node)
    nodes.append(node)
  }

  /// Takes away a node with all that is below it, or moves it.
  private func prune(_ generator: inout SeededGenerator) {
    guard nodes.count > 1 else { return }
    let node = nodes[Int.random(in: 1..<nodes.count, using: &generator)]
    let other = generator.pick(nodes)
    if generator.oneIn(3), other.canAdopt(node) {
      other.addChild(node)
    } else if generator.oneIn(3) {
      node.removeFromParent()
      nodes = below(root)
    }
  }

  private func below(_ node: ResponderNode) -> [ResponderNode] { [node] + node.children.flatMap { below($0) } }

  private func register(_ generator: inout SeededGenerator) throws {
    registrations.removeAll { !$0.isActive }
    guard registrations.count < 200 else { return }
    let proxy = generator.pick(nodes).proxy
    let key = Self.key(&generator)
    let kind = Int.random(in: 0..<5, using: &generator)
    // One handler for a key of a node, so that the nodes that handled an event are as many as its calls. An interceptor is no duplicate of a
    // handler: what is there of the other sort is cancelled.
    for other in proxy.registrations(for: key) where (other.handler.kind == .interceptor) != (kind == 1) { other.cancel() }
    let options = HandlerOptions(
      holding: generator.oneIn(3) ? .strong : .weak, isOnce: generator.oneIn(6),
      reply: generator.oneIn(2) ? .handled : .handledAndContinue, duplicates: generator.oneIn(3) ? .keepFirst : .replace)
    let object = world.tracker.object()
    let (calls, counter) = (calls, counter)
    switch kind {
    case 0:
      let target = Target(world.tracker)
      targets.append(target)
      if targets.count > 60 { targets.removeFirst(20) }
      registrations.append(
        try proxy.register(TypedEventKey<(Int, Geometry.Rect)>(key), target: target, options: options) { (_: Target) in
          {
            (_: AnyObject?, _: Int, _: Geometry.Rect) in
            counter.receive()
            calls.count += 1
          }
        })
    case 1:
      registrations.append(
        try proxy.intercept(key, options: options) { _, _, arguments in
          counter.receive()
          calls.count += 1
          return withExtendedLifetime(object) { arguments.count == 2 ? .handledAndContinue : .handled }
        })
    case 2:
      registrations.append(
        try proxy.register(TypedEventKey<(Int, Geometry.Rect)>(key), options: options) { (_: AnyObject?, _: Int, _: Geometry.Rect) throws in
          counter.receive()
          calls.refusals += 1
          throw withExtendedLifetime(object) { Refusal() }
        })
    case 3:
      // It sends an event itself, of the tree as it then is.
      let nested = Self.key(&generator)
      registrations.append(
        try proxy.register(TypedEventKey<(Int, Geometry.Rect)>(key), options: options) {
          [unowned root] (_: AnyObject?, number: Int, rect: Geometry.Rect) in
          counter.receive()
          calls.count += 1
          guard calls.depth < 3 else { return }
          calls.depth += 1
          let outcome = withExtendedLifetime(object) {
            root.send(nested, arguments: [.int(number), .rect(rect)], rules: .componentBroadcast)
          }
          calls.depth -= 1
          calls.claimed += outcome.handledCount
          calls.claimedRefusals += outcome.errorCount
          counter.make(outcome.handledCount + outcome.errorCount)
        })
    default:
      registrations.append(
        try proxy.register(TypedEventKey<(Int, Geometry.Rect)>(key), options: options) {
          (_: AnyObject?, number: Int, rect: Geometry.Rect) in
          counter.receive()
          calls.count += 1
          withExtendedLifetime(object) { if Double(number) != rect.origin.x { calls.count += 1_000_000 } }
        })
    }
  }

  private func send(_ generator: inout SeededGenerator) throws {
    let node = generator.pick(nodes)
    let key = Self.key(&generator)
    let rules = generator.pick(Self.presets)
    let number = Int.random(in: 0...1_000, using: &generator)
    let rect = Geometry.Rect(x: Double(number), y: 0, width: 1, height: 1)
    let before = (calls.count - calls.claimed, calls.refusals - calls.claimedRefusals)
    let outcome =
      generator.oneIn(2)
      ? node.send(TypedEventKey<(Int, Geometry.Rect)>(key), number, rect, rules: rules)
      : node.send(key, source: generator.oneIn(2) ? source : nil, arguments: [.int(number), .rect(rect)], rules: rules)
    let handled = calls.count - calls.claimed - before.0
    let refused = calls.refusals - calls.claimedRefusals - before.1
    counter.make(outcome.handledCount + outcome.errorCount)
    guard outcome.handledCount == handled, outcome.errorCount == refused else {
      throw Failure(
        "'\(key)' was handled \(outcome.handledCount) times with \(outcome.errorCount) errors, \(handled) calls and \(refused) refusals came"
      )
    }
  }
}
