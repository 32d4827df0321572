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
        Libraries are compiled with -Onone and -O, with and without library evolution, and each is called in a process of its own. The \
        functions are found by their names. A function makes a digest of self and of all arguments, may throw, changes what it may \
        change, and returns an argument or a new value. The exit status is 1 if a digest, a result or an error differs from that of the \
        compiled call, if the numbers of objects before and after differ, or if a library crashes. The first function of a library that \
        differs is shrunk. If the compiler crashes, the library is halved until the functions that it crashes on are found; they are \
        named and left out; so are those whose compiled call crashes.

        EXAMPLES:
          swift-conformance --count 100000 --seed 7
          swift-conformance --count 50000 --compilation onone --batch 1000
          swift-conformance --library 12 --seed 7 --compilation o --only 59 --verbose
        """)

    @Option(name: .shortAndLong, help: "How many functions are called, in all compilations together.")
    var count: Int = 4000

    @Option(help: "The seed; a random one unless given.")
    var seed: UInt64?

    @Option(help: "The functions of one library.")
    var batch: Int = 250

    @Option(help: "The number of libraries that are compiled at a time.")
    var jobs: Int = 2

    @Option(help: "How libraries are compiled, in turns: \(Self.names.joined(separator: ", ")); all unless given.")
    var compilation: [String] = []

    private static let names = CompiledLibrary.Compilation.all.map(\.key)
    private var compilations: [String] { compilation.isEmpty ? Self.names : compilation }

    @Option(help: "Only the library of this number, in this process.")
    var library: Int?

    @Option(help: "Only the function of this number, with --library.")
    var only: Int?

    @Flag(help: "Name each function before it is called, with --library.")
    var verbose = false

    @Option(parsing: .upToNextOption, help: "Functions to leave out, with --library.")
    var without: [Int] = []

    func validate() throws {
      guard count > 0, batch > 0, jobs > 0 else { throw ValidationError("--count, --batch and --jobs must be at least 1") }
      if let unknown = compilation.first(where: { !Self.names.contains($0) }) {
        throw ValidationError("there is no compilation '\(unknown)', but \(Self.names.joined(separator: ", "))")
      }
      guard library ?? 0 >= 0 else { throw ValidationError("--library must be at least 0") }
    }

    func run() throws {
      let seed = seed ?? .random(in: 0..<1 << 32)
      if let library {
        let name = compilations[library % compilations.count]
        guard let compilation = CompiledLibrary.Compilation.all.first(where: { $0.key == name })?.value else { return }
        var run = LibraryRun(seed: seed, number: library, compilation: compilation, count: batch)
        run.isVerbose = verbose
        run.only = only
        run.without = Set(without)
        try run.perform()
        run.report()
        if !run.failures.isEmpty { throw ExitCode.failure }
        return
      }
      let run = ConformanceRun(seed: seed, count: count, batch: batch, compilations: compilations)
      run.perform(jobs: jobs)
      if !run.summarize() { throw ExitCode.failure }
    }
  }
#else
  import Foundation

  /// What the program is without the trait Tools: its command line needs swift-argument-parser.
  @main
  enum WithoutTools {
    static func main() {
      FileHandle.standardError.write(
        Data("swift-conformance: built without its command line; build with: swift build --traits default,Tools\n".utf8))
      exit(64)
    }
  }
#endif
