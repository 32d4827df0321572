import ArgumentParser
import Foundation

/// What the engine does beside what compilers do: one command for each reference that it is compared with.
@main
struct Conformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Compare the engine with compilers.",
    discussion: "The exit status is 1 when something differs. A number of a seed always is the same signature, function or struct.",
    subcommands: [
      CallsCommand.self, AArch64Command.self, PlacementsCommand.self, HeadersCommand.self, SwiftFunctionsCommand.self,
      ToolchainCommand.self,
      SoakCommand.self,
    ])
}

/// The seed of commands that invent something.
struct SeedOption: ParsableArguments {
  @Option(help: "The seed; a random one unless given.")
  var seed: UInt64?

  /// The given seed, or a random one.
  func drawn() -> UInt64 { seed ?? .random(in: 0..<1 << 32) }
}

/// How many are compared.
struct CountOption: ParsableArguments {
  @Option(name: .shortAndLong, help: "How many signatures, functions or headers.")
  var count: Int?

  func validate() throws {
    guard count ?? 1 > 0 else { throw ValidationError("--count must be at least 1") }
  }
}

/// How the work is divided.
struct SharingOptions: ParsableArguments {
  @Option(help: "How many of them are in one source file.")
  var batch: Int?

  @Option(help: "How many source files are compiled and called at the same time.")
  var jobs: Int?

  func validate() throws {
    guard batch ?? 1 > 0, jobs ?? 1 > 0 else { throw ValidationError("--batch and --jobs must be at least 1") }
  }
}

/// The processors, for whose number most commands do something at the same time.
let processorCount: Int = ProcessInfo.processInfo.activeProcessorCount
