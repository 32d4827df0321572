import DynamicInvocation
import TestSupport
import Testing

/// Plants faults and looks for what is left of a signature that shows them.
@Suite("Shrinking a signature that fails", .measured)
struct SignatureShrinkerTests {
  /// Shrinks as the conformance run does: each candidate is compiled and called, on one backend.
  private func shrunk(_ signature: CallSignature, corrupting isFaulty: @escaping (TypeEncoding) -> Bool) -> CallSignature {
    SignatureShrinker.shrunk(signature) { candidate in
      guard
        var library = try? CalleeLibrary(
          once: CalleeSource([candidate]), of: [candidate], Compilation(compiler: .gcc, flags: ["-O0"]))
      else { return false }
      library.corruption = { type, bytes in
        if isFaulty(type) { for index in bytes.indices { bytes[index] ^= 0x11 } }
      }
      guard case .wrong? = try? library.outcome(of: 0, seed: 1, backend: CalleeLibrary.backends[0]) else { return false }
      return true
    }
  }

  @Test("A fault in one type leaves that one argument", arguments: [0x5EED, 0xFA17] as [UInt64])
  func oneArgument(_ seed: UInt64) throws {
    var random = RandomTypes(seed: seed, hasWholeVectors: true)
    var signature = random.signature(arguments: 8)
    while signature.isDisputed { signature = random.signature(arguments: 8) }
    // A complex number is in no struct's way: the fault is in the argument itself.
    let fault = StructZoo.type("jd")
    var arguments = signature.types.arguments
    arguments.insert(fault, at: arguments.count / 2)
    let small = shrunk(CallSignature(signature.types.result, arguments)) { $0 == fault }
    expectEqual(small.description, "vjd")
  }

  @Test("A fault in any struct with a half-precision number leaves the smallest such struct")
  func oneMember() throws {
    func hasHalf(_ type: TypeEncoding) -> Bool {
      guard case .structure(let record) = type.kind else { return false }
      return (record.fields ?? []).contains { if case .scalar(.float16) = $0.type.kind { true } else { hasHalf($0.type) } }
    }
    let signature = CallSignature(
      StructZoo.type("{r=dd}"), ["i", "{s=q{t=b3c f[3i]}(u=id)}", "D", "{v=ff}", "t"].map(StructZoo.type))
    expectEqual(shrunk(signature, corrupting: hasHalf).description, "v{t= }")
  }

  @Test("A variadic function keeps its ellipsis only as long as it fails with it")
  func ellipsis() {
    let types = ["i", "d", "{s=qq}", "q"].map(StructZoo.type)
    let signature = CallSignature(StructZoo.type("i"), types, fixedCount: 2)
    let variadic = SignatureShrinker.shrunk(signature) { $0.fixedCount != nil && $0.types.arguments.count > $0.fixedCount ?? 0 }
    expect(variadic.fixedCount == 1 && variadic.types.text() == "vii")
    let fixed = SignatureShrinker.shrunk(signature) { $0.types.arguments.contains { $0.size == 16 } }
    expect(fixed.fixedCount == nil && fixed.types.arguments.count == 1 && fixed.types.arguments[0].size == 16)
  }

  @Test("Each simpler type weighs less, and a packed struct stays packed until nothing else fails")
  func attributes() {
    let packed = StructZoo.type("{p1=cid}")
    expect(!packed.simplerTypes.isEmpty)
    let small = SignatureShrinker.shrunk(CallSignature(packed, [packed])) { signature in
      signature.types.arguments.contains { $0.layoutOverride?.packing == 1 && $0.size == 5 }
    }
    expectEqual(small.types.arguments.count, 1)
    expect(small.types.arguments[0].layoutOverride?.packing == 1 && small.types.text() == "v{p1=ci}")
  }
}
