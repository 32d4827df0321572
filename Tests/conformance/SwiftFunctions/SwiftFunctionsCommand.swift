import ArgumentParser
import Foundation

/// Calls random Swift functions by the engine and as the compiler does, and compares.
struct SwiftFunctionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Call random Swift functions that swiftc compiled, and compare with the compiled calls.",
    discussion: """
      Libraries are compiled with -Onone and -O, with and without library evolution, and each is called in a process of its own. The \
      functions are found by their names. A function makes a digest of self and of all arguments, may throw, changes what it may \
      change, and returns an argument or a new value. The exit status is 1 if a digest, a result or an error differs from that of the \
      compiled call, if the numbers of objects before and after differ, or if a library crashes. The first function of a library that \
      differs is shrunk. If the compiler crashes, the library is halved until the functions that it crashes on are found; they are \
      named and left out; so are those whose compiled call crashes.

      EXAMPLES:
        conformance swift --count 100000 --seed 7
        conformance swift --count 50000 --compilation onone --batch 1000
        conformance swift --library 12 --seed 7 --compilation o --only 59 --verbose
      """)

  @OptionGroup var count: CountOption
  @OptionGroup var seed: SeedOption
  @OptionGroup var sharing: SharingOptions

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
    if let unknown = compilation.first(where: { !Self.names.contains($0) }) {
      throw ValidationError("there is no compilation '\(unknown)', but \(Self.names.joined(separator: ", "))")
    }
    guard library ?? 0 >= 0 else { throw ValidationError("--library must be at least 0") }
  }

  func run() throws {
    let seed = seed.drawn()
    let batch = sharing.batch ?? 250
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
    let campaign = LibraryCampaign(seed: seed, count: count.count ?? 4000, batch: batch, compilations: compilations)
    try campaign.perform(jobs: sharing.jobs ?? 2)
    if !campaign.summarize() { throw ExitCode.failure }
  }
}
