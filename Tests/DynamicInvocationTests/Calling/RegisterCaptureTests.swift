import DynamicInvocation
import TestSupport
import Testing

/// Registers and stack words of calls, stored by a callee in assembly.
@Suite("Oracle: registers and stack words", .measured, .enabled(if: Platform.hasELF, "the assembly is for ELF"))
struct RegisterCaptureTests {
  #if arch(x86_64)
    @Test("The engine and compilers put the bytes of arguments where the convention places them", arguments: CCompiler.all)
    func sameRegisters(_ compiler: CCompiler) throws {
      var random = RandomTypes(seed: 19, hasWholeVectors: true)
      let signatures = (0..<40).map { _ in random.signature() }.filter { !$0.isDisputed && !$0.isHalved(by: compiler) }
      let enumerated = (0..<40).map { EnumeratedSignatures().signature(seed: UInt64($0)) }
        .filter { !$0.isDisputed && !$0.isHalved(by: compiler) }
      let library = try CalleeLibrary(signatures + enumerated, compiler: compiler, flags: ["-O1"], calling: true, name: "registers")
      for index in library.signatures.indices {
        #expect(try library.registerFailure(of: index, seed: UInt64(index)) == nil, "\(library.signatures[index])")
      }
    }
  #endif

  #if arch(x86_64) || arch(arm64)
    @Test("Kernels put each byte of random arguments in its register, and take the result from its registers", arguments: 0..<2)
    func random(_ batch: Int) throws {
      var random = RandomTypes(seed: 0x19E + UInt64(batch), hasWholeVectors: true)
      try expectRight((0..<150).map { _ in random.signature() }.filter { !$0.isDisputed })
    }

    @Test("Kernels pass an enumerated struct after every number of registers in use, and take it as a result", arguments: 0..<2)
    func enumerated(_ batch: Int) throws {
      try expectRight((0..<250).map { EnumeratedSignatures().signature(seed: UInt64(250 * batch + $0)) }.filter { !$0.isDisputed })
    }

    @Test("Kernels pass every type of the zoo alone and among others")
    func zoo() throws {
      let (int, double) = (StructZoo.type("i"), StructZoo.type("d"))
      let others = [double, int, int, double, int, double, int, int]
      try expectRight(
        StructZoo.all.flatMap { type in
          let result = type.isArray ? StructZoo.type("^v") : type
          return [CallSignature(result, [type]), CallSignature(result, others + [type] + others + [type, type])]
        })
    }

    private func expectRight(_ signatures: [CallSignature]) throws {
      for (index, signature) in signatures.enumerated() {
        #expect(try RegisterCapture.callFailure(of: signature.types, seed: UInt64(index)) == nil, "\(signature)")
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
    #expect(expected.stackSize == 8)
    #expect(expected.firstDifference(from: expected.bytes) == nil)
    func difference(at index: Int) -> String? {
      var bytes = expected.bytes
      bytes[index] ^= 1
      return expected.firstDifference(from: bytes)
    }
    #expect(difference(at: 0) == "general 0, byte 0")
    #expect(difference(at: 1) == nil)
    #expect(difference(at: 15) == "general 1, byte 7")
    #expect(difference(at: 48 + 7) == "vector 0, byte 7")
    #expect(difference(at: 48 + 8) == nil)
    #expect(difference(at: 176 + 3) == "stack+3")
  }
}
