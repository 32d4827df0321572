import DynamicInvocation
import TestSupport
import Testing

/// Calls callees of random signatures, made by gcc and clang.
@Suite("Random signatures against C compilers", .measured)
struct RandomSignatureTests {
  /// Each batch is one source file.
  ///
  /// The command `calls` of `conformance` runs many more.
  static let batches: [Int] = Array(Extent.batches(5, of: 20))
  static let batchSize = 100

  @Test("Arguments and results of random types arrive", arguments: batches, CCompiler.all)
  func random(_ batch: Int, _ compiler: CCompiler) throws {
    var random = RandomTypes(seed: 0xC0FFEE + UInt64(batch))
    let signatures = random.signatures(Self.batchSize, for: compiler)
    try expectRight(signatures, Compilation(compiler: compiler, flags: ["-O2"]), name: "random\(batch)")
  }

  @Test("Variadic arguments of random types arrive", arguments: CCompiler.all)
  func randomVariadic(_ compiler: CCompiler) throws {
    var random = RandomTypes(seed: 0x7E57)
    let signatures = random.signatures(140, for: compiler) { random, _ in random.variadicSignature(arguments: 16) }
    try expectRight(signatures, Compilation(compiler: compiler, flags: ["-O2"]), name: "variadic")
  }
}
