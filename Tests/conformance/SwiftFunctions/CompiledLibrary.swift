import DynamicInvocation
import Foundation
import FunctionReplacement
import SwiftFunctions
import TestSupport

/// The source of a library of random functions, and of what is needed to call them twice: by the engine and directly.
struct GeneratedLibrary {
  /// A function of a generated library: its number and name, whether it is a setter, the numbers of the types that the
  /// caller passes, the type of the result, and the compiled call.
  ///
  /// It is a tuple, since the type must be the same in the library and in this program.
  typealias Row = (
    index: Int, name: String, isSetter: Bool, arguments: [Int], result: Any.Type, direct: (inout [Any]) throws -> Any
  )

  /// A type of a generated library: how its values are made and compared.
  typealias TypeRow = (type: Any.Type, sample: (UInt64) -> Any, digest: (Any) -> UInt64)

  private(set) var types: GeneratedTypes
  private(set) var functions: [GeneratedFunction] = []

  /// Invents a library.
  ///
  /// A function depends on the seed and its number only.
  init(seed: UInt64, types count: Int, functions number: Int, isResilient: Bool) {
    types = GeneratedTypes(seed: seed, count: count, isResilient: isResilient)
    for index in 0..<number {
      types.reseed(seed &+ UInt64(index + 1) &* 0xD1B5_4A32_D192_ED03)
      functions.append(GeneratedFunction(index, &types))
    }
  }

  /// The source of a library: some of the functions, and the code that calls them.
  func source(of functions: [GeneratedFunction]) -> Source {
    var source = Source(functions: types.prelude + types.source + types.table, callers: "")
    for function in functions { source.functions += function.declaration(types) }
    source.callers += """
      public typealias Row = (
        index: Int, name: String, isSetter: Bool, arguments: [Int], result: Any.Type, direct: (inout [Any]) throws -> Any
      )
      @_silgen_name("conformance_rows") public func rows() -> [Row] {
        var list: [Row] = []

      """
    for function in functions { source.callers += function.row(types) }
    source.callers += "  return list\n}\n"
    for function in functions { source.callers += function.directCall() }
    return source
  }

  /// The functions, and the code that calls them, which may be in a library of its own.
  struct Source {
    var functions: String
    var callers: String
  }
}

/// A generated library that is compiled and loaded.
struct CompiledLibrary {
  /// How a library is compiled.
  struct Compilation: CustomStringConvertible {
    var flags: [String]
    var isResilient: Bool { flags.contains("-enable-library-evolution") }
    /// Whether functions can be replaced.
    var isReplaceable: Bool { flags.contains("-enable-implicit-dynamic") }
    /// Whether the code that calls the functions is in a library of its own, whose calls go through its table.
    var hasOwnCallers = false
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
  private let opened: DynamicLibrary
  /// The library of the code that calls the functions, which stays loaded.
  private let caller: DynamicLibrary
  /// The images whose calls spies record.
  private let callers: Replacement.Callers
  private let alive: SwiftFunction
  private let seen: SwiftFunction

  /// Compiles and loads a source.
  ///
  /// - Throws: The compiler's failure.
  init(_ source: GeneratedLibrary.Source, module: String, _ compilation: Compilation) throws {
    self.module = module
    let folder = TemporaryFolder.shared.url
    let opened: DynamicLibrary
    if compilation.hasOwnCallers {
      let interface = folder.appendingPathComponent(module + ".swiftmodule").path
      let flags = compilation.flags + ["-emit-module", "-emit-module-path", interface]
      let path = try Self.compile(source.functions, module: module, flags)
      opened = try DynamicLibrary(path)
      caller = try DynamicLibrary(
        Self.compile(
          "import \(module)\n" + source.callers, module: module + "Calls", compilation.flags + ["-I", folder.path, path]))
      callers = .library("lib\(module)Calls.so")
    } else {
      opened = try DynamicLibrary(Self.compile(source.functions + source.callers, module: module, compilation.flags))
      caller = opened
      callers = .package
    }
    self.opened = opened
    // The frozen types of a module that is built for library evolution are not known as such.
    let promises: SwiftLibrary.Promises = compilation.isResilient ? [.declarations, .pointers, .fixedLayouts] : [.declarations, .pointers]
    library = unsafe SwiftLibrary(opened).trusting(promises)
    func function(_ name: String, _ result: Any.Type, in library: DynamicLibrary) throws -> SwiftFunction {
      try unsafe SwiftFunction(address: library.symbol("conformance_\(name)"), name: name, parameters: [], result: result)
    }
    alive = try function("alive", Int.self, in: opened)
    seen = try function("seen", UInt64.self, in: opened)
    types = try function("types", [GeneratedLibrary.TypeRow].self, in: opened)()
    digests = Dictionary(types.map { (ObjectIdentifier($0.type), $0.digest) }) { first, _ in first }
    rows = try function("rows", [GeneratedLibrary.Row].self, in: caller)()
  }

  /// Compiles a source to a library, and returns its path.
  private static func compile(_ source: String, module: String, _ flags: [String]) throws -> String {
    let folder = TemporaryFolder.shared.url
    let file = folder.appendingPathComponent(module + ".swift")
    let path = folder.appendingPathComponent("lib\(module).so").path
    try source.write(to: file, atomically: true, encoding: .utf8)
    let words =
      ["swiftc", "-swift-version", "5", "-suppress-warnings", "-parse-as-library", "-emit-library", "-module-name", module, "-o", path]
      + flags + [file.path]
    try Command.require(words, log: folder.appendingPathComponent(module + ".log"))
    return path
  }

  /// Finds a function by its name, and its types in its symbol.
  func function(_ row: GeneratedLibrary.Row) throws -> SwiftFunction {
    let name = "\(module).\(row.name)"
    return try row.isSetter ? library.setter(name) : library.function(name)
  }

  /// What is noted before a compiled call, so that a crash is known to be a fault of the library.
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

  /// Says what differs between a compiled call and one with a spy in the place of the function, or nil.
  ///
  /// The first call goes on to the function. The second call is answered with the result of the first, so that only results are
  /// compared. It is left out for an initializer of a class, whose object would be the same.
  func differenceOfSpy(
    _ row: GeneratedLibrary.Row, isMutating: Bool, isRepeated: Bool, seed: UInt64, note: (String) -> Void = { _ in }
  ) throws -> String? {
    note("\(Self.compiledCall)\(row.index)")
    let before: Int = try alive()
    let compiled = try outcome(row, seed, row.direct)
    let between: Int = try alive()
    note("\(Self.ownCall)\(row.index)")
    let name = "\(module).\(row.name)" + (row.isSetter ? ".setter" : "")
    let (passed, repeated, count) = try withReplacements {
      let calls = try spy(name, in: opened, calledBy: callers, isMutating: isMutating)
      let passed = try outcome(row, seed, row.direct)
      guard isRepeated, case .returned(let value) = calls.all.last?.outcome else { return (passed, passed, calls.count) }
      // The same task gets it, so that it may be of any type.
      try calls.answer(.returning(withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: (any Sendable).self) }))
      return (passed, try outcome(row, seed, row.direct), calls.count)
    }
    let after: Int = try alive()
    guard count > 0 else { return "the spy was not called" }
    if compiled != passed { return "the compiled call: \(compiled)\n  the spy passed on: \(passed)" }
    if compiled[0] != repeated[0] { return "the compiled call: \(compiled)\n  the spy answered:  \(repeated)" }
    let (own, others) = (after - between, between - before)
    return own == others ? nil : "\(own) objects are left over with the spy, and \(others) of the compiled call"
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
