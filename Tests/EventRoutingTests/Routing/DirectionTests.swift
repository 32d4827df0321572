import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Handlers that listen one way.
@Suite(.measured) struct DirectionTests {
  private let root, middle, leaf: ResponderNode

  init() { (root, middle, leaf) = chain() }

  @Test("A handler is told the direction, the key, and how deep its event is nested; nothing outside of handlers") func context() throws {
    expect(EventContext.current == nil)
    var contexts: [EventContext?] = []
    let other = EventProxy()
    try other.register("alone") { (_: AnyObject?) in contexts.append(EventContext.current) }
    try leaf.proxy.intercept("l") { _, _, _ in
      contexts.append(EventContext.current)
      other.send("alone", source: nil, arguments: [])
      return .handled
    }
    try root.proxy.intercept("k") { _, _, _ in .resend("k2", []) }
    try middle.proxy.register("k2") { [unowned root] (_: AnyObject?) in
      contexts.append(EventContext.current)
      root.send("l", rules: .busDown)
      contexts.append(EventContext.current)
    }
    root.send("k", rules: .busDown)
    expectEqual(
      contexts.map { $0.map { "\($0)" } },
      [
        "EventContext(k2, down, nesting 1)", "EventContext(l, down, nesting 2)", "EventContext(l, down, nesting 2)",
        "EventContext(k2, down, nesting 1)",
      ])
    expect(contexts[0] == contexts[3] && contexts[0] != contexts[1])
    expect(EventContext.current == nil)
    other.send("alone", source: nil, arguments: [])
    expect(contexts.last == .some(nil))
    try root.proxy.register("up") { (_: AnyObject?) in contexts.append(EventContext.current) }
    leaf.send("up")
    let last = try #require(contexts.last ?? nil)
    expect(last.key == "up" && last.direction == .up && last.phase == .up && last.nesting == 1 && !last.isStopped)
  }

  @Test("Every way of registering takes a direction, and a proxy asked itself calls all") func everyKind() throws {
    let proxy = root.proxy
    final class Target { var calls: [String] = [] }
    let target = Target()
    let up = HandlerOptions(duplicates: .append, direction: .up)
    let down = HandlerOptions(duplicates: .append, direction: .down)
    try proxy.register("k", options: up) { (_: AnyObject?, _: Int) in target.calls.append("closure") }
    try proxy.register("k", target: target, options: down) { (target: Target) in
      { (_: AnyObject?, _: Int) in target.calls.append("target") }
    }
    try proxy.intercept("k", options: up) { _, _, _ in
      target.calls.append("interceptor")
      return .handled
    }
    let implementation = try Implementation { (target: Target, _: Unmanaged<AnyObject>?, _: Int) in target.calls.append("function") }
    try proxy.register("k", implementation, target: target, options: down)
    let key: TypedEventKey<Int> = "k"
    leaf.send(key, 1)
    expectEqual(target.calls, ["interceptor", "closure"])
    root.send(key, 1, rules: .busDown)
    expectEqual(target.calls.suffix(2), ["target", "function"])
    target.calls = []
    root.send("k", arguments: [.int(1)], rules: .busDown)
    expectEqual(target.calls, ["target", "function"])
    expectEqual(proxy.send(key, source: nil, 1).calls, 4)
    expectEqual(proxy.send("k", source: nil, arguments: [.int(1)]).calls, 4)
    expectEqual(proxy.registrations(for: "k").map(\.options.direction), [.up, .up, .down, .down])
    expect("\(proxy.registrations(for: "k")[0].handler)".hasSuffix("[up only]"))
  }
}
