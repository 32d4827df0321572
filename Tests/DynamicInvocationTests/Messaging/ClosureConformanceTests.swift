#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Has code of gcc and clang call closures of random types, and of every type of the zoo.
  @Suite("Closures called by C compilers' code", .measured)
  struct ClosureConformanceTests {
    @Test("Arguments and results of random types arrive", arguments: Extent.batches(1, of: 3), Compilation.all)
    func random(_ batch: Int, _ compilation: Compilation) throws {
      var random = RandomTypes(seed: 0xCA11 + UInt64(batch), hasWholeVectors: true)
      try expectRight(random.signatures(100, for: compilation.compiler), compilation, calling: true, name: "caller\(batch)")
    }

    @Test("A value arrives alone and among many, and comes back", arguments: Compilation.optimized)
    func zoo(_ compilation: Compilation) throws {
      let types = StructZoo.sample(compilation, of: Compilation.optimized)
      try expectRight(types.flatMap(StructZoo.signatures), compilation, calling: true, name: "zooCaller")
    }
  }
#endif
