import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Targets that have no method for a selector of their own, and know what to do with its message.
@Suite(.measured) struct ForwardedEventTests {
  private let proxy = EventProxy()
  private let row = Row()

  private final class Worker {
    var log: [String] = []

    static let register: Void = {
      // Once, whichever test is first.
      _ = try? MethodTable.of(Worker.self).replace(
        "tapped(_:_:)", Implementation { (worker: Worker, source: Row?, index: Int) in worker.log.append("\(source != nil) \(index)") })
    }()
  }

  private final class Delegating: Forwarding {
    let worker = Worker()
    func forwardingTarget(for selector: MethodSelector) -> AnyObject? { worker }
  }

  private final class Collecting: Forwarding {
    var seen: [Int] = []
    func methodSignature(for selector: MethodSelector) -> MethodSignature? {
      selector == "moved" ? try? MethodSignature(types: "v@:@q") : nil
    }
    func forwardInvocation(_ invocation: Invocation) throws {
      let index = try invocation.argument(at: 3, as: Int.self)
      if index < 0 { throw Refusal(index: index) }
      seen.append(index)
    }
  }

  private final class Resolving: Forwarding {
    static func resolveMethod(for selector: MethodSelector) throws -> Bool {
      if selector == "broken" { throw Refusal(index: 1) }
      guard selector == "late" else { return false }
      try MethodTable.of(Resolving.self).replace("late", Implementation { (_: Resolving, _: Row?, value: Int) in expectEqual(value, 7) })
      return true
    }
  }

  init() { Worker.register }

  @Test("A target that names another gets the event there")
  func forwardingTarget() throws {
    let target = Delegating()
    try proxy.register("row.tapped", target: target, selector: "tapped(_:_:)")
    expectEqual(proxy.send("row.tapped", source: row, arguments: [.int(3)]).calls, 1)
    expectEqual(proxy.send("row.tapped", source: nil, 4).calls, 1)
    expectEqual(target.worker.log, ["true 3", "false 4"])
    expectEqual(proxy.send("row.tapped", source: row, arguments: ["three"]).failure?.reason.code, .typeMismatch)
  }

  @Test("A target that takes messages as invocations gets the event as one, and may throw")
  func forwardInvocation() throws {
    let target = Collecting()
    try proxy.register("row.moved", target: target, selector: "moved")
    expectEqual(proxy.send("row.moved", source: row, arguments: [.int(3)]).calls, 1)
    let answer = proxy.send("row.moved", source: row, -2)
    expectEqual(answer.errors.first as? Refusal, Refusal(index: -2))
    expectEqual(target.seen, [3])
  }

  @Test("A method that is resolved when asked for is registered; what resolving throws is an error of the registration")
  func resolved() throws {
    let target = Resolving()
    try proxy.register("late", target: target, selector: "late")
    expectEqual(proxy.send("late", source: row, 7).calls, 1)
    do {
      try proxy.register("broken", target: target, selector: "broken")
      Issue.record("it was registered")
    } catch {
      expectEqual(error.code, .unrecognizedSelector)
      expect(error.description.contains("Refusal(index: 1)"))
    }
    #expect(throws: InvocationError.self) { try proxy.register("unknown", target: target, selector: "unknown") }
    expectEqual(proxy.keys, ["late"])
  }

  @Test("A dispatcher as the target brings the event to all its implementers")
  func dispatcher() throws {
    let workers = [Worker(), Worker()]
    let description = try DispatchProtocol("RowEvents", methods: [.optional("tapped(_:_:)", types: "v@:@q")])
    let dispatcher = try ProtocolDispatcher(description, implementers: workers)
    try proxy.register("row.tapped", target: dispatcher, selector: "tapped(_:_:)")
    expectEqual(proxy.send("row.tapped", source: row, arguments: [.int(5)]).calls, 1)
    expectEqual(workers.map(\.log), [["true 5"], ["true 5"]])
    withExtendedLifetime(workers) {}
  }
}
