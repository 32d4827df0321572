#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Closures called by code in assembly, which decides each bit of each register.
  @Suite("Oracle: registers of calls to closures", .measured, .enabled(if: Platform.hasELF, "the assembly is for ELF"))
  struct RegisterCallerTests {
    @Test("Closures of random types take each byte from its register or stack word, and return it there", arguments: 0..<2)
    func random(_ batch: Int) throws {
      var random = RandomTypes(seed: 0x2E6 + UInt64(batch), hasWholeVectors: true)
      let signatures = (0..<150).map { _ in random.signature() }.filter { !$0.isDisputed }
      try expectRight(signatures)
    }

    @Test("Closures with an enumerated struct take and return it after every number of registers in use", arguments: 0..<2)
    func enumerated(_ batch: Int) throws {
      try expectRight((0..<250).map { EnumeratedSignatures().signature(seed: UInt64(250 * batch + $0)) }.filter { !$0.isDisputed })
    }

    @Test("Closures take every type of the zoo alone and among others")
    func zoo() throws {
      let (int, double) = (StructZoo.type("i"), StructZoo.type("d"))
      let others = [double, int, int, double, int, double, int, int]
      try expectRight(
        StructZoo.all.flatMap { type in
          let result = type.isArray ? StructZoo.type("^v") : type
          return [CallSignature(result, [type]), CallSignature(result, others + [type] + others + [type, type])]
        })
    }

    @Test("A bit that is passed wrong is found", arguments: ["vq", "vd", "v{L3=qqq}", "v{M=qd}i", "vD"], [0, 13, 63])
    func wrongBit(_ types: String, _ bit: Int) throws {
      let types = try MethodTypes(types)
      #if arch(arm64)
        // A wrong address of a value passed by reference is not for reading.
        guard types.arguments[0].size ?? 0 <= 16 else { return }
      #endif
      #expect(try RegisterCaller.closureFailure(of: types, seed: 7) == nil)
      let failure = try #require(try RegisterCaller.closureFailure(of: types, seed: 7, flippedBit: bit))
      #expect(failure.hasPrefix("call 0: argument 0") && failure.hasSuffix("arrived wrong at byte \(bit / 8)"))
    }

    private func expectRight(_ signatures: [CallSignature]) throws {
      for (index, signature) in signatures.enumerated() {
        #expect(try RegisterCaller.closureFailure(of: signature.types, seed: UInt64(index)) == nil, "\(signature)")
      }
    }
  }
#endif
