import ArgumentParser
import DynamicInvocation
import Foundation
import Synchronization
import TestSupport

/// Does a million random things on several threads, and proves that nothing was lost and nothing stayed.
struct SoakCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Call, be called, send and forward at random on several threads, and check that nothing is lost or left over.",
    discussion: """
      Every turn makes one or more calls of a kind: of callees that C compilers made, of closures, of Swift functions by their names, of \
      methods, forwarded and recorded, dispatched to many; or it runs a script of events and compares it with a model. Every call is \
      checked and counted by who makes it and by who receives it. After each tenth the threads end, and so must every object that was \
      made; the bytes in use on the heap must be at the end what they were after the first tenth.

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
    guard (0.001...10_000).contains(millions), (1...1_000_000).contains(seconds ?? 1), (1...256).contains(threads),
      (1...5_000).contains(signatures)
    else { throw ValidationError("--millions, --seconds, --threads and --signatures must be in sensible bounds") }
  }

  func run() throws {
    let seed = seed.drawn()
    print("seed \(seed), \(threads) threads")
    fflush(nil)
    do {
      let world = try World(seed: seed, signatures: signatures)
      print(try SoakRun(world, seconds: seconds, turns: Int(millions * 1_000_000), threads: threads, only: only).perform())
    } catch {
      print("FAILED with seed \(seed): \(error)")
      throw ExitCode.failure
    }
  }
}

/// The run: ten equal parts, and everything is counted after each part.
final class SoakRun: Sendable {
  /// The bytes that the heap may have grown by since the first part: the smallest block, lost once in 400 turns of a million, is more.
  static let tolerance = 64 << 10
  private static let parts = 10

  private let world: World
  /// The seconds of all parts, in place of the number of turns.
  private let seconds: Double?
  private let turns: Int
  private let threads: Int
  /// The only kind of calls to make, or nil for all kinds.
  private let only: String?
  private let start: ContinuousClock.Instant = .now

  init(_ world: World, seconds: Double?, turns: Int, threads: Int, only: String?) {
    (self.world, self.seconds, self.turns, self.threads, self.only) = (world, seconds, turns, threads, only)
  }

  /// Runs all parts.
  ///
  /// - Returns: The table of what was done.
  /// - Throws: What was wrong first.
  func perform() throws -> String {
    var heap: [Int] = []
    for part in 0..<Self.parts {
      try Workers.run(threads) { try self.work(part: part, thread: $0, $1) }
      world.tidy()
      try check()
      heap.append(Self.heapBytes())
      print("part \(part + 1) of \(Self.parts): \(elapsed) s, heap \(heap[part] >> 10) KiB")
      // At once, also into a pipe.
      fflush(nil)
    }
    let growth = heap[Self.parts - 1] - heap[0]
    guard growth <= Self.tolerance else {
      throw Failure("the heap grew by \(growth) bytes after the first part, from \(heap[0])")
    }
    return table(growth)
  }

  private var elapsed: Int { Int(start.duration(to: .now).components.seconds) }

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
    guard let seconds else { return turn * threads * Self.parts >= turns }
    return turn % 16 == 0 && start.duration(to: .now) >= .seconds(seconds * Double(part + 1) / Double(Self.parts))
  }

  /// The counters by what they count.
  private var counters: [(name: String, counter: CallCounter)] {
    zip(Workloads.all.map { $0.name }, world.counters).map { ($0, $1) } + [("the shared dispatcher", world.audience.counter)]
  }

  private func check() throws {
    for (name, counter) in counters {
      let counts = counter.counts
      guard counts.made == counts.arrived else { throw Failure("\(name): \(counts.made) calls were made, \(counts.arrived) arrived") }
    }
    let live = world.tracker.liveCount - world.audience.memberCount
    guard live == 0 else { throw Failure("\(live) objects are left over") }
  }

  private func table(_ growth: Int) -> String {
    let counts = counters.map(\.counter.counts)
    func cells(_ counts: [CallCounter.Counts]) -> [String] {
      [\CallCounter.Counts.turns, \.made, \.arrived].map { path in "\(counts.reduce(0) { $0 + $1[keyPath: path] })" }
    }
    let rows = zip(counters, counts).map { TextRow.text($0.name, cells([$1])) }
    return
      ([TextRow.text("kind", ["turns", "calls", "arrived"])] + rows + [
        TextRow.text("all", cells(counts)),
        "seed \(world.seed): \(elapsed) s on \(threads) threads, \(world.tracker.madeCount) objects made and all but the "
          + "\(world.audience.memberCount) members ended, heap growth since the first part \(growth) bytes",
      ]).joined(separator: "\n")
  }

  /// The bytes that `malloc` has given out; 0 where nobody tells.
  ///
  /// Blocks that a running thread keeps for itself count as given out, so other threads should have ended.
  private static func heapBytes() -> Int {
    #if canImport(Glibc)
      guard let function = try? DynamicLibrary.process.function("mallinfo2", types: "{mallinfo2=QQQQQQQQQQ}"),
        let info = try? function() as MallocInfo
      else { return 0 }
      return Int(info.words.4 + info.words.7)
    #else
      return 0
    #endif
  }

  /// `struct mallinfo2` of the C library: the fifth word are the bytes of mapped blocks, the eighth of all others in use.
  private struct MallocInfo: EncodedValue, BitwiseCopyable {
    var words: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt)

    static let typeEncoding: TypeEncoding = "{mallinfo2=QQQQQQQQQQ}"
  }
}

/// One kind of calls, made by one thread for a tenth of the run.
protocol Workload: AnyObject, SendableMetatype {
  /// Its name in the table.
  static var name: String { get }
  /// How often its turn comes, relative to the other kinds.
  static var weight: Int { get }

  /// Prepares what the thread has for itself.
  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) throws

  /// Makes some random calls, and checks what comes of them.
  func turn(_ generator: inout SeededGenerator) throws
}

/// What calls of most kinds have: the world, and the counter of their kind.
class CountedWorkload {
  let world: World
  let counter: CallCounter

  required init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) throws {
    self.world = world
    self.counter = counter
  }
}

/// All kinds.
enum Workloads {
  static let all: [any Workload.Type] = [
    CompiledCalls.self, TypedCalls.self, ClosureCalls.self, SwiftCalls.self, Messages.self, ForwardedMessages.self,
    DispatchedMessages.self, EventScripts.self,
  ]
}

/// The calls of one kind, counted on both sides.
final class CallCounter: Sendable {
  struct Counts {
    var turns, made, arrived: Int
  }

  private let turns: Atomic<Int> = Atomic(0)
  private let made: Atomic<Int> = Atomic(0)
  private let arrived: Atomic<Int> = Atomic(0)

  /// Notes a turn.
  func turn() { turns.add(1, ordering: .relaxed) }

  /// Notes calls by who made them.
  func make(_ count: Int = 1) { made.add(count, ordering: .relaxed) }

  /// Notes calls by who received them.
  func receive(_ count: Int = 1) { arrived.add(count, ordering: .relaxed) }

  /// The counts so far.
  var counts: Counts {
    Counts(turns: turns.load(ordering: .relaxed), made: made.load(ordering: .relaxed), arrived: arrived.load(ordering: .relaxed))
  }
}
