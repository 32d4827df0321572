import ArgumentParser
import DynamicInvocation
import Foundation
import TestSupport

/// Compares the placement of every enumerated struct in every state of the argument registers with clang, and with gcc.
struct PlacementsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placements",
    abstract: "Compare the placement of enumerated structs with clang and gcc, in the states of the argument registers.",
    discussion: """
      All structs of one to four fields over the scalar classes, and a grid of nested, union, array, bit-field, packed, aligned and atomic structs, are \
      arguments and results of functions whose arguments before occupy each number of general and vector registers. clang lowers the \
      functions to LLVM's representation; no code is made. gcc compiles the functions of the states in which something changes, and they are run: on x86-64, and for \
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
      print("\nDIFFERENCE\n\(difference)\n")
    }
    if failed { throw ExitCode.failure }
  }
}

extension ProvenABI: ExpressibleByArgument {}

/// Compares every function of a part of the enumeration, on several threads.
final class Proof: Sendable {
  /// A function that the engine places differently than clang.
  struct Difference: Sendable, CustomStringConvertible {
    var type: TypeEncoding
    var function: ProvenFunction
    var text: String

    var description: String {
      """
      role     \(function.role.rawValue)
      before   \(function.state.general) integers and \(function.state.vector) doubles
      type     \(CallSignature(type, []))
      in C     \(type.cTypedef("T").split(separator: "\n").joined(separator: " "))
      engine   \(text)
      """
    }
  }

  private struct Counts: Tally {
    var structs = 0
    var signatures = 0
    /// The functions that gcc compiled.
    var probed = 0
    var refused: [String: (count: Int, first: String)] = [:]
    /// The structs that are refused although gcc and clang pass them alike.
    var needless: [String] = []
    var differences = 0

    static func += (left: inout Counts, right: Counts) {
      left.structs += right.structs
      left.signatures += right.signatures
      left.probed += right.probed
      left.refused.merge(right.refused) { ($0.count + $1.count, $0.first) }
      left.needless += right.needless
      left.differences += right.differences
    }
  }

  let abi: ProvenABI
  private let records: EnumeratedRecords
  private let numbers: [Int]
  private let probe: ProbeCompiler?
  private let campaign: Campaign<Counts, Difference>

  /// Creates a proof of every `parts`th struct, starting with `part`, counted from 1.
  ///
  /// - Parameter isBrief: Whether to take, of these, only the structs of one or two scalars and every 200th of the rest.
  init(_ abi: ProvenABI, part: Int, of parts: Int, isBrief: Bool, batchSize: Int) throws {
    self.abi = abi
    probe = try ProbeCompiler(abi)
    let records = abi.records
    let all = stride(from: part - 1, to: records.count, by: parts)
    numbers = isBrief ? all.filter { $0 < records.briefCount || $0 % 200 == 0 } : Array(all)
    self.records = records
    campaign = Campaign(numbers.indices, batchSize: batchSize, unit: "structs", endsWithFinding: false)
  }

  /// Runs to the end.
  ///
  /// - Throws: A failure of clang, or output of it that is not understood.
  func run(jobs: Int) throws { try campaign.perform(jobs: jobs) { range, _ in try self.compare(range) } }

  private func compare(_ range: Range<Int>) throws -> Counts {
    let types = try range.map { try records.type(numbers[$0]) }
    let comparison = Comparison(abi)
    var found = Counts(structs: range.count)
    func note(_ index: Int, _ function: ProvenFunction, _ text: String) {
      found.differences += 1
      let number = numbers[range.lowerBound + index]
      campaign.found(Difference(type: types[index], function: function, text: text), at: number)
    }
    var refused: [Int: [ProvenFunction: LoweredFunction]] = [:]
    try LoweringCompiler(abi: abi).lower(types, roles: ProvenFunction.Role.allCases, states: abi.states) { index, function, lowered in
      found.signatures += 1
      switch comparison.outcome(function, of: types[index], lowered) {
      case .equal: break
      case .refused(let reason):
        found.refused[reason, default: (0, "\(CallSignature(types[index], []))")].count += 1
        refused[index, default: [:]][function] = lowered
      case .different(let text): note(index, function, text)
      }
    }
    var (disputed, undisputed): (Set<Int>, Set<Int>) = ([], [])
    // gcc takes long: it compiles the code of all shapes, but only of each fourth struct of three or four scalars.
    let probed = types.indices.filter { index in
      let number = numbers[range.lowerBound + index]
      return number < records.briefCount || number >= records.flatCount || number % 4 == 0
    }
    try probe?.probe(probed.map { types[$0] }) { position, function, measured in
      let index = probed[position]
      found.probed += 1
      let line = refused[index]?[function]
      switch comparison.outcome(function, of: types[index], measured, line) {
      case .equal where line != nil: undisputed.insert(index)
      case .equal, .refused: break
      case .different where line != nil: disputed.insert(index)
      case .different(let text): note(index, function, text)
      }
    }
    for index in undisputed.subtracting(disputed) where !types[index].hasPackedBitField {
      found.needless.append("\(CallSignature(types[index], []))")
    }
    return found
  }

  /// Whether a struct is refused without need.
  var hasNeedless: Bool { !campaign.counts.needless.isEmpty }

  /// The difference of the struct with the lowest number: the enumeration begins with the simplest.
  var firstDifference: Difference? { campaign.finding }

  /// The rows of a table about the run.
  var summary: String {
    let counts = campaign.counts
    let refused = counts.refused.values.reduce(0) { $0 + $1.count }
    var lines = [
      "abi      structs  signatures  by gcc  differences  refused  seconds",
      String(
        format: "%-7@ %8d %11d %7d %12d %8d %8d", abi.rawValue as NSString, counts.structs, counts.signatures, counts.probed,
        counts.differences, refused, campaign.seconds),
    ]
    if abi != .apple, probe == nil { lines.append("gcc      is not compared: there is none for the convention, or no emulator") }
    if let first = counts.needless.first {
      lines.append("needless \(counts.needless.count) structs are refused that both compilers pass alike, for example \(first)")
    }
    for (reason, (count, first)) in counts.refused.sorted(by: { $0.value.count > $1.value.count }) {
      lines.append("refused  \(count): \(reason), for example \(first)")
    }
    return lines.joined(separator: "\n")
  }
}
