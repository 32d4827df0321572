import DynamicInvocation
import EventRouting
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
