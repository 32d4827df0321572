import DynamicInvocation
import EventRouting
import Workloads

/// Events to a proxy with more handlers, or with more keys.
enum ProxyGrowth {
  /// Returns the lane of an event to a number of handlers.
  static func handlers(_ count: Int) throws -> [GrowthLane] {
    let proxy = EventProxy()
    let key: TypedEventKey<Int> = "growth.handlers"
    for _ in 0..<count {
      try proxy.register(key, options: HandlerOptions(duplicates: .append)) { (_: AnyObject?, _: Int) in workload_w0(nil, nil) }
    }
    return [
      GrowthLane("event", expecting: Double(count)) { operations in
        counted { for index in 0..<operations { proxy.send(key, source: nil, index) } }
      }
    ]
  }

  /// Returns the lanes of the registration of a number of handlers for a key, and of their removal.
  static func registering(_ count: Int) throws -> [GrowthLane] {
    let proxy = EventProxy()
    let key: TypedEventKey<Int> = "growth.registering"
    func register(_ options: HandlerOptions) throws -> EventRegistration {
      try proxy.register(key, options: options) { (_: AnyObject?, _: Int) in }
    }
    func lane(_ name: String, _ options: @escaping (Int) -> HandlerOptions) -> GrowthLane {
      GrowthLane(name, expecting: Double(count)) { operations in
        var sum = 0
        for _ in 0..<operations {
          for index in 0..<count { _ = try register(options(index)) }
          sum += proxy.registrations(for: key.key).count
          proxy.removeAllHandlers()
        }
        return Double(sum)
      }
    }
    return [
      lane("event") { _ in HandlerOptions(duplicates: .append) },
      // A token removes the last handler first.
      GrowthLane("event-token", expecting: Double(count)) { operations in
        var sum = 0
        for _ in 0..<operations {
          let token = EventToken()
          for _ in 0..<count { try register(HandlerOptions(duplicates: .append)).end(with: token) }
          sum += token.count
          token.cancel()
        }
        return Double(sum)
      },
      lane("event-priorities") { HandlerOptions(priority: $0 * 7_919 % 10_007, duplicates: .append) },
      lane("event-directions") { HandlerOptions(duplicates: .append, direction: $0 == count - 1 ? .down : .up) },
    ]
  }

  /// Returns the lane of an event with one of a number of keys.
  static func keys(_ count: Int) throws -> [GrowthLane] {
    // Short enough for a string without memory of its own: most of the time for a million keys goes into their names.
    func name(_ index: Int) -> String { "key \(index)" }
    let proxy = EventProxy()
    let chosen = GrowthSample.indices(of: count)
    let isChosen = Set(chosen)
    // The keys that no operation uses have handlers that are quicker to register.
    for index in 0..<count where !isChosen.contains(index) { try proxy.intercept(EventKey(name(index))) { _, _, _ in .handled } }
    let keys = chosen.map { TypedEventKey<Void>(EventKey(name($0))) }
    for key in keys { try proxy.register(key) { (_: AnyObject?) in workload_w0(nil, nil) } }
    return [
      GrowthLane("event", expecting: 1) { operations in
        counted { inTurn(keys, operations) { proxy.send($0, source: nil) } }
      }
    ]
  }

  /// Returns the lanes of making and ending what a proxy of a tree keeps for a number of keys.
  static func ending(_ count: Int) throws -> [GrowthLane] {
    let node = ResponderNode("node")
    let proxy = node.proxy
    let keys = (0..<count).map { EventKey("ending \($0)") }
    func lane(_ name: String, _ operation: @escaping () throws -> Int) -> GrowthLane {
      GrowthLane(name, expecting: Double(count)) { operations in
        var sum = 0
        for _ in 0..<operations { sum += try operation() }
        return Double(sum)
      }
    }
    func intercept(_ key: EventKey) throws -> EventRegistration { try proxy.intercept(key) { _, _, _ in .ignored } }
    let last: EventKey = "ending last"
    proxy.keepLast(last)
    proxy.send(last, source: nil, arguments: [])
    return [
      lane("event-keys") {
        let registrations = try keys.map(intercept)
        for registration in registrations { registration.cancel() }
        return registrations.count
      },
      lane("event-owners") {
        var owners = keys.map { _ in ResponderNode("owner") }
        for (owner, key) in zip(owners, keys) { try intercept(key).owned(by: owner) }
        owners.removeAll()
        proxy.removeDeadHandlers()
        return keys.count
      },
      lane("event-all-keys") {
        let interceptor = proxy.interceptAll { _, _, _ in .ignored }
        for key in keys { proxy.send(key, source: nil, arguments: []) }
        for _ in 0..<2 {
          interceptor.block()
          interceptor.unblock()
        }
        interceptor.cancel()
        return keys.count
      },
      lane("event-last") {
        let registrations = try keys.map { _ in
          try proxy.register(
            TypedEventKey<Void>(last), options: HandlerOptions(duplicates: .append, receivesLast: true)
          ) { (_: AnyObject?) in }
        }
        for registration in registrations { registration.cancel() }
        return registrations.count
      },
    ]
  }

  /// Returns the lanes of blocking one of a number of interceptors of prefixes, each with a key, and of making and ending as many.
  static func prefixes(_ count: Int) -> [GrowthLane] {
    let proxy = EventProxy()
    let interceptors = (0..<count).map { index in proxy.interceptAll(withPrefix: "prefix \(index).") { _, _, _ in .ignored } }
    for index in 0..<count { proxy.send(EventKey("prefix \(index).key"), source: nil, arguments: []) }
    return [
      GrowthLane("event-blocked", expecting: 1) { operations in
        for index in 0..<operations {
          interceptors[index % count].block()
          interceptors[index % count].unblock()
        }
        return Double(operations)
      },
      GrowthLane("event-ended", expecting: Double(count)) { operations in
        let proxy = EventProxy()
        var sum = 0
        for _ in 0..<operations {
          let ended = (0..<count).map { proxy.interceptAll(withPrefix: "ended \($0).") { _, _, _ in .ignored } }
          for index in 0..<min(10, count) { proxy.send(EventKey("ended \(index).key"), source: nil, arguments: []) }
          for interceptor in ended { interceptor.cancel() }
          sum += ended.count
        }
        return Double(sum)
      },
    ]
  }

  /// Returns the lane of an event that no node handles, in a tree with a number of keys, with its diagnosis.
  static func unhandled(_ count: Int) throws -> [GrowthLane] {
    let root = ResponderNode("root")
    for index in 0..<count { try root.proxy.intercept(EventKey("unhandled \(index)")) { _, _, _ in .ignored } }
    return [
      GrowthLane("event", expecting: 1) { operations in
        var sum = 0
        EventLog.withLogger(nil) {
          for _ in 0..<operations { sum += root.report("unhandled x").diagnosis == nil ? 0 : 1 }
        }
        return Double(sum)
      }
    ]
  }

  /// Calls a closure with one element after the other, again and again.
  @inline(__always)
  static func inTurn<Element>(_ elements: [Element], _ operations: Int, _ body: (Element) throws -> Void) rethrows {
    var index = 0
    for _ in 0..<operations {
      try body(elements[index])
      index += 1
      if index == elements.count { index = 0 }
    }
  }

  /// Returns how often a closure calls the callee W0, which all handlers do.
  @inline(__always)
  static func counted(_ body: () -> Void) -> Double {
    let before = workload_w0_count()
    body()
    return Double(workload_w0_count() - before)
  }
}

/// Events in a deeper, or in a wider tree.
enum TreeGrowth {
  private static let key: TypedEventKey<Void> = "growth.tree"

  private static func listen(_ node: ResponderNode) throws {
    try node.proxy.register(key) { (_: AnyObject?) in workload_w0(nil, nil) }
  }

  /// Returns the lanes of an event that passes a number of nodes, and is handled by the next.
  static func depth(_ count: Int) throws -> [GrowthLane] {
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
    return [
      GrowthLane("event-up", expecting: 1) { operations in
        withExtendedLifetime(up.root) { ProxyGrowth.counted { for _ in 0..<operations { up.leaf.send(key, rules: .strategy) } } }
      },
      GrowthLane("event-down", expecting: 1) { operations in
        ProxyGrowth.counted { for _ in 0..<operations { down.root.send(key, rules: .busDown) } }
      },
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
  static func width(_ count: Int) throws -> [GrowthLane] {
    let root = ResponderNode("root")
    for _ in 0..<count { root.addChild(ResponderNode("node")) }
    if let last = root.children.last { try listen(last) }
    let unheard = TypedEventKey<Void>("growth.unheard")
    return [
      GrowthLane("event", expecting: 1) { operations in
        ProxyGrowth.counted { for _ in 0..<operations { root.send(key, rules: .busDown) } }
      },
      GrowthLane("event-unheard", expecting: 0) { operations in
        ProxyGrowth.counted { for _ in 0..<operations { root.send(unheard, rules: .busDown) } }
      },
    ]
  }
}
