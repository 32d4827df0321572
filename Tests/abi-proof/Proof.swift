import DynamicInvocation
import Foundation
import Synchronization
import TestSupport

/// Compares every function of a part of the enumeration, on several threads.
final class Proof: Sendable {
  /// A function that the engine places differently than clang.
  struct Difference: Sendable {
    var record: Int
    var type: TypeEncoding
    var function: ProvenFunction
    var text: String
  }

  private struct State {
    var started = 0
    var structs = 0
    var signatures = 0
    /// The functions that gcc compiled.
    var probed = 0
    var refused: [String: (count: Int, first: String)] = [:]
    /// The structs that are refused although gcc and clang pass them alike.
    var needless: [String] = []
    var differences = 0
    var first: Difference?
    var error: (any Error)?
  }

  let abi: ProvenABI
  private let records: EnumeratedRecords
  private let numbers: [Int]
  private let chunk: Int
  private let start: ContinuousClock.Instant = .now
  private let probe: ProbeCompiler?
  private let state: Mutex<State> = Mutex(State())

  /// Creates a proof of every `parts`th struct, starting with `part`, counted from 1.
  ///
  /// - Parameter isBrief: Whether to take, of these, only the structs of one or two scalars and every 200th of the rest.
  init(_ abi: ProvenABI, part: Int, of parts: Int, isBrief: Bool, chunk: Int) throws {
    self.abi = abi
    probe = try ProbeCompiler(abi)
    let records = abi.records
    let all = stride(from: part - 1, to: records.count, by: parts)
    numbers = isBrief ? all.filter { $0 < records.briefCount || $0 % 200 == 0 } : Array(all)
    self.records = records
    self.chunk = chunk
  }

  /// Runs to the end.
  ///
  /// - Throws: A failure of clang, or output of it that is not understood.
  func run(jobs: Int) throws {
    let group = DispatchGroup()
    for _ in 0..<jobs {
      group.enter()
      let thread = Thread {
        self.work()
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    if let error = state.withLock({ $0.error }) { throw error }
  }

  private func work() {
    while let range = nextChunk() {
      do {
        try compare(range)
      } catch {
        state.withLock { $0.error = $0.error ?? error }
      }
      let (done, signatures) = state.withLock { ($0.structs, $0.signatures) }
      ProofProgress.show(structs: done, of: numbers.count, signatures: signatures, since: start)
    }
  }

  private func nextChunk() -> Range<Int>? {
    state.withLock { state in
      let first = state.started
      guard state.error == nil, first < numbers.count else { return nil }
      state.started = min(first + chunk, numbers.count)
      return first..<state.started
    }
  }

  private func compare(_ range: Range<Int>) throws {
    let types = try range.map { try records.type(numbers[$0]) }
    let comparison = Comparison(abi)
    var found = State()
    var refused: [Int: [ProvenFunction: LoweredFunction]] = [:]
    try LoweringCompiler(abi: abi).lower(types, roles: ProvenFunction.Role.allCases, states: abi.states) { index, function, lowered in
      found.signatures += 1
      switch comparison.outcome(function, of: types[index], lowered) {
      case .equal: break
      case .refused(let reason):
        found.refused[reason, default: (0, "\(CallSignature(types[index], []))")].count += 1
        refused[index, default: [:]][function] = lowered
      case .different(let text):
        found.differences += 1
        let number = numbers[range.lowerBound + index]
        if found.first == nil { found.first = Difference(record: number, type: types[index], function: function, text: text) }
      }
    }
    var (disputed, undisputed): (Set<Int>, Set<Int>) = ([], [])
    // gcc compiles the code of all shapes, and of each fourth struct of three or four scalars, for its time.
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
      case .different(let text):
        found.differences += 1
        let number = numbers[range.lowerBound + index]
        if found.first == nil { found.first = Difference(record: number, type: types[index], function: function, text: text) }
      }
    }
    for index in undisputed.subtracting(disputed) where !types[index].hasPackedBitField {
      found.needless.append("\(CallSignature(types[index], []))")
    }
    state.withLock { state in
      state.probed += found.probed
      state.needless += found.needless
      state.structs += range.count
      state.signatures += found.signatures
      state.differences += found.differences
      state.refused.merge(found.refused) { ($0.count + $1.count, $0.first) }
      if let first = found.first, first.record < state.first?.record ?? .max { state.first = first }
    }
  }

  /// Whether a struct is refused without need.
  var hasNeedless: Bool { state.withLock { !$0.needless.isEmpty } }

  /// The difference of the struct with the lowest number.
  var firstDifference: Difference? { state.withLock { $0.first } }

  /// The rows of a table about the run.
  var summary: String {
    let state = state.withLock { ($0.structs, $0.signatures, $0.refused, $0.differences, $0.probed, $0.needless) }
    let refused = state.2.values.reduce(0) { $0 + $1.count }
    let seconds = Int(start.duration(to: .now) / .seconds(1))
    var lines = [
      "abi      structs  signatures  by gcc  differences  refused  seconds",
      String(format: "%-7@ %8d %11d %7d %12d %8d %8d", abi.rawValue as NSString, state.0, state.1, state.4, state.3, refused, seconds),
    ]
    if abi != .apple, probe == nil { lines.append("gcc      is not compared: there is none for the convention, or no emulator") }
    if let first = state.5.first {
      lines.append("needless \(state.5.count) structs are refused that both compilers pass alike, for example \(first)")
    }
    for (reason, (count, first)) in state.2.sorted(by: { $0.value.count > $1.value.count }) {
      lines.append("refused  \(count): \(reason), for example \(first)")
    }
    return lines.joined(separator: "\n")
  }
}

/// The line on standard error that tells how far the run is: one that is replaced if a person may be looking, otherwise
/// a new one every half minute.
enum ProofProgress {
  private static let isTerminal: Bool = isatty(STDERR_FILENO) == 1
  private static let shown: Mutex<Int> = Mutex(0)

  static func show(structs: Int, of total: Int, signatures: Int, since start: ContinuousClock.Instant) {
    let seconds = start.duration(to: .now) / .seconds(1)
    let left = Int(seconds / Double(max(1, structs)) * Double(total - structs))
    let text = "\(structs)/\(total) structs, \(signatures) signatures, \(left) s left"
    if isTerminal {
      FileHandle.standardError.write(Data("\r\u{1B}[K\(structs == total ? "" : text)".utf8))
    } else if shown.withLock({ last in
      defer { last = max(last, Int(seconds) / 30) }
      return Int(seconds) / 30 > last
    }) {
      FileHandle.standardError.write(Data((text + "\n").utf8))
    }
  }
}
