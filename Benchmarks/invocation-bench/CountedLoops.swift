import BenchmarkSupport
import CallgrindRequests

/// Runs loops for an ``InstructionCounter``, which has started this program under valgrind.
struct CountedLoops {
  let loops: [Loop]

  /// Makes the runs that `InstructionCounter.count` asks for.
  func run() throws {
    // Not counted, and quicker while nothing is: what is made once, and the tables that grow.
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
