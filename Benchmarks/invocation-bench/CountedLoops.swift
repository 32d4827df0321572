import BenchmarkSupport
import CallgrindRequests

/// Runs loops for an ``InstructionCounter``, which started this program under valgrind.
struct CountedLoops {
  let loops: [Loop]

  /// Performs the runs that `InstructionCounter.count` requires.
  func run() throws {
    // Warm up before counting starts: objects that are created once, and tables that grow, are not counted. This is
    // also faster.
    for loop in loops { _ = try loop.run(count: 100) }
    callgrind_start_counting()
    for loop in loops {
      for operations in [InstructionCounter.operations.few, InstructionCounter.operations.many] {
        try InstructionCounter.dumpName(loop.variantName, operations: operations).withCString { name in
          callgrind_forget_counts()
          _ = try loop.run(count: operations)
          callgrind_write_counts(name)
        }
      }
    }
  }
}
