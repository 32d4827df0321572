#if Tools
  import ArgumentParser
  import Foundation
  import TestSupport

  /// Calls callees of random signatures that gcc and clang made, and shrinks what fails.
  @main
  struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "abi-conformance",
      abstract: "Call random signatures in callees that C compilers made, and check every byte.",
      discussion: """
        Where closures can be made, the compilers' code calls one of each signature too.
        Each signature depends on the seed and its number alone, and on --arguments, so a failure can be had again by itself with --only.
        The exit status is 1 when an argument or a result was wrong; the failing signature is shrunk and shown with the source of its callee.

        EXAMPLES:
          abi-conformance --count 10000 --seed 7
          abi-conformance --seed 7 --only 4711 --compilers clang --optimizations O2
        """)

    @Option(name: .shortAndLong, help: "How many signatures.")
    var count: Int = 2000

    @Option(help: "The seed of signatures and values; a random one unless given.")
    var seed: UInt64?

    @Option(parsing: .upToNextOption, help: "The commands of the compilers.")
    var compilers: [String] = ["gcc", "clang"]

    @Option(parsing: .upToNextOption, help: "The optimizations, without the dash.")
    var optimizations: [String] = ["O0", "O2"]

    @Option(help: "The number of the one signature to call.")
    var only: Int?

    @Option(help: "The most arguments of a signature.")
    var arguments: Int = 40

    @Flag(help: "Take structs and states of registers of the enumeration of abi-proof instead of random types.")
    var enumerated = false

    @Option(help: "The signatures of one source file.")
    var batch: Int = 150

    @Option(help: "How many files are compiled and called at the same time.")
    var jobs: Int = ProcessInfo.processInfo.activeProcessorCount + 1

    func validate() throws {
      guard count > 0, batch > 0, jobs > 0 else { throw ValidationError("--count, --batch and --jobs must be at least 1") }
      guard (0...40).contains(arguments) else { throw ValidationError("--arguments must be from 0 to 40") }
      guard only ?? 0 >= 0 else { throw ValidationError("--only must be at least 0") }
      guard !compilers.isEmpty, !optimizations.isEmpty else { throw ValidationError("there must be a compiler and an optimization") }
      for compiler in compilers where !CCompiler(command: compiler).available {
        throw ValidationError("the compiler '\(compiler)' is not installed")
      }
    }

    func run() throws {
      let source = SignatureSource(
        seed: seed ?? .random(in: 0..<1 << 32), mostArguments: arguments, enumerated: enumerated ? EnumeratedSignatures() : nil)
      let compilations = compilers.flatMap { compiler in
        optimizations.map { Compilation(compiler: CCompiler(command: compiler), flags: ["-" + $0]) }
      }
      let numbers = only.map { $0..<$0 + 1 } ?? 0..<count
      let run = ConformanceRun(source: source, numbers: numbers, compilations: compilations, batchSize: batch)
      CrashNotice.install(seed: source.seed, workers: jobs)
      try run.perform(jobs: jobs)
      if let finding = run.finding {
        print(FailureReport(finding, source: source).text)
        throw ExitCode.failure
      }
      print(run.summary)
    }
  }
#endif
