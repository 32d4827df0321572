import SwiftFunctions
import DynamicInvocation
import Foundation
import TestSupport

/// A generated library that is compiled and loaded.
struct CompiledLibrary {
  /// How a library is compiled.
  struct Compilation: CustomStringConvertible {
    var flags: [String]
    var isResilient: Bool { flags.contains("-enable-library-evolution") }
    var description: String { flags.joined(separator: " ") }

    /// The compilations by their names.
    static let all: KeyValuePairs<String, Compilation> = [
      "onone": Compilation(flags: ["-Onone"]), "o": Compilation(flags: ["-O"]),
      "onone-evolution": Compilation(flags: ["-Onone", "-enable-library-evolution"]),
      "o-evolution": Compilation(flags: ["-O", "-enable-library-evolution"]),
    ]
  }

  let module: String
  let types: [GeneratedLibrary.TypeRow]
  let rows: [GeneratedLibrary.Row]
  private let digests: [ObjectIdentifier: (Any) -> UInt64]
  private let library: SwiftLibrary
  private let alive: SwiftFunction
  private let seen: SwiftFunction

  /// Compiles and loads a source.
  ///
  /// - Throws: The compiler's failure.
  init(_ source: String, module: String, _ compilation: Compilation) throws {
    self.module = module
    let folder = TemporaryFolder.shared.url
    let file = folder.appendingPathComponent(module + ".swift")
    let path = folder.appendingPathComponent("lib\(module).so").path
    try source.write(to: file, atomically: true, encoding: .utf8)
    let words =
      ["swiftc", "-swift-version", "5", "-suppress-warnings", "-parse-as-library", "-emit-library", "-module-name", module, "-o", path]
      + compilation.flags + [file.path]
    let log = folder.appendingPathComponent(module + ".log")
    let (status, output) = try Command.run(words, log: log)
    guard status == 0 else { throw Command.Failure(words: words, status: status, output: output) }
    let opened = try DynamicLibrary(path)
    // The frozen types of a module that is built for library evolution are not known as such.
    let promises: SwiftLibrary.Promises = compilation.isResilient ? [.declarations, .pointers, .fixedLayouts] : [.declarations, .pointers]
    library = unsafe SwiftLibrary(opened).trusting(promises)
    func function(_ name: String, _ result: Any.Type) throws -> SwiftFunction {
      try unsafe SwiftFunction(address: opened.symbol("conformance_\(name)"), name: name, parameters: [], result: result)
    }
    alive = try function("alive", Int.self)
    seen = try function("seen", UInt64.self)
    types = try function("types", [GeneratedLibrary.TypeRow].self)()
    digests = Dictionary(types.map { (ObjectIdentifier($0.type), $0.digest) }) { first, _ in first }
    rows = try function("rows", [GeneratedLibrary.Row].self)()
  }

  /// Finds a function by its name, and its types in its symbol.
  func function(_ row: GeneratedLibrary.Row) throws -> SwiftFunction {
    let name = "\(module).\(row.name)"
    return try row.isSetter ? library.setter(name) : library.function(name)
  }

  /// What is noted before a compiled call, so that a crash is known to be that of the library.
  static let compiledCall = "the compiled call of "
  /// What is noted before a call by the engine.
  static let ownCall = "the call of "

  /// Says what differs between a call by the engine and the compiled call with the same random arguments, or nil.
  func difference(
    _ function: SwiftFunction, _ row: GeneratedLibrary.Row, seed: UInt64, note: (String) -> Void = { _ in }
  ) throws -> String? {
    let expected = row.arguments.map { types[$0].type } + [row.result]
    let stated = function.argumentTypes + [function.resultType]
    guard expected.count == stated.count, zip(expected, stated).allSatisfy({ $0 == $1 }) else { return "the types are \(expected)" }
    let before: Int = try alive()
    note("\(Self.compiledCall)\(row.index)")
    let compiled = try outcome(row, seed, row.direct)
    let between: Int = try alive()
    note("\(Self.ownCall)\(row.index)")
    let called = try outcome(row, seed) { try function.call(updating: &$0) }
    let after: Int = try alive()
    if compiled != called { return "the compiled call: \(compiled)\n  this call:         \(called)" }
    let (own, others) = (after - between, between - before)
    return own == others ? nil : "\(own) objects are left over, and \(others) of the compiled call"
  }

  /// What a call returns or throws, what the callee has received, and the arguments after the call.
  private func outcome(_ row: GeneratedLibrary.Row, _ seed: UInt64, _ call: (inout [Any]) throws -> Any) throws -> [String] {
    var arguments = row.arguments.enumerated().map { types[$1].sample(seed &+ UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }
    var lines: [String] = []
    do {
      let value = try call(&arguments)
      let digest = digests[ObjectIdentifier(row.result)]?(value)
      lines.append("result \(digest.map { "\($0)" } ?? "\(value)")")
    } catch {
      lines.append("error \(error)")
    }
    lines.append("received \(try seen(as: UInt64.self))")
    return lines + row.arguments.enumerated().map { "argument \($0): \(types[$1].digest(arguments[$0]))" }
  }
}

extension Command.Failure {
  /// Whether the command is a compiler that crashed, and did not refuse its source.
  var isCompilerCrash: Bool {
    status > 1 || ["Stack dump", "submit a bug report", "failed due to signal"].contains { output.contains($0) }
  }
}
