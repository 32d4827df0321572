import DynamicInvocation
import Foundation
import Synchronization
import TestSupport

/// The run: ten equal parts, after each of which everything is counted.
final class SoakRun: Sendable {
  /// How long the run is.
  enum Length: Sendable {
    case turns(Int)
    case seconds(Double)
  }

  /// The bytes that the heap may have grown by since the first part: the smallest block lost once in 400 turns of a million is more.
  static let tolerance = 64 << 10
  private static let parts = 10

  private let world: World
  private let length: Length
  private let threads: Int
  /// The kind of the only calls, or nil for all.
  private let only: String?
  private let start: ContinuousClock.Instant = .now
  private let failure: Locked<SoakFailure?> = Locked(nil)
  private let hasFailed: Atomic<Bool> = Atomic(false)

  init(_ world: World, length: Length, threads: Int, only: String? = nil) {
    self.only = only
    self.world = world
    self.length = length
    self.threads = threads
  }

  /// Runs all parts.
  ///
  /// - Returns: The table of what was done.
  /// - Throws: ``SoakFailure`` for what was wrong first.
  func perform() throws -> String {
    var first: Heap?
    var last = Heap()
    for part in 0..<Self.parts {
      try JoinedThreads.run(threads) { self.work(part: part, thread: $0) }
      if let failure = failure.withLock({ $0 }) { throw failure }
      world.tidy()
      try check()
      last = Heap()
      if part == 0 { first = last }
      let memory = "heap \(Self.text(last.used)), resident \(Self.text(last.resident))"
      print("part \(part + 1) of \(Self.parts): \(turns) turns, \(seconds) s, \(memory)")
      // At once, also into a pipe.
      fflush(nil)
    }
    if let before = first?.used, let after = last.used, after - before > Self.tolerance {
      throw SoakFailure("the heap grew by \(after - before) bytes after the first part, from \(before)")
    }
    return table(first, last)
  }

  private var turns: Int { world.counters.reduce(0) { $0 + $1.counts.turns } }
  private var seconds: Int { Int(start.duration(to: .now).components.seconds) }

  private func work(part: Int, thread: Int) {
    var generator = SeededGenerator(seed: world.seed ^ UInt64(part * 1_000 + thread + 1) &* 0xD134_2543_DE82_EF95)
    do {
      var workloads: [any Workload] = []
      for (type, counter) in zip(Workloads.all, world.counters) { workloads.append(try type.init(world, counter, &generator)) }
      let lots = Workloads.all.enumerated().flatMap { index, type in
        Array(repeating: index, count: only == nil || only == type.name ? type.weight : 0)
      }
      var turn = 0
      while !isOver(part: part, turn: turn), !hasFailed.load(ordering: .relaxed) {
        let lot = generator.pick(lots)
        do {
          try workloads[lot].turn(&generator)
        } catch {
          throw SoakFailure("\(Workloads.all[lot].name), part \(part), thread \(thread), turn \(turn): \(error)")
        }
        world.counters[lot].turn()
        turn += 1
      }
    } catch {
      hasFailed.store(true, ordering: .relaxed)
      failure.withLock { $0 = $0 ?? error as? SoakFailure ?? SoakFailure("\(error)") }
    }
  }

  private func isOver(part: Int, turn: Int) -> Bool {
    switch length {
    case .turns(let count): turn * threads * Self.parts >= count
    case .seconds(let seconds):
      turn % 16 == 0 && start.duration(to: .now) >= .seconds(seconds * Double(part + 1) / Double(Self.parts))
    }
  }

  private func check() throws {
    for (type, counter) in zip(Workloads.all, world.counters) {
      let counts = counter.counts
      guard counts.made == counts.arrived else {
        throw SoakFailure("\(type.name): \(counts.made) calls were made, \(counts.arrived) arrived")
      }
    }
    let shared = world.audience.counter.counts
    guard shared.made == shared.arrived else {
      throw SoakFailure("the shared dispatcher: \(shared.made) calls were made, \(shared.arrived) arrived")
    }
    let live = world.tracker.liveCount - world.audience.memberCount
    guard live == 0 else { throw SoakFailure("\(live) objects are left over") }
  }

  private func table(_ first: Heap?, _ last: Heap) -> String {
    func row(_ cells: [String]) -> String {
      cells[0].padded(to: 20, left: false) + cells.dropFirst().map { $0.padded(to: 12, left: true) }.joined()
    }
    var rows = [row(["kind", "turns", "calls", "arrived"])]
    var sums = (turns: 0, made: 0, arrived: 0)
    for (type, counter) in zip(Workloads.all, world.counters) {
      let counts = counter.counts
      rows.append(row([type.name, "\(counts.turns)", "\(counts.made)", "\(counts.arrived)"]))
      sums = (sums.turns + counts.turns, sums.made + counts.made, sums.arrived + counts.arrived)
    }
    let shared = world.audience.counter.counts
    rows.append(row(["  by the shared one", "", "\(shared.made)", "\(shared.arrived)"]))
    sums = (sums.turns, sums.made + shared.made, sums.arrived + shared.arrived)
    rows.append(row(["all", "\(sums.turns)", "\(sums.made)", "\(sums.arrived)"]))
    let growth = first?.used.flatMap { before in last.used.map { "\($0 - before) bytes" } } ?? "unknown"
    rows.append(
      "seed \(world.seed): \(seconds) s on \(threads) threads, \(world.tracker.madeCount) objects made and all but the "
        + "\(world.audience.memberCount) members ended, heap growth since the first part \(growth)")
    return rows.joined(separator: "\n")
  }

  private static func text(_ bytes: Int?) -> String { bytes.map { "\($0 >> 10) KiB" } ?? "unknown" }
}

extension String {
  fileprivate func padded(to width: Int, left: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return left ? padding + self : self + padding
  }
}
