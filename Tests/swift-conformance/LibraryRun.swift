import DynamicInvocation
import Foundation

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
  /// Names each function before it is called, so that a crash names it.
  var isVerbose = false

  private(set) var calls = 0
  private(set) var called = 0
  private(set) var refused: [String: Int] = [:]
  private(set) var failures: [String] = []

  init(seed: UInt64, number: Int, compilation: CompiledLibrary.Compilation, count: Int) {
    self.seed = seed
    self.number = number
    self.compilation = compilation
    self.count = count
  }

  private var module: String { "C\(number)" + compilation.flags.map { $0.filter(\.isLetter) }.joined() }

  /// Calls the functions, and shrinks the first one that differs.
  ///
  /// - Throws: The compiler's failure.
  mutating func perform() throws {
    let generated = GeneratedLibrary(
      seed: seed &+ UInt64(number) &* 0x9E37_79B9, types: 30, functions: count, isResilient: compilation.isResilient)
    let functions = generated.functions.filter { only == nil || $0.index == only }
    let library = try CompiledLibrary(generated.source(of: functions), module: module, compilation)
    for row in library.rows {
      do {
        let function = try library.function(row)
        if isVerbose {
          print("\(row.index) \(function)")
          fflush(nil)
        }
        called += 1
        for round in 1...rounds {
          calls += 1
          guard let difference = try library.difference(function, row, seed: round) else { continue }
          failures.append("library \(number) of seed \(seed), \(compilation), \(function)\n  \(difference)")
          if failures.count == 1 { failures[0] += "\n" + shrunk(generated, row.index, seed: round) }
          break
        }
      } catch let error as InvocationError {
        refused[error.reason, default: 0] += 1
      }
    }
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

  /// What the parent process reads: a line of numbers, then the reasons for refusals and the differences.
  func report() {
    print("tally \(count) \(called) \(calls) \(failures.count)")
    for (reason, count) in refused.sorted(by: { $0.value > $1.value }) { print("refused \(count) \(reason)") }
    for failure in failures.prefix(5) { print(failure) }
  }
}
