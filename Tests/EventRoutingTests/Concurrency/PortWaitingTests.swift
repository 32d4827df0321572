import DynamicInvocation
@testable import EventRouting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Senders that wait for room at a port, and trees that end during a delivery.
@MainActor
@Suite(.measured) struct PortWaitingTests {
  /// What a post returned.
  private final class Answer: Sendable {
    enum State: Int, AtomicRepresentable { case none, queued, refused }

    let state: Atomic<State> = Atomic(.none)
  }

  private let key: TypedEventKey<Int> = "k"

  /// Posts an event to a port that is full; returns when the sender waits.
  ///
  /// The main actor is busy here, so that nothing is delivered.
  private func waiting(_ index: Int, at port: EventPort) -> Task<Bool, Never> {
    let before = port.core.senderCount
    let sender = Task.detached { [key] in await port.post(key, index) }
    while port.core.senderCount == before { usleep(1_000) }
    return sender
  }

  @Test("A tree that a handler releases receives none of the events after it (E17.4)") func releasedByAHandler() async throws {
    var root: ResponderNode? = ResponderNode("root")
    guard let port = root?.port() else { return }
    var handled = 0
    try root?.proxy.register(key) { (_: AnyObject?, _: Int) in
      handled += 1
      root = nil
    }
    for index in 0..<10 { port.offer(key, index) }
    await expect(port.send("end") == nil)
    expect(handled == 1 && port.droppedCount == 9)
  }

  @Test("Every sender that waits is woken once there is room, first come first (E17.3)", arguments: [1, 3])
  func allAreWoken(limit: Int) async throws {
    let root = ResponderNode("root")
    var received: [Int] = []
    defer { root.proxy.removeAllHandlers() }
    try root.proxy.register(key) { (_: AnyObject?, index: Int) in received.append(index) }
    let port = root.port(overflow: .suspends(at: limit))
    var senders: [Task<Bool, Never>] = []
    for index in 0..<limit { expect(port.offer(key, index)) }
    for index in limit..<40 {
      senders.append(waiting(index, at: port))
    }
    for sender in senders { await expect(sender.value) }
    while received.count < 40 { await pause() }
    // With more room than one, those that were woken together post in any order.
    expectEqual((limit == 1 ? received : received.sorted()), Array(0..<40))
    expectEqual(port.core.senderCount, 0)
  }

  @Test("A sender whose task is cancelled does not wait, and gives its room to the next one (E17.3)") func cancelled() async throws {
    let root = ResponderNode("root")
    var received: [Int] = []
    defer { root.proxy.removeAllHandlers() }
    try root.proxy.register(key) { (_: AnyObject?, index: Int) in received.append(index) }
    let port = root.port(overflow: .suspends(at: 1))
    port.offer(key, 0)
    let early = Answer()
    await withTaskGroup { group in
      group.addTask { [key] in
        withUnsafeCurrentTask { unsafe $0?.cancel() }
        early.state.store(await port.post(key, 1) ? .queued : .refused, ordering: .releasing)
      }
      // Nothing is delivered until it has returned.
      while early.state.load(ordering: .acquiring) == .none { usleep(1_000) }
    }
    expect(early.state.load(ordering: .acquiring) == .refused && port.core.senderCount == 0)
    while received.isEmpty { await pause() }
    // Those in front are cancelled while they wait, or when they were just woken.
    for rounds in 0..<20 {
      received = []
      port.offer(key, 0)
      let senders = (1...4).map { waiting($0, at: port) }
      if rounds % 2 == 0 { for _ in 0..<rounds { await Task.yield() } }
      for sender in senders.dropLast() { sender.cancel() }
      await expect(senders[3].value)
      for sender in senders { _ = await sender.value }
      while received.last != 4 { await pause() }
      expectEqual(port.core.senderCount, 0)
    }
  }
}
