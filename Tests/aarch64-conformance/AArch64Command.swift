#if Tools
  import ArgumentParser
  import Foundation
  import TestSupport

  /// Plans and fills the frames of random calls for AArch64 on this machine, and carries them out under emulation.
  @main
  struct AArch64Command: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "aarch64-conformance",
      abstract: "Call random signatures by the kernels for AArch64, under qemu, and check every byte.",
      discussion: """
        The frames are planned and filled here, by the code that does it on AArch64. The kernels and the callees are cross-compiled; a small \
        C program runs them under emulation and gives the frames back. Each signature depends on the seed and its number alone, so a failure \
        can be had again by itself with --only. The exit status is 1 when an argument or a result was wrong.

        EXAMPLES:
          aarch64-conformance --count 10000 --seed 7
          aarch64-conformance --seed 7 --only 4711 --compilers clang --optimizations O2
        """)

    @Option(name: .shortAndLong, help: "How many signatures.")
    var count: Int = 2000

    @Option(help: "The seed of signatures and values; a random one unless given.")
    var seed: UInt64?

    @Option(parsing: .upToNextOption, help: "The compilers, gcc and clang, or apple alone: clang for Apple's variant.")
    var compilers: [CrossCompiler] = CrossCompiler.linux

    @Option(parsing: .upToNextOption, help: "The optimizations, without the dash.")
    var optimizations: [String] = ["O0", "O2"]

    @Option(help: "The number of the one signature to call.")
    var only: Int?

    @Flag(help: "Take structs and states of registers of the enumeration of abi-proof instead of random types.")
    var enumerated = false

    @Option(help: "The signatures of one source file.")
    var batch: Int = 150

    func validate() throws {
      guard count > 0, batch > 0 else { throw ValidationError("--count and --batch must be at least 1") }
      guard only ?? 0 >= 0 else { throw ValidationError("--only must be at least 0") }
      guard !compilers.isEmpty, !optimizations.isEmpty else { throw ValidationError("there must be a compiler and an optimization") }
      guard !compilers.contains(.apple) || compilers == [.apple] else { throw ValidationError("apple has placements of its own") }
      for command in CrossCompiler.commands where !CCompiler(command: command).available {
        throw ValidationError("the command '\(command)' is not installed; Scripts/install-dependencies.sh aarch64 installs it")
      }
    }

    private var isApple: Bool { compilers == [.apple] }

    func run() throws {
      let source = RandomCalls(seed: seed ?? .random(in: 0..<1 << 32), isApple: isApple, enumerated: enumerated ? .over(isApple) : nil)
      let compilations = compilers.flatMap { compiler in optimizations.map { CrossCompilation(compiler: compiler, optimization: $0) } }
      let run = EmulationRun(
        source: source, numbers: only.map { $0..<$0 + 1 } ?? 0..<count, compilations: compilations, batchSize: batch,
        emulator: try Emulator())
      try run.perform()
      if let finding = run.finding {
        print(run.report(on: finding))
        throw ExitCode.failure
      }
      print(run.summary)
    }
  }

  extension CrossCompiler: ExpressibleByArgument {}
#endif
