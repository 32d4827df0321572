#if Tools
  import ArgumentParser
  import Foundation

  /// Calls random Swift functions by the engine and as the compiler does, and compares.
  @main
  struct SwiftConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "swift-conformance",
      abstract: "Call random Swift functions that swiftc compiled, and compare with the compiled calls.",
      discussion: """
        Each library is compiled with -Onone and -O, with and without library evolution. A function makes a digest of self and of all \
        arguments, may throw, changes what it may change, and returns an argument or a new value. The exit status is 1 if a digest, a \
        result or an error differs from that of the compiled call, or if an object is left over.

        EXAMPLES:
          swift-conformance --count 10000 --seed 7
        """)

    @Option(name: .shortAndLong, help: "How many functions are called, in all compilations together.")
    var count: Int = 4000

    @Option(help: "The seed; a random one unless given.")
    var seed: UInt64?

    @Option(help: "The functions of one library.")
    var batch: Int = 250

    @Flag(help: "Name each function before it is called.")
    var verbose = false

    func validate() throws {
      guard count > 0, batch > 0 else { throw ValidationError("--count and --batch must be at least 1") }
    }

    func run() throws {
      var run = ConformanceRun(seed: seed ?? .random(in: 0..<1 << 32), functions: batch)
      run.isVerbose = verbose
      let compilations = ConformanceRun.Compilation.all
      let libraries = max(1, (count + batch * compilations.count - 1) / (batch * compilations.count))
      for number in 0..<libraries {
        for compilation in compilations { try run.perform(number, compilation) }
      }
      for failure in run.failures.prefix(20) { print(failure) }
      for (reason, count) in run.refused.sorted(by: { $0.value > $1.value }).prefix(10) { print("refused \(count): \(reason)") }
      print(
        "\(libraries * batch * compilations.count) functions, \(run.calls) calls, \(run.failures.count) failures, "
          + "\(run.refused.values.reduce(0, +)) functions refused, seed \(run.seed)")
      if !run.failures.isEmpty { throw ExitCode.failure }
    }
  }
#else
  import Foundation

  /// What the program is without the trait Tools: its command line needs swift-argument-parser.
  @main
  enum WithoutTools {
    static func main() {
      FileHandle.standardError.write(
        Data("swift-conformance: built without its command line; build with: swift build --traits Tools\n".utf8))
      exit(64)
    }
  }
#endif
