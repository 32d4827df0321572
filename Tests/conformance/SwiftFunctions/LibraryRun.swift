import DynamicInvocation
import Foundation
import TestSupport

/// Compiles one random library and calls each of its functions twice: by the engine and as the compiler does.
struct LibraryRun {
  let seed: UInt64
  let number: Int
  let compilation: CompiledLibrary.Compilation
  let count: Int
  /// The number of calls of each function, each with other arguments.
  var rounds: UInt64 = 4
  /// The number of the only function to call, or nil for all.
  var only: Int?
  /// The numbers of functions that are left out because their compiled call crashes.
  var without: Set<Int> = []
  /// Names each function before it is called, so that a crash names it.
  var isVerbose = false

  /// The numbers of functions and calls.
  private(set) var tally = FunctionTally()
  private(set) var refused: [String: Int] = [:]
  private(set) var failures: [String] = []
  /// The functions that the compiler crashed on, each with its declaration.
  private(set) var crashes: [String] = []
  /// The number of libraries that were compiled.
  private var libraries = 0

  init(seed: UInt64, number: Int, compilation: CompiledLibrary.Compilation, count: Int) {
    self.seed = seed
    self.number = number
    self.compilation = compilation
    self.count = count
  }

  private var module: String { "C\(number)" + compilation.flags.map { $0.filter(\.isLetter) }.joined() }

  /// Calls the functions, and shrinks the first one that differs.
  ///
  /// - Throws: The compiler's failure, if it is not a crash.
  mutating func perform() throws {
    let generated = GeneratedLibrary(
      seed: seed &+ UInt64(number) &* 0x9E37_79B9, types: 30, functions: count, isResilient: compilation.isResilient)
    let functions = generated.functions.filter { only == nil || $0.index == only }
    tally.functions = functions.count
    tally.crashed = without.count
    try call(functions.filter { !without.contains($0.index) }, of: generated)
  }

  /// Compiles and calls functions.
  ///
  /// If the compiler crashes, each half of them is a library of its own.
  private mutating func call(_ functions: [GeneratedFunction], of generated: GeneratedLibrary) throws {
    libraries += 1
    do {
      let library = try CompiledLibrary(generated.source(of: functions), module: "\(module)L\(libraries)", compilation)
      try call(library, generated)
    } catch let failure as Command.Failure where failure.isCompilerCrash {
      guard functions.count > 1 else {
        tally.crashed += functions.count
        crashes += functions.map { "\(number).\($0.index) \(compilation): \($0.declaration(generated.types))" }
        return
      }
      let middle = functions.count / 2
      try call(Array(functions[..<middle]), of: generated)
      try call(Array(functions[middle...]), of: generated)
    }
  }

  /// Calls all functions of a library.
  private mutating func call(_ library: CompiledLibrary, _ generated: GeneratedLibrary) throws {
    for row in library.rows {
      do {
        if compilation.isReplaceable || compilation.hasOwnCallers {
          try spy(on: row, of: library, generated.functions[row.index])
          continue
        }
        let function = try library.function(row)
        note("\(row.index) \(function)")
        tally.called += 1
        for round in 1...rounds {
          tally.calls += 1
          guard let difference = try library.difference(function, row, seed: round, note: note) else { continue }
          tally.differences += 1
          failures.append("library \(number) of seed \(seed), \(compilation), \(function)\n  \(difference)")
          if failures.count == 1 { failures[0] += "\n" + shrunk(generated, row.index, seed: round) }
          break
        }
      } catch let error as InvocationError {
        refused[error.reason, default: 0] += 1
      }
    }
  }

  /// Calls a function with a spy in its place.
  private mutating func spy(
    on row: GeneratedLibrary.Row, of library: CompiledLibrary, _ function: GeneratedFunction
  ) throws {
    for round in 1...rounds {
      let difference = try library.differenceOfSpy(
        row, isMutating: function.isMutating, isRepeated: !function.makesObject, seed: round, note: note)
      if round == 1 { tally.called += 1 }
      tally.calls += 1
      guard let difference else { continue }
      tally.differences += 1
      failures.append("library \(number) of seed \(seed), \(compilation), \(row.name)\n  \(difference)")
      break
    }
  }

  private func note(_ text: String) {
    guard isVerbose else { return }
    print(text)
    fflush(nil)
  }

  /// The simplest function that still differs, with its source.
  private func shrunk(_ generated: GeneratedLibrary, _ index: Int, seed: UInt64) -> String {
    var best = generated.functions[index]
    var difference = ""
    var attempts = 0
    func differs(_ function: GeneratedFunction) -> String? {
      attempts += 1
      guard let library = try? CompiledLibrary(generated.source(of: [function]), module: "\(module)S\(attempts)", compilation),
        let row = library.rows.first, let found = try? library.function(row)
      else { return nil }
      return (try? library.difference(found, row, seed: seed)) ?? nil
    }
    var isSimplest = false
    while !isSimplest, attempts < 40 {
      isSimplest = true
      for candidate in best.simpler {
        guard let found = differs(candidate) else { continue }
        (best, difference, isSimplest) = (candidate, found, false)
        break
      }
    }
    return "  shrunk in \(attempts) steps to \(best.declaration(generated.types))  \(difference)"
  }

  /// What the parent process reads: a line of numbers, then the reasons for refusals, crashes and differences.
  func report() {
    print(tally.line)
    for (reason, count) in refused.sorted(by: { $0.value > $1.value }) { print("refused \(count) \(reason)") }
    for crash in crashes { print("swiftc crashed on \(crash.split(separator: "\n").joined(separator: " "))") }
    for failure in failures.prefix(5) { print(failure) }
  }
}

/// The numbers of functions and calls of some libraries.
struct FunctionTally: Tally, CustomStringConvertible {
  /// The functions that were generated.
  var functions = 0
  /// The functions that the engine called.
  var called = 0
  /// The calls by the engine, each compared with a compiled call.
  var calls = 0
  /// The functions with a call that differed.
  var differences = 0
  /// The functions that the compiler crashed on, or compiled to code that crashes.
  var crashed = 0

  /// The functions that the engine refused.
  var refused: Int { functions - crashed - called }

  /// The numbers as a child process prints them.
  var line: String { "tally \(functions) \(called) \(calls) \(differences) \(crashed)" }

  init() {}

  /// Reads the numbers of a line, or nil for another line.
  init?(_ line: some StringProtocol) {
    let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
    guard line.hasPrefix("tally "), numbers.count == 5 else { return nil }
    (functions, called, calls, differences, crashed) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
  }

  static func += (left: inout FunctionTally, right: FunctionTally) {
    left.functions += right.functions
    left.called += right.called
    left.calls += right.calls
    left.differences += right.differences
    left.crashed += right.crashed
  }
  var description: String {
    "\(functions) functions, \(called) called, \(calls) calls, \(differences) functions differ, "
      + "\(refused) functions refused, swiftc failed on \(crashed)"
  }
}
