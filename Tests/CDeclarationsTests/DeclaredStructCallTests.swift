import CDeclarations
import DynamicInvocation
import LayoutModel
import TestSupport
import Testing

/// Structs of declarations, whose attributes and bit-fields decide how compilers pass them, as arguments and results.
@Suite(.measured) struct DeclaredStructCallTests {
  /// A struct and a function that returns its argument, between two values that show a shift of registers.
  private static func source(_ definitions: [String], _ names: [String]) -> String {
    definitions.joined(separator: "\n")
      + names.enumerated().map { "\n\($1) same\($0)(long a, \($1) value, int b) { return a == 7 && b == 9 ? value : (\($1)){}; }" }.joined()
  }

  /// Calls the function of a struct, and returns what is wrong, or nil; throws the error of a refusal.
  private static func failure(_ number: Int, of library: DynamicLibrary, seed: UInt64 = 1) throws -> String? {
    let function = try library.function("same\(number)")
    let type = function.methodSignature.types.arguments[1]
    var generator = SeededGenerator(seed: seed)
    let sample = ValueSample(of: type, using: &generator)
    let call = function.makeInvocation()
    try call.setArgument(Int(7), at: 0)
    try sample.bytes.withUnsafeBytes { try unsafe call.setArgument(from: #require($0.baseAddress), at: 1) }
    try call.setArgument(Int32(9), at: 2)
    try call.invoke()
    let bytes = try [UInt8](unsafeUninitializedCapacity: sample.bytes.count) { buffer, count in
      try unsafe call.getReturnValue(into: UnsafeMutableRawPointer(#require(buffer.baseAddress)))
      count = sample.bytes.count
    }
    return sample.firstDifference(from: bytes).map { "byte \($0) of \(sample.bytes) in \(bytes), a \(type)" }
  }

  #if arch(x86_64)
    @Test("Structs with parts at any offset", arguments: CCompiler.all, TextTable.declarations.rows("Passed structs")) func passes(
      _ compiler: CCompiler, _ row: TextTable.Row
    ) throws {
      let source = Self.source([row[0]], ["struct s"])
      let library = try DynamicLibrary(
        compiler.sharedLibrary(source: source, flags: ["-O2"], name: "parts"), declarations: CDeclarations(source))
      #expect(try Self.failure(0, of: library) == nil)
    }

    @Test(
      "Structs that gcc and clang pass differently", arguments: TextTable.declarations.rows("Structs that gcc and clang pass differently"))
    func refuses(_ row: TextTable.Row) throws {
      let declarations = try CDeclarations("\(row[0])\nint take(int, struct s); struct s make(void);")
      let argument = try #require(throws: InvocationError.self) { try MethodSignature(#require(declarations.functions["take"]).types) }
      #expect(argument.code == .unsupportedType && argument.reason.contains("gcc and clang"))
      #expect(argument.argument == .index(1) || argument.reason.contains("parameter 1: 'struct s' has a flexible array"))
      let result = try #require(throws: InvocationError.self) { try MethodSignature(#require(declarations.functions["make"]).types) }
      #expect(result.argument == .result || result.reason.contains("return value: 'struct s' has a flexible array"))
    }
  #endif

  @Test("Random structs with attributes, in each other", arguments: Compilation.all) func random(_ compilation: Compilation) throws {
    var generator = SeededGenerator(seed: 0x5EED)
    var records: [RandomRecord] = []
    for index in 0..<400 {
      let record = RandomRecord(name: "r\(index)", earlier: Array(records.suffix(40)), using: &generator)
      if record.places[0] <= 24 { records.append(record) }
    }
    let source = Self.source(records.map(\.declaration), records.map(\.cName))
    let library = try DynamicLibrary(
      compilation.compiler.sharedLibrary(source: source, flags: compilation.flags, name: "records"), declarations: CDeclarations(source))
    var refused = 0
    for (number, record) in records.enumerated() where record.places[0] > 0 {
      do {
        let types = try library.function("same\(number)").methodSignature.types
        if CallSignature(types.result, types.arguments).isHalved(by: compilation.compiler) { continue }
        let failure = try Self.failure(number, of: library, seed: UInt64(number))
        #expect(failure == nil, "\(record.declaration)")
      } catch let error as InvocationError where error.code == .unsupportedType {
        #expect(error.reason.contains("gcc and clang"))
        refused += 1
      }
    }
    #expect(refused < records.count / 4)
  }
}
