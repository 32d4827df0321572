import DynamicInvocation
import Foundation
import TestSupport

/// Compiles random libraries and calls each of their functions twice: by the engine and as the compiler does.
struct ConformanceRun {
  /// How a library is compiled.
  struct Compilation: CustomStringConvertible {
    var flags: [String]
    var isResilient: Bool { flags.contains("-enable-library-evolution") }
    var description: String { flags.joined(separator: " ") }

    static let all: [Compilation] = [
      Compilation(flags: ["-Onone"]), Compilation(flags: ["-O"]),
      Compilation(flags: ["-Onone", "-enable-library-evolution"]), Compilation(flags: ["-O", "-enable-library-evolution"]),
    ]
  }

  let seed: UInt64
  let functions: Int
  /// Shows which function is called, so that a crash names it.
  var isVerbose = false

  private(set) var calls = 0
  private(set) var refused: [String: Int] = [:]
  private(set) var failures: [String] = []

  init(seed: UInt64, functions: Int) {
    self.seed = seed
    self.functions = functions
  }

  /// Compiles and calls the functions of one library.
  ///
  /// - Throws: The compiler's failure.
  mutating func perform(_ number: Int, _ compilation: Compilation) throws {
    let librarySeed = seed &+ UInt64(number) &* 0x9E37_79B9
    let library = GeneratedLibrary(seed: librarySeed, types: 30, functions: functions, isResilient: compilation.isResilient)
    let module = "Conformance\(number)" + compilation.flags.map { $0.filter(\.isLetter) }.joined()
    let folder = TemporaryFolder.shared.url
    let file = folder.appendingPathComponent(module + ".swift")
    let path = folder.appendingPathComponent("lib\(module).so").path
    try library.source.write(to: file, atomically: true, encoding: .utf8)
    let words =
      ["swiftc", "-swift-version", "5", "-suppress-warnings", "-parse-as-library", "-emit-library", "-module-name", module, "-o", path]
      + compilation.flags + [file.path]
    let log = folder.appendingPathComponent(module + ".log")
    let (status, output) = try Command.run(words, log: log)
    guard status == 0 else { throw Command.Failure(words: words, status: status, output: output) }
    let opened = try DynamicLibrary(path)
    // The runtime refers to the types of a library for good: one that was unloaded would leave it with their addresses.
    _ = Unmanaged.passRetained(opened)
    try callAll(opened, "library \(number) of seed \(seed), \(compilation)")
  }

  private mutating func callAll(_ library: DynamicLibrary, _ place: String) throws {
    let alive = try unsafe SwiftFunction(
      address: library.symbol("conformance_alive"), name: "alive", parameters: [], result: Int.self)
    let entries = try unsafe SwiftFunction(
      address: library.symbol("conformance_entries"), name: "entries", parameters: [], result: [GeneratedLibrary.Entry].self)
    let list: [GeneratedLibrary.Entry] = try entries()
    let before: Int = try alive()
    for entry in list {
      let types = try Self.types(of: entry, in: library)
      let function: SwiftFunction
      do {
        function = try SwiftFunction(types)
      } catch {
        refused[error.reason, default: 0] += 1
        continue
      }
      if isVerbose { print(place, function) }
      for seed in UInt64(1)...4 { call(function, entry, seed: seed, place) }
    }
    let after: Int = try alive()
    if before != after { failures.append("\(place): \(after - before) objects are left over") }
  }

  private static func types(of entry: GeneratedLibrary.Entry, in library: DynamicLibrary) throws -> SwiftFunctionTypes {
    let parameters = zip(entry.parameters, entry.ownership).map { type, ownership in
      SwiftFunctionTypes.Parameter(type: type, ownership: [.borrowed, .owned, .inOut][ownership], label: nil)
    }
    return unsafe SwiftFunctionTypes(
      name: entry.symbol, symbol: entry.symbol, address: try library.symbol(entry.symbol), kind: .function, parameters: parameters,
      result: entry.result, selfType: entry.owner, selfKind: entry.owner == nil ? .none : entry.flags & 4 != 0 ? .object : .value,
      isThrowing: entry.flags & 1 != 0, typedError: entry.error)
  }

  private mutating func call(_ function: SwiftFunction, _ entry: GeneratedLibrary.Entry, seed: UInt64, _ place: String) {
    func outcome(_ arguments: inout [Any], _ call: (inout [Any]) throws -> Any) -> [String] {
      var lines: [String] = []
      do {
        lines.append("result \(entry.digest(try call(&arguments)))")
      } catch {
        lines.append("error \(error)")
      }
      lines.append("seen \(entry.seen())")
      return lines + entry.digests(arguments).enumerated().map { "argument \($0): \($1)" }
    }
    var arguments = entry.arguments(seed)
    var same = entry.arguments(seed)
    let expected = outcome(&same, entry.direct)
    let found = outcome(&arguments) { try function.call(updating: &$0) }
    calls += 1
    if expected != found { failures.append("\(place), seed \(seed): \(function)\n  expected \(expected)\n  found    \(found)") }
  }
}
