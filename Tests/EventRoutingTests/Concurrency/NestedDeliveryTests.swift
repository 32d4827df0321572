import DynamicInvocation
import EventRouting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Ports whose owner has an executor that a handler runs, as a modal dialog runs the loop of its application.
@Suite(.measured) struct NestedDeliveryTests {
  private final class Loop: SerialExecutor {
    private let jobs: Locked<[UnownedJob]> = Locked([])
    /// Counts the jobs, and what ends a wait.
    private let signals = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
      signals.signal()
    }

    /// Lets the innermost run look at its condition.
    func wake() { signals.signal() }

    /// Runs jobs until a condition is true.
    func run(until isOver: () -> Bool) {
      while !isOver() {
        signals.wait()
        if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
          unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
      }
    }
  }

  /// An argument that is counted.
  private final class Parcel: EncodedObject, Sendable {
    private let log: Log

    init(_ log: Log) {
      self.log = log
      log.alive.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { log.alive.wrappingSubtract(1, ordering: .relaxed) }
  }

  private final class Log: Sendable {
    let alive: Atomic<Int> = Atomic(0)
    let lines = LogLines()
  }

  private final class Flag: Sendable {
    let isSet: Atomic<Bool> = Atomic(false)
  }

  private actor Owner {
    private let loop: Loop
    private let root = ResponderNode("root")

    init(_ loop: Loop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Returns a port to handlers that run the loop until what they wait for is over.
    func port(_ log: Log, levels: Int) throws -> EventPort {
      let port = root.port(overflow: .unbounded)
      // The port retains this actor, which owns the handler.
      try root.proxy.register("dialog") { [loop, weak port] (_: AnyObject?, name: String, level: Int, _: Parcel) in
        guard let port else { return }
        log.lines.add("begin \(name)")
        let isOver = Flag()
        Task.detached {
          for round in 0..<8 {
            for index in 0..<3 { port.offer("item", text("\(level) \(round)", index), Parcel(log)) }
            if round == 4, level + 1 < levels {
              _ = await port.send("dialog", text("dialog", level + 1), level + 1, Parcel(log))
            } else {
              _ = await port.send("item", text("\(level) \(round)", 3), Parcel(log))
            }
          }
          isOver.isSet.store(true, ordering: .releasing)
          loop.wake()
        }
        loop.run { isOver.isSet.load(ordering: .acquiring) }
        log.lines.add("end \(name)")
      }
      try root.proxy.register("item") { (_: AnyObject?, name: String, _: Parcel) in log.lines.add(name) }
      return port
    }
  }

  /// What the handlers write down for a dialog and those within it.
  private static func lines(_ level: Int, of levels: Int) -> [String] {
    var lines = ["begin \(text("dialog", level))"]
    for round in 0..<8 {
      let isNested = round == 4 && level + 1 < levels
      lines += (0..<(isNested ? 3 : 4)).map { text("\(level) \(round)", $0) }
      if isNested { lines += Self.lines(level + 1, of: levels) }
    }
    return lines + ["end \(text("dialog", level))"]
  }

  @Test("An event whose handler has others delivered meanwhile keeps its arguments (E17.1, E17.2)", arguments: [1, 2, 3])
  func modalHandlers(levels: Int) async throws {
    let (loop, log, isOver) = (Loop(), Log(), Flag())
    let posting = Task.detached {
      defer {
        isOver.isSet.store(true, ordering: .releasing)
        loop.wake()
      }
      let port = try await Owner(loop).port(log, levels: levels)
      port.offer("dialog", text("dialog", 0), 0, Parcel(log))
      for index in 0..<3 { port.offer("item", text("behind", index), Parcel(log)) }
      _ = await port.send("item", text("last", 0), Parcel(log))
    }
    // A thread of its own: the tasks' threads have the senders to run.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        loop.run { isOver.isSet.load(ordering: .acquiring) }
        continuation.resume()
      }
    }
    try await posting.value
    // Those behind the dialog may be queued before or after its handler begins.
    let lines = log.lines.all
    let behind = (0..<3).map { text("behind", $0) }
    expectEqual(lines.filter { $0.hasPrefix("behind") }, behind)
    expectEqual(lines.filter { !$0.hasPrefix("behind") && !$0.hasPrefix("last") }, Self.lines(0, of: levels))
    expectEqual(lines.filter { $0.hasPrefix("last") }.count, 1)
    expectEqual(log.alive.load(ordering: .relaxed), 0)
  }
}

/// A text that is not stored inline.
private func text(_ name: String, _ index: Int) -> String { "\(name), number \(index) of those that are on the heap" }
