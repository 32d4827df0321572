import ArgumentParser
import TestSupport

/// Compares the placement of every enumerated struct in every state of the argument registers with clang, and with gcc.
struct PlacementsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placements",
    abstract: "Compare the placement of enumerated structs with clang and gcc, in the states of the argument registers.",
    discussion: """
      All structs of one to four fields over the scalar classes, and a grid of nested, union, array, bit-field, packed, aligned and atomic structs, are \
      arguments and results of functions whose arguments before occupy each number of general and vector registers. clang lowers the \
      functions; of this no code is made or run. gcc compiles those of the states in which something changes, and they are run: on x86-64, and for \
      AAPCS64 with aarch64-linux-gnu-gcc and qemu if they are installed. The exit status is 1 when a placement differs, or when a struct is \
      refused that both compilers pass alike.

      EXAMPLES:
        conformance placements --abi aapcs64
        conformance placements --abi sysv --slice 3/100
      """)

  @Option(help: "The conventions: sysv, aapcs64 or apple.")
  var abi: [ProvenABI] = ProvenABI.allCases

  @Option(help: "The part of the structs, such as 3/100.")
  var slice: String = "1/1"

  @Flag(help: "Compare only the structs of one or two scalars, and every 200th of the rest.")
  var brief = false

  @OptionGroup var sharing: SharingOptions

  private var part: (number: Int, count: Int)? {
    let numbers = slice.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else { return nil }
    return (numbers[0], numbers[1])
  }

  func validate() throws {
    guard part != nil else { throw ValidationError("--slice must be a part and a number of parts, such as 3/100") }
    guard CCompiler.clang.available else { throw ValidationError("the command 'clang' is not installed; a Swift toolchain has it") }
  }

  func run() throws {
    guard let part else { return }
    var failed = false
    for abi in abi {
      let proof = try Proof(abi, part: part.number, of: part.count, isBrief: brief, batchSize: sharing.batch ?? 60)
      try proof.run(jobs: sharing.jobs ?? processorCount)
      print(proof.summary)
      if proof.hasNeedless { failed = true }
      guard let difference = proof.firstDifference else { continue }
      failed = true
      var shrinker = DifferenceShrinker(difference, of: abi)
      print("\nDIFFERENCE\n\(shrinker.report)")
      shrinker.run()
      print("\nShrunk to\n\(shrinker.report)\n")
    }
    if failed { throw ExitCode.failure }
  }
}

extension ProvenABI: ExpressibleByArgument {}
