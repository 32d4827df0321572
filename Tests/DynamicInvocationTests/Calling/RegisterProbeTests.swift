import DynamicInvocation
import TestSupport
import Testing

/// Registers and stack words of calls and of calls to closures, with code in assembly on the other side, which decides each bit.
@Suite("Oracle: registers and stack words", .measured, .enabled(if: Platform.hasELF, "the assembly is for ELF"))
struct RegisterProbeTests {
  #if arch(x86_64) || arch(arm64)
    /// Who the code in assembly is.
    enum Role: CaseIterable {
      /// A kernel puts each byte of random arguments in its register, and takes the result from its registers.
      case callee
      /// A closure takes each byte from its register or stack word, and returns it there.
      case caller
    }

    private func expectRight(_ signatures: [CallSignature], _ role: Role) throws {
      for (index, signature) in signatures.enumerated() where !signature.isDisputed {
        let seed = UInt64(index)
        let failure =
          role == .callee
          ? try RegisterProbe.callFailure(of: signature, seed: seed) : try RegisterProbe.closureFailure(of: signature.types, seed: seed)
        expectNil(failure, "\(signature)")
      }
    }

    @Test("Random types", arguments: Extent.batches(1, of: 2), Role.allCases)
    func random(_ batch: Int, _ role: Role) throws {
      var random = RandomTypes(seed: (role == .callee ? 0x19E : 0x2E6) + UInt64(batch), hasWholeVectors: true)
      try expectRight((0..<150).map { _ in random.signature() }, role)
    }

    @Test(
      "An enumerated struct after every number of registers in use, and as a result", arguments: Extent.batches(1, of: 2), Role.allCases)
    func enumerated(_ batch: Int, _ role: Role) throws {
      try expectRight((0..<250).map { EnumeratedSignatures().signature(seed: UInt64(250 * batch + $0)) }, role)
    }

    @Test("Every type of the zoo alone and among others", arguments: Role.allCases)
    func zoo(_ role: Role) throws {
      try expectRight(StructZoo.all.flatMap(StructZoo.signatures), role)
    }

    @Test("A bit that is passed wrong is found", arguments: ["vq", "vd", "v{L3=qqq}", "v{M=qd}i", "vD"], [0, 13, 63])
    func wrongBit(_ types: String, _ bit: Int) throws {
      let types = try MethodTypes(types)
      #if arch(arm64)
        // A wrong address of a value passed by reference is not for reading.
        guard types.arguments[0].size ?? 0 <= 16 else { return }
      #endif
      try expectNil(RegisterProbe.closureFailure(of: types, seed: 7))
      let failure = try require(RegisterProbe.closureFailure(of: types, seed: 7, flippedBit: bit))
      expect(failure.hasPrefix("call 0: argument 0") && failure.hasSuffix("arrived wrong at byte \(bit / 8)"), failure)
    }
  #endif

  #if arch(x86_64)
    @Test("The engine and compilers put the bytes of arguments where the convention places them", arguments: CCompiler.all)
    func sameRegisters(_ compiler: CCompiler) throws {
      var random = RandomTypes(seed: 19, hasWholeVectors: true)
      let all = (0..<40).map { _ in random.signature() } + (0..<40).map { EnumeratedSignatures().signature(seed: UInt64($0)) }
      let signatures = all.filter { !$0.isDisputed && !$0.isHalved(by: compiler) }
      let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O1"], calling: true, name: "registers")
      for (index, signature) in signatures.enumerated() {
        try expectNil(RegisterProbe.callFailure(of: signature, seed: UInt64(index)), "\(signature)")
        try expectNil(RegisterProbe.compilerFailure(of: index, in: library, seed: UInt64(index)), "\(signature)")
      }
    }
  #endif

  @Test("A difference is told by its register or stack word, and padding is no difference")
  func difference() throws {
    let types = MethodTypes(
      result: StructZoo.type("v"),
      arguments: [StructZoo.type("{M=cq}"), StructZoo.type("d")] + Array(repeating: StructZoo.type("q"), count: 5))
    var generator = SeededGenerator(seed: 1)
    let samples = types.arguments.map { ValueSample(of: $0, using: &generator) }
    let expected = ExpectedRegisters(try SystemV().layout(of: types), samples, isAArch64: false)
    expectEqual(expected.stackSize, 8)
    expectNil(expected.firstDifference(from: expected.bytes))
    let rows = [
      (0, "general 0, byte 0"), (1, nil), (15, "general 1, byte 7"), (48 + 7, "vector 0, byte 7"), (48 + 8, nil), (176 + 3, "stack+3"),
    ]
    for (index, difference) in rows {
      var bytes = expected.bytes
      bytes[index] ^= 1
      expectEqual(expected.firstDifference(from: bytes), difference, "byte \(index)")
    }
  }
}
