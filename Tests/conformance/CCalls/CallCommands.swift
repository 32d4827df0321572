import ArgumentParser
import DynamicInvocation
import TestSupport

/// What the two commands that call C functions have in common.
struct CallOptions: ParsableArguments {
  @OptionGroup var count: CountOption
  @OptionGroup var seed: SeedOption
  @OptionGroup var sharing: SharingOptions

  @Option(parsing: .upToNextOption, help: "The commands of the compilers.")
  var compilers: [String] = ["gcc", "clang"]

  @Option(parsing: .upToNextOption, help: "The optimizations, without the dash.")
  var optimizations: [String] = ["O0", "O2"]

  @Option(help: "The number of the one signature to call.")
  var only: Int?

  @Option(help: "The most arguments of a signature.")
  var arguments: Int = 40

  @Flag(help: "Take structs and states of registers of the enumeration of placements instead of random types.")
  var enumerated = false

  func validate() throws {
    guard (0...40).contains(arguments) else { throw ValidationError("--arguments must be from 0 to 40") }
    guard only ?? 0 >= 0 else { throw ValidationError("--only must be at least 0") }
    guard !compilers.isEmpty, !optimizations.isEmpty else { throw ValidationError("there must be a compiler and an optimization") }
  }

  /// Calls the signatures, and prints the summary or the shrunk failure.
  func run(_ machine: some CallMachine, _ platform: SignatureSource.Platform, jobs: Int) throws {
    let source = SignatureSource(seed: seed.drawn(), platform: platform, mostArguments: arguments, isEnumerated: enumerated)
    let compilations = compilers.flatMap { compiler in
      optimizations.map { Compilation(compiler: CCompiler(command: compiler), flags: ["-" + $0]) }
    }
    let numbers = only.map { $0..<$0 + 1 } ?? 0..<(count.count ?? 2000)
    let campaign = CallCampaign(
      machine, source: source, numbers: numbers, compilations: compilations, batchSize: sharing.batch ?? 150)
    let jobs = sharing.jobs ?? jobs
    CrashNotice.install(seed: source.seed, workers: jobs)
    try campaign.perform(jobs: jobs)
    if let report = campaign.failureReport {
      print(report)
      throw ExitCode.failure
    }
    print(campaign.summary)
  }
}

/// Calls callees of random signatures that gcc and clang made, and shrinks what fails.
struct CallsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calls",
    abstract: "Call random signatures in callees that C compilers made, and check every byte.",
    discussion: """
      Where closures can be made, the compilers' code calls one of each signature too.
      Each signature depends on the seed and its number alone, and on --arguments, so a failure can be had again by itself with --only.
      The exit status is 1 when an argument or a result was wrong; the failing signature is shrunk and shown with the source of its callee.

      EXAMPLES:
        conformance calls --count 10000 --seed 7
        conformance calls --seed 7 --only 4711 --compilers clang --optimizations O2
      """)

  @OptionGroup var options: CallOptions

  func validate() throws {
    for compiler in options.compilers where !CCompiler(command: compiler).available {
      throw ValidationError("the compiler '\(compiler)' is not installed")
    }
  }

  func run() throws { try options.run(HostCalls(), .host, jobs: processorCount + 1) }
}

/// Plans and fills the frames of random calls for AArch64 on this machine, and carries them out under emulation.
struct AArch64Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "aarch64",
    abstract: "Call random signatures by the kernels for AArch64, under qemu, and check every byte.",
    discussion: """
      The frames are planned and filled here, by the code that does it on AArch64. The kernels and the callees are cross-compiled; a small \
      C program runs them under emulation and gives the frames back. The compilers are gcc and clang, apple alone: clang for Apple's \
      variant, or musl alone: clang with that C library. Otherwise it is as the command calls.

      EXAMPLES:
        conformance aarch64 --count 10000 --seed 7
        conformance aarch64 --seed 7 --only 4711 --compilers clang --optimizations O2
      """)

  @OptionGroup var options: CallOptions

  private var isApple: Bool { options.compilers == [CrossCompiler.apple.rawValue] }
  private var isMusl: Bool { options.compilers == [CrossCompiler.musl.rawValue] }

  func validate() throws {
    for compiler in options.compilers where CrossCompiler(rawValue: compiler) == nil {
      throw ValidationError("there is no compiler '\(compiler)', but \(CrossCompiler.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard isApple || !options.compilers.contains(CrossCompiler.apple.rawValue) else {
      throw ValidationError("apple has placements of its own")
    }
    guard isMusl || !options.compilers.contains(CrossCompiler.musl.rawValue) else {
      throw ValidationError("musl is the library of the whole program")
    }
    let commands = Set(options.compilers.compactMap { CrossCompiler(rawValue: $0) }.flatMap(\.commands))
    for command in commands.sorted() where !CCompiler(command: command).available {
      throw ValidationError("the command '\(command)' is not installed; Scripts/install-dependencies.sh aarch64 installs it")
    }
  }

  func run() throws {
    let machine = EmulatedCalls(emulator: try Emulator(host: isMusl ? .musl : .gcc), convention: isApple ? AppleAAPCS64() : AAPCS64())
    try options.run(machine, isApple ? .apple : .aarch64, jobs: processorCount)
  }
}
