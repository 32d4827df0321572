import ArgumentParser
import BenchmarkSupport
import CallgrindRequests
import Foundation

/// Compares exact counts of the package's own engines with a baseline.
struct Gate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fail when an operation allocates more, or takes more instructions, than the baseline says.",
    discussion: """
      A row fails when it allocates more often than in the baseline, or when its instructions are more by over 3 %. Those are the
      instructions of this executable (the package, the benchmark's loop, the callee), counted by valgrind's callgrind. Libraries
      are left out: they differ from machine to machine. A row that only one of the two has fails too. What is lower by over
      3 % is named and passes.

      Without valgrind, and on another architecture than the baseline's, no instructions are compared, and that is said.

      EXAMPLES:
        invocation-bench gate --baseline Benchmarks/Baselines/gates.json
        invocation-bench gate --baseline Benchmarks/Baselines/gates.json --filter WE/
        invocation-bench gate --baseline Benchmarks/Baselines/gates.json --update
      """)

  @Option(
    help: ArgumentHelp("The baseline.", valueName: "gates.json"), completion: .file(extensions: ["json"]))
  var baseline: String

  @Flag(help: "Write what is counted into the baseline.")
  var update = false

  @Option(help: "Only rows whose 'suite/phase/engine' contains this text.")
  var filter: String?

  func run() throws {
    #if DEBUG
      throw ValidationError("this is a debug build, whose counts say nothing; build it with -c release")
    #else
      let old = update ? try? readBaseline() : try readBaseline()
      let loops = Loop.all.filter { $0.isGated && isWanted($0.name) }
      guard !loops.isEmpty else { throw ValidationError("no gated row's name contains '\(filter ?? "")'") }
      let measured = GateBaseline(architecture: Self.architecture, compiler: Self.compiler, rows: try rows(loops, old))
      if update {
        let new = old?.updated(with: measured, isWanted: isWanted) ?? measured
        try new.text().write(toFile: baseline, atomically: true, encoding: .utf8)
        print("\(measured.rows.count) rows written into \(baseline)")
      } else if let old {
        let comparison = GateComparison(measured.rows, baseline: old.rows.filter { isWanted($0.row) })
        print(comparison.text)
        guard comparison.failed.isEmpty else { throw ExitCode.failure }
      }
    #endif
  }

  /// Checks each loop and returns the counts.
  private func rows(_ loops: [Loop], _ old: GateBaseline?) throws -> [GateRow] {
    for loop in loops { try loop.check() }
    let allocations = try loops.map { try $0.allocations() }
    if allocations.contains(nil) {
      guard !update else { throw ValidationError("allocations cannot be counted here, so there is no new baseline") }
      say("note: allocations cannot be counted here, and are not compared")
    }
    let instructions = try instructions(loops, old)
    return zip(loops, allocations).map { loop, allocations in
      GateRow(row: loop.name, allocations: allocations, instructions: instructions?[loop.name]?.own)
    }
  }

  /// Returns the instructions of the loops.
  ///
  /// Reports why and returns nil if they cannot be compared.
  private func instructions(_ loops: [Loop], _ old: GateBaseline?) throws -> [String: InstructionCount]? {
    if !update, let old {
      guard old.architecture == Self.architecture else {
        say("note: instructions are not compared: the baseline's are of \(old.architecture), and this is \(Self.architecture)")
        return nil
      }
      if old.compiler != Self.compiler {
        say("note: the baseline's instructions are of another compiler, which may be why a row changed: \(old.compiler)")
      }
    }
    do {
      return try InstructionCounter.ofThisExecutable().count(loops)
    } catch InstructionCounterError.valgrindIsMissing where !update {
      say("note: instructions are not compared: valgrind is not on the PATH")
      return nil
    }
  }

  private func readBaseline() throws -> GateBaseline {
    do { return try GateBaseline(jsonPath: baseline) } catch let error as DecodingError {
      throw ValidationError("\(baseline) is not a baseline as --update writes it: \(error)")
    }
  }

  private func isWanted(_ name: String) -> Bool { filter.map(name.contains) ?? true }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other"
    #endif
  }

  /// The version of the C compiler.
  ///
  /// It is part of the Swift toolchain and, unlike the Swift compiler, reports its commit at run time.
  private static var compiler: String { String(cString: callgrind_requests_compiler()) }
}
