import ArgumentParser
import Foundation

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
