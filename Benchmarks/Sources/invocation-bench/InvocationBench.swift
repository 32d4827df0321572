import ArgumentParser
import Foundation

/// The command-line program of the benchmark.
@main
struct InvocationBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invocation-bench",
    abstract: "Time dynamic calls, or hold what they allocate and execute against a baseline.",
    discussion: """
      Without a subcommand it measures; invocation-bench help measure lists the options. A row is named suite/phase/engine:
      Benchmarks/legend.json describes each.

      Suites: W0 (v@:), W2 (q@:qq), W4 (eight mixed arguments), WR (rectangle in and out), WE (an event of four arguments),
      dispatcher (a message of the types of W2 to 1, 2 and 8 objects, which are its phases; direct is one call),
      swift (a Swift function found by its name, beside the compiled call: direct; its phases are integers, struct, string, throwing,
      row and event), objc (messages of gcc's Objective-C with GNUstep, if both are installed; direct is a compiled message).
      """, subcommands: [Measure.self, Growth.self, Gate.self], defaultSubcommand: Measure.self)
}

/// Writes a line to standard error.
func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
