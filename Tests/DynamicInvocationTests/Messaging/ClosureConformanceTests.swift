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
      var signatures: [CallSignature] = []
      while signatures.count < 100 {
        let signature = random.signature()
        if !signature.isDisputed, !signature.isHalved(by: compilation.compiler) { signatures.append(signature) }
      }
      try expectRight(signatures, compilation, name: "caller\(batch)")
    }

    @Test("A value arrives alone and among many, and comes back", arguments: Compilation.optimized)
    func zoo(_ compilation: Compilation) throws {
      let int = StructZoo.type("i")
      let double = StructZoo.type("d")
      let crowd = [double, int, int, double, int, double, int, int]
      let signatures = StructZoo.sample(compilation, of: Compilation.optimized).flatMap { type in
        let result = type.isArray ? StructZoo.type("^v") : type
        return [
          CallSignature(result, [type]), CallSignature(result, []), CallSignature(result, crowd + [type] + crowd + [type, type]),
        ]
      }
      try expectRight(signatures, compilation, name: "zooCaller")
    }

    private func expectRight(_ signatures: [CallSignature], _ compilation: Compilation, name: String) throws {
      let library = try CalleeLibrary(signatures, compiler: compilation.compiler, flags: compilation.flags, calling: true, name: name)
      for index in signatures.indices {
        if let failure = try library.callbackFailure(of: index, seed: UInt64(index)) { Issue.record("\(failure)") }
      }
    }
  }
#endif
