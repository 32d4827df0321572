import DynamicInvocation
import EventRouting
import Workloads

/// Events in a deeper, or in a wider tree.
enum TreeGrowth {
  /// A node of the rival's tree.
  private final class WalkedNode {
    unowned(unsafe) var parent: WalkedNode?
    var children: [WalkedNode] = []
    var handlers: [String: () -> Void] = [:]

    func add(_ child: WalkedNode) {
      children.append(child)
      child.parent = self
    }
  }

  private static let name = "growth.tree"
  private static let key = TypedEventKey<Void>(name)

  private static func listen(_ node: ResponderNode) throws {
    try node.proxy.register(key) { (_: AnyObject?) in workload_w0(nil, nil) }
  }

  /// Returns the lanes of an event that passes a number of nodes, and is handled by the next.
  static func depth(_ count: Int, rivals: Bool) throws -> [GrowthLane] {
    func chain() -> (root: ResponderNode, leaf: ResponderNode) {
      let root = ResponderNode("root")
      var leaf = root
      for _ in 0..<count {
        let child = ResponderNode("node")
        leaf.addChild(child)
        leaf = child
      }
      return (root, leaf)
    }
    let (up, down) = (chain(), chain())
    try listen(up.root)
    try listen(down.leaf)
    let own = [
      GrowthLane("event-up", expecting: 1) { operations in
        withExtendedLifetime(up.root) { ProxyGrowth.counted { for _ in 0..<operations { up.leaf.send(key, rules: .strategy) } } }
      },
      GrowthLane("event-down", expecting: 1) { operations in
        ProxyGrowth.counted { for _ in 0..<operations { down.root.send(key, rules: .busDown) } }
      },
    ]
    guard rivals else { return own }
    let root = WalkedNode()
    var lowest = root
    for _ in 0..<count {
      let child = WalkedNode()
      // Only a node with handlers for other events has to look one up.
      child.handlers["growth.other"] = {}
      lowest.add(child)
      lowest = child
    }
    root.handlers[name] = { workload_w0(nil, nil) }
    return own + [
      GrowthLane("walk", expecting: 1) { [lowest] operations in
        withExtendedLifetime(root) {
          ProxyGrowth.counted {
            for _ in 0..<operations {
              var next: WalkedNode? = lowest
              while let node = next {
                if let handler = node.handlers[name] {
                  handler()
                  break
                }
                next = node.parent
              }
            }
          }
        }
      }
    ]
  }

  /// Returns the lanes of the creation and release of a number of nodes that are all linked to one object.
  static func releasing(_ count: Int) -> [GrowthLane] {
    func lane(_ name: String, _ link: @escaping (ResponderNode) -> Void) -> GrowthLane {
      GrowthLane(name, expecting: Double(count)) { operations in
        var sum = 0
        for _ in 0..<operations {
          var nodes = (0..<count).map { _ in ResponderNode("node") }
          nodes.forEach(link)
          sum += nodes.count
          // Those that were created first are released first.
          for index in nodes.indices { nodes[index] = nodes[count - 1] }
        }
        return Double(sum)
      }
    }
    let (proxy, target) = (EventProxy(), ResponderNode("target"))
    return [lane("event-proxy") { $0.eventProxy = proxy }, lane("event-override") { $0.nextOverride = target }]
  }

  /// Returns the lanes of an event from a node to the last of a number of children.
  static func width(_ count: Int, rivals: Bool) throws -> [GrowthLane] {
    let root = ResponderNode("root")
    for _ in 0..<count { root.addChild(ResponderNode("node")) }
    if let last = root.children.last { try listen(last) }
    let unheard = TypedEventKey<Void>("growth.unheard")
    let own = [
      GrowthLane("event", expecting: 1) { operations in
        ProxyGrowth.counted { for _ in 0..<operations { root.send(key, rules: .busDown) } }
      },
      GrowthLane("event-unheard", expecting: 0) { operations in
        ProxyGrowth.counted { for _ in 0..<operations { root.send(unheard, rules: .busDown) } }
      },
    ]
    guard rivals else { return own }
    let walked = WalkedNode()
    for _ in 0..<count {
      let child = WalkedNode()
      child.handlers["growth.other"] = {}
      walked.add(child)
    }
    walked.children.last?.handlers[name] = { workload_w0(nil, nil) }
    return own + [
      GrowthLane("walk", expecting: 1) { operations in
        ProxyGrowth.counted {
          for _ in 0..<operations {
            for child in walked.children { child.handlers[name]?() }
          }
        }
      }
    ]
  }
}
