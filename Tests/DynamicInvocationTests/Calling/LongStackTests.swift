import DynamicInvocation
import TestSupport
import Testing

/// Calls with few and with many words on the stack, which the kernels copy in different ways.
@Suite("Calls with many stack words", .measured) struct LongStackTests {
  @Test("Structs of many sizes on the stack arrive whole, beside arguments in registers", arguments: CCompiler.all)
  func structs(_ compiler: CCompiler) throws {
    // 64 words are the limit of the two ways on x86-64.
    let counts = [1, 2, 31, 32, 33, 62, 63, 64, 65, 128, 4_096]
    var signatures: [CallSignature] = []
    for count in counts {
      for (result, before, after) in [("q", "", ""), ("d", "qd", "qqqqqqq"), ("{R=[3q]}", "dddddddd", "dq"), ("D", "q", "D")] {
        let arguments = (before.map(String.init) + ["{Block=[\(count)q]}"] + after.map(String.init)).map(StructZoo.type)
        signatures.append(CallSignature(StructZoo.type(result), arguments))
      }
      signatures.append(CallSignature(StructZoo.type("v"), [StructZoo.type("{Bytes=[\(count * 8 - 3)c]}"), StructZoo.type("c")]))
    }
    try expectRight(signatures, Compilation(compiler: compiler, flags: ["-O2"]), name: "long-stack")
  }

  @Test("Many scalar arguments arrive", arguments: CCompiler.all)
  func scalars(_ compiler: CCompiler) throws {
    let signatures = [60, 63, 64, 65, 66, 80].flatMap { count in
      ["q", "d", "c", "D"].map { CallSignature(StructZoo.type($0), Array(repeating: StructZoo.type($0), count: count)) }
    }
    try expectRight(signatures, Compilation(compiler: compiler, flags: ["-O2"]), name: "long-stack-scalars")
  }
}
