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
    var signatures: [CallSignature] = []
    while signatures.count < Self.batchSize {
      let signature = random.signature()
      if !signature.isDisputed, !signature.isHalved(by: compiler) { signatures.append(signature) }
    }
    let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O2"], name: "random\(batch)")
    for index in signatures.indices {
      let seed = UInt64(batch * Self.batchSize + index)
      if let failure = try library.failure(of: index, seed: seed) { Issue.record("batch \(batch): \(failure)") }
    }
  }

  @Test("Variadic arguments of random types arrive", arguments: CCompiler.all)
  func randomVariadic(_ compiler: CCompiler) throws {
    var random = RandomTypes(seed: 0x7E57)
    let signatures = (0..<150).map { _ in random.variadicSignature(arguments: 16) }
      .filter { !$0.isDisputed && !$0.isHalved(by: compiler) }
    let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O2"], name: "variadic")
    for index in signatures.indices {
      if let failure = try library.failure(of: index, seed: UInt64(index)) { Issue.record("\(failure)") }
    }
  }
}
