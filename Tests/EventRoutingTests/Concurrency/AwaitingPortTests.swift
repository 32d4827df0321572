import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// Events that other isolation domains send to asynchronous handlers of a tree.
@Suite(.measured) struct AwaitingPortTests {
  private actor Store {
    private(set) var saved: [Int] = []
    func save(_ number: Int) { saved.append(number) }
  }

  /// An actor with a tree whose handlers are asynchronous.
  private actor Owner {
    let root = ResponderNode("root")
    private(set) var order: [String] = []

    func note(_ entry: String) { order.append(entry) }

    func port() -> EventPort { root.port() }

    func makePort(_ store: Store) throws -> EventPort {
      try root.proxy.register("save", target: self) { (owner: Owner) in
        { (_: AnyObject?, number: Int) async in
          owner.assertIsolated()
          await store.save(number)
          owner.assertIsolated()
          await owner.note("saved \(number)")
        }
      }
      try root.proxy.register("note", target: self) { (owner: Owner) in
        { (_: AnyObject?, number: Int) in
          owner.assumeIsolated { $0.order.append("noted \(number)") }
        }
      }
      return root.port()
    }

    /// Registers a handler that sends to the port that called it, as deep as its argument.
    func registerNested(_ port: EventPort) throws {
      try root.proxy.register("nested", target: self) { (owner: Owner) in
        { (_: AnyObject?, depth: Int) async in
          await owner.note("begin \(depth)")
          await port.post("note", depth)
          if depth > 0 { await expectEqual(port.sendAwaiting("nested", depth - 1)?.handledCount, 1) }
          await expectEqual(port.send("note", -depth)?.handledCount, 1)
          await owner.note("end \(depth)")
        }
      }
    }

    /// Ends what a handler that captures the port of its own tree keeps alive.
    func removeHandlers() { root.proxy.removeAllHandlers() }

    func registerFailing() throws {
      try root.proxy.register("fails") { (_: AnyObject?) async throws in
        await Task.yield()
        throw Failure()
      }
    }
  }

  @Test("An event to asynchronous handlers comes after what was posted, and its answer after their return (E17.6)")
  func order() async throws {
    let (owner, store) = (Owner(), Store())
    let port = try await owner.makePort(store)
    for number in 0..<100 { await port.post("note", number) }
    let outcome = await port.sendAwaiting("save", 100)
    expect(outcome?.handledCount == 1 && outcome?.errorCount == 0)
    await expectEqual(owner.order, (0..<100).map { "noted \($0)" } + ["saved 100"])
    await expectEqual(store.saved, [100])
    await expectEqual(port.sendAwaiting("save", arguments: [101])?.handledCount, 1)
    await expectEqual(store.saved, [100, 101])
    await expectEqual(port.sendAwaiting("nobody", rules: .strategy)?.isUnhandled, true)
    try await owner.registerFailing()
    await expect(port.sendAwaiting("fails", rules: .strategy)?.firstError is Failure)
  }

  @MainActor
  @Test("Arguments of any number are sent to asynchronous handlers of the main actor (E17.6)") func mainActor() async throws {
    let root = ResponderNode("root")
    defer { root.proxy.removeAllHandlers() }
    var sum = 0
    try root.proxy.register("none") { (_: AnyObject?) async in
      await Task.yield()
      MainActor.assertIsolated()
      sum += 1
    }
    try root.proxy.register("three") { (source: ResponderNode?, a: Int, text: String, b: Double) async in
      await Task.yield()
      MainActor.assertIsolated()
      sum += source === root ? a + text.count + Int(b) : 0
    }
    let port = root.port()
    await Task.detached {
      await expectEqual(port.sendAwaiting("none")?.handledCount, 1)
      await expectEqual(port.sendAwaiting("three", 10, "four", 100.0)?.handledCount, 1)
    }.value
    expectEqual(sum, 115)
  }

  @Test("Asynchronous handlers may wait for events to the port that called them (E17.7)")
  func nested() async throws {
    let owner = Owner()
    let port = try await owner.makePort(Store())
    try await owner.registerNested(port)
    await expectEqual(port.sendAwaiting("nested", 3)?.handledCount, 1)
    let order = await owner.order
    let begins = order.filter { $0.hasPrefix("begin") }
    let ends = order.filter { $0.hasPrefix("end") }
    expect(begins == ["begin 3", "begin 2", "begin 1", "begin 0"] && ends == ["end 0", "end 1", "end 2", "end 3"])
    expectEqual(order.filter { $0.hasPrefix("noted") }.count, 8)
    // What a handler posted is delivered before what it sends after.
    for depth in 0...3 {
      let posted = try #require(order.firstIndex(of: "noted \(depth)"))
      try expect(#require(order.firstIndex(of: "end \(depth)")) > posted)
    }
    await owner.removeHandlers()
  }

  @Test("Senders that wait for asynchronous handlers lose and double nothing (E17.6, E17.7)")
  func manySenders() async throws {
    let (owner, store) = (Owner(), Store())
    let port = try await owner.makePort(store)
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for index in 0..<100 {
            await port.post("note", sender)
            await expectEqual(port.sendAwaiting("save", sender * 100 + index)?.handledCount, 1)
          }
        }
      }
    }
    await expectEqual(store.saved.sorted(), Array(0..<800))
    for sender in 0..<8 {
      let own = await store.saved.filter { $0 / 100 == sender }
      expectEqual(own, own.sorted())
    }
    await expectEqual(owner.order.filter { $0.hasPrefix("noted") }.count, 800)
  }

  /// An actor with a tree in which an event starts a handler that sends another one to the port.
  private actor Relay {
    let root = ResponderNode("root")
    private(set) var relayed: Int = 0
    private(set) var received: [Int] = Array(repeating: 0, count: 4)
    private(set) var isIntact = true

    func port() throws -> EventPort {
      let port = root.port()
      try root.proxy.register("relay", target: self) { (relay: Relay) in
        { (_: AnyObject?, sender: Int, text: String) async in
          let outcome = await port.send("note", sender, text)
          await relay.count(outcome)
        }
      }
      try root.proxy.register("note", target: self) { (relay: Relay) in
        { (_: AnyObject?, sender: Int, text: String) in
          relay.assumeIsolated {
            $0.received[sender] += 1
            $0.isIntact = $0.isIntact && text == Self.text(sender)
          }
        }
      }
      return port
    }

    private func count(_ outcome: SendOutcome?) { relayed += outcome?.handledCount ?? 0 }

    static func text(_ sender: Int) -> String { "a text that is stored on the heap, from \(sender)" }

    func removeHandlers() { root.proxy.removeAllHandlers() }
  }

  @Test("Handlers that are started and send to their port lose and double nothing, while others post (E17.7)")
  func startedSenders() async throws {
    let relay = Relay()
    let port = try await relay.port()
    let key: TypedEventKey<(Int, String)> = "note"
    let (each, every) = (4_000, 5)
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask {
          for index in 0..<each {
            await port.post(index % every == 0 ? "relay" : key, sender, Relay.text(sender))
          }
        }
      }
    }
    _ = await port.send("end", rules: .strategy)
    while await relay.relayed < 4 * each / every { await pause() }
    await expectEqual(relay.received, Array(repeating: each, count: 4))
    await expect(relay.isIntact)
    expect(port.waitingCount == 0 && port.droppedCount == 0)
    await relay.removeHandlers()
  }

  @Test("A port whose node was deallocated answers nil (E17.6)") func deadTree() async throws {
    let owner = Owner()
    var port: EventPort?
    func makeDeadPort(isolation: isolated Owner) -> EventPort { ResponderNode("dead").port(isolation: isolation) }
    port = await makeDeadPort(isolation: owner)
    await expect(port?.sendAwaiting("save", 1) == nil)
    await expect(port?.sendAwaiting("save", arguments: [1]) == nil)
  }
}
