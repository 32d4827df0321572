import ArgumentParser
import DynamicInvocation
import Foundation
import TestSupport

/// Does a million random things on several threads, and proves that nothing was lost and nothing stayed.
struct SoakCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Call, be called, send and forward at random on several threads, and check that nothing is lost or left over.",
    discussion: """
      Every turn makes one or more calls of a kind: of callees that C compilers made, of closures, of Swift functions by their names, of methods, forwarded and recorded, dispatched to
      many, sent as events. Every call is checked and counted by who makes it and by who receives it. After each tenth the threads end, and so must
      every object that was made; the bytes in use on the heap must be at the end what they were after the first tenth.

      The exit status is 1, and the seed named, when anything differs. What one thread does follows from the seed; how threads meet does not.

      EXAMPLES:
        conformance soak --millions 1
        conformance soak --seconds 15 --seed 7 --threads 8
        conformance soak --millions 0.4 --only "Swift functions"
      """)

  @Option(help: "How many millions of turns.")
  var millions: Double = 1

  @Option(help: "For how many seconds, in place of a number of turns.")
  var seconds: Double?

  @OptionGroup var seed: SeedOption

  @Option(help: "How many threads.")
  var threads: Int = 4

  @Option(help: "How many signatures each compiler makes callees of.")
  var signatures: Int = 200

  @Option(help: "Only calls of this kind, as the table names it.")
  var only: String?

  func validate() throws {
    guard only == nil || Workloads.all.contains(where: { $0.name == only }) else {
      throw ValidationError("--only must be one of: " + Workloads.all.map { $0.name }.joined(separator: ", "))
    }
    guard millions >= 0.001, millions <= 10_000 else { throw ValidationError("--millions must be from 0.001 to 10000") }
    guard seconds ?? 1 >= 1, seconds ?? 1 <= 1_000_000 else { throw ValidationError("--seconds must be from 1 to 1000000") }
    guard (1...256).contains(threads) else { throw ValidationError("--threads must be from 1 to 256") }
    guard (1...5_000).contains(signatures) else { throw ValidationError("--signatures must be from 1 to 5000") }
  }

  func run() throws {
    let seed = seed.drawn()
    print("seed \(seed), \(threads) threads")
    fflush(nil)
    do {
      let world = try World(seed: seed, signatures: signatures)
      let length = seconds.map { SoakRun.Length.seconds($0) } ?? .turns(Int(millions * 1_000_000))
      print(try SoakRun(world, length: length, threads: threads, only: only).perform())
    } catch {
      print("FAILED with seed \(seed): \(error)")
      throw ExitCode.failure
    }
  }
}

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

  init(_ world: World, length: Length, threads: Int, only: String? = nil) {
    self.only = only
    self.world = world
    self.length = length
    self.threads = threads
  }

  /// Runs all parts.
  ///
  /// - Returns: The table of what was done.
  /// - Throws: What was wrong first.
  func perform() throws -> String {
    var first: Heap?
    var last = Heap()
    for part in 0..<Self.parts {
      try Workers.run(threads) { try self.work(part: part, thread: $0, $1) }
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
      throw Failure("the heap grew by \(after - before) bytes after the first part, from \(before)")
    }
    return table(first, last)
  }

  private var turns: Int { world.counters.reduce(0) { $0 + $1.counts.turns } }
  private var seconds: Int { Int(start.duration(to: .now).components.seconds) }

  private func work(part: Int, thread: Int, _ workers: Workers) throws {
    var generator = SeededGenerator(seed: world.seed ^ UInt64(part * 1_000 + thread + 1) &* 0xD134_2543_DE82_EF95)
    var workloads: [any Workload] = []
    for (type, counter) in zip(Workloads.all, world.counters) { workloads.append(try type.init(world, counter, &generator)) }
    let lots = Workloads.all.enumerated().flatMap { index, type in
      Array(repeating: index, count: only == nil || only == type.name ? type.weight : 0)
    }
    var turn = 0
    while !isOver(part: part, turn: turn), !workers.haveFailed {
      let lot = generator.pick(lots)
      do {
        try workloads[lot].turn(&generator)
      } catch {
        throw Failure("\(Workloads.all[lot].name), part \(part), thread \(thread), turn \(turn): \(error)")
      }
      world.counters[lot].turn()
      turn += 1
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
        throw Failure("\(type.name): \(counts.made) calls were made, \(counts.arrived) arrived")
      }
    }
    let shared = world.audience.counter.counts
    guard shared.made == shared.arrived else {
      throw Failure("the shared dispatcher: \(shared.made) calls were made, \(shared.arrived) arrived")
    }
    let live = world.tracker.liveCount - world.audience.memberCount
    guard live == 0 else { throw Failure("\(live) objects are left over") }
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

/// One kind of calls, made by one thread for a tenth of the run.
protocol Workload: AnyObject, SendableMetatype {
  /// Its name in the table.
  static var name: String { get }
  /// How often its turn comes, beside those of others.
  static var weight: Int { get }

  /// Prepares what the thread has for itself.
  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) throws

  /// Makes some random calls, and checks what comes of them.
  func turn(_ generator: inout SeededGenerator) throws
}

/// All kinds.
enum Workloads {
  static let all: [any Workload.Type] = [
    CompiledCalls.self, TypedCalls.self, ClosureCalls.self, SwiftCalls.self, Messages.self, ForwardedMessages.self,
    DispatchedMessages.self, RoutedEvents.self,
  ]
}

/// What the process has of memory.
struct Heap {
  /// The bytes that `malloc` has given out; nil where nobody tells.
  let used: Int?
  /// The bytes in physical memory; nil where nobody tells.
  let resident: Int?

  /// Reads the present state.
  ///
  /// Blocks that a running thread keeps for itself count as given out, so other threads should have ended.
  init() {
    used = Self.used()
    resident = Self.resident()
  }

  private struct MallocInfo: EncodedValue, BitwiseCopyable {
    var arena: UInt = 0
    var ordinaryFree: UInt = 0
    var small: UInt = 0
    var mapped: UInt = 0
    var mappedBytes: UInt = 0
    var highest: UInt = 0
    var smallFreeBytes: UInt = 0
    var usedBytes: UInt = 0
    var freeBytes: UInt = 0
    var keepCost: UInt = 0

    static let typeEncoding: TypeEncoding = "{mallinfo2=QQQQQQQQQQ}"
  }

  private static func used() -> Int? {
    #if canImport(Glibc)
      guard let function = try? DynamicLibrary.process.function("mallinfo2", types: "{mallinfo2=QQQQQQQQQQ}"),
        let info = try? function() as MallocInfo
      else { return nil }
      return Int(info.usedBytes + info.mappedBytes)
    #else
      return nil
    #endif
  }

  private static func resident() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}
