import CDeclarations
@testable import DynamicInvocation
import TestSupport
import Testing

/// Placements of the AArch64 convention, stated from the code that clang makes for `aarch64-linux-gnu`.
@Suite("Planner: AAPCS64", .measured)
struct AAPCS64Tests {
  @Test(
    "Placements of clang",
    arguments: [
      ("vid{H4=dddd}{H2=ff}q", "- <- g0:4 v0:8 v1:8+v2:8+v3:8+v4:8 v5:4+v6:4 g1:8"),
      ("v{H4=dddd}{H4=dddd}f", "- <- v0:8+v1:8+v2:8+v3:8 v4:8+v5:8+v6:8+v7:8 s0:4"),
      // A homogeneous aggregate that does not fit closes the vector registers (rule C.3).
      ("vd{H4=dddd}{H4=dddd}fd", "- <- v0:8 v1:8+v2:8+v3:8+v4:8 s0:32 s32:4 s40:8"),
      // A value aligned to 16 bytes begins at an even register; alignment that an attribute gave does not count.
      ("viti", "- <- g0:4 g2:8+g3:8 g4:4"),
      ("vi{ST=t}i", "- <- g0:4 g2:8+g3:8 g4:4"),
      ("vqqqqqqqti", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 s0:16 s16:4"),
      ("vqqqqqqq{L2=qq}i", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 s0:16 s16:4"),
      ("vqqqqqqqqit", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 g7:8 s0:4 s16:16"),
      // Large composites are copied, and their address is passed; five doubles are no homogeneous aggregate.
      ("v{L3=qqq}i{H5=ddddd}", "- <- &g0:8 g1:4 &g2:8"),
      ("v{M=if}(UF=f[3f]){HH=   }{C3=[3c]}", "- <- g0:8 v0:4+v1:4+v2:4 v3:2+v4:2+v5:2 g1:3"),
      ("vD{SD=DD}i", "- <- v0:16 v1:16+v2:16 g0:4"),
      ("vjfjdji", "- <- v0:4+v1:4 v2:8+v3:8 g0:8"),
      ("vqqqqqqqqcsfdi", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 g7:8 s0:1 s8:2 v0:4 v1:8 s16:4"),
      ("vddddddd{H2=ff}f", "- <- v0:8 v1:8 v2:8 v3:8 v4:8 v5:8 v6:8 s0:8 s8:4"),
      ("vddddddddqDi", "- <- v0:8 v1:8 v2:8 v3:8 v4:8 v5:8 v6:8 v7:8 g0:8 s0:16 g1:4"),
      ("{H4=dddd}", "v0:8+v1:8+v2:8+v3:8 <- "),
      ("{H2=ff}", "v0:4+v1:4 <- "),
      ("{L2=qq}", "g0:8+g1:8 <- "),
      ("{L3=qqq}i", "&x8 <- g0:4"),
      ("{M=if}", "g0:8 <- "),
      ("D", "v0:16 <- "),
      ("t", "g0:8+g1:8 <- "),
      ("{SD=DD}", "v0:16+v1:16 <- "),
      ("{H5=ddddd}", "&x8 <- "),
      // Empty structs do not end a homogeneous aggregate, arrays without elements do.
      ("v{A=f[3{E=}]f}{B=f{E=}f}", "- <- v0:4+v1:4 v2:4+v3:4"),
      ("v{C=f[0{E=}]f}{D=f[0c]}", "- <- g0:8 g1:4"),
      // A double and a vector of the same size have different base types.
      ("vi{V=d![8,8f]}i", "- <- g0:4 g1:8+g2:8 g3:4"),
      // The type of a bit-field raises the alignment, whatever its width is.
      ("vi{B=b0t5}i", "- <- g0:4 g2:8+g3:8 g4:4"),
    ])
  func placements(_ types: String, _ expected: String) throws {
    try expectEqual(Placements.of(types, by: AAPCS64()), expected)
  }

  @Test("Alignment that an attribute gives to a whole struct does not count")
  func attributedAlignment() throws {
    let int = StructZoo.type("i")
    let types = MethodTypes(result: StructZoo.type("v"), arguments: [int, StructZoo.aligned("{AL=q}"), int])
    expectEqual(Placements.text(try AAPCS64().layout(of: types)), "- <- g0:4 g1:8+g2:8 g3:4")
  }

  @Test("Padding makes an aggregate of equal floating-point members inhomogeneous")
  func paddedMembers() throws {
    let int = StructZoo.type("i")
    let types = MethodTypes(result: StructZoo.aligned("{F=f}"), arguments: [int, StructZoo.aligned("{F=f}"), int])
    expectEqual(Placements.text(try AAPCS64().layout(of: types)), "g0:8+g1:8 <- g0:4 g1:8+g2:8 g3:4")
  }

  @Test("Packing lowers the alignment that counts, and an aligned member raises it")
  func memberAlignment() throws {
    let int = StructZoo.type("i")
    func placements(_ type: TypeEncoding, after arguments: [TypeEncoding]) throws -> String {
      Placements.text(try AAPCS64().layout(of: MethodTypes(result: StructZoo.type("v"), arguments: arguments + [type, int])))
    }
    try expectEqual(placements(StructZoo.packed("{P=t}"), after: [int]), "- <- g0:4 g1:8+g2:8 g3:4")
    let doubles = Array(repeating: StructZoo.type("d"), count: 9)
    try expect(placements(StructZoo.packed("{P=D}"), after: doubles).hasSuffix(" s0:8 s8:16 g0:4"))
    try expect(placements(StructZoo.type("{P=D}"), after: doubles).hasSuffix(" s0:8 s16:16 g0:4"))
    let inner = StructZoo.aligned("{A=q}")
    let outer = try TypeEncoding(record: "B", isUnion: false, members: [(nil, inner)])
    try expectEqual(placements(outer, after: [int]), "- <- g0:4 g2:8+g3:8 g4:4")
    // An attribute of the whole type does not hide that of a member.
    let declared = try CDeclarations(
      """
      struct both { long a __attribute__((aligned(16))); } __attribute__((aligned(16)));
      struct whole { int a __attribute__((packed)); char c; } __attribute__((aligned(16)));
      """)
    try expectEqual(placements(declared.encoding(ofType: "struct both"), after: [int]), "- <- g0:4 g2:8+g3:8 g4:4")
    try expectEqual(placements(declared.encoding(ofType: "struct whole"), after: [int]), "- <- g0:4 g1:8+g2:8 g3:4")
  }

  @Test("An aligned bit-field in a packed struct is refused where the alignment that gcc gives it matters, and passed elsewhere")
  func packedBitFields() throws {
    let (void, int, pair) = (StructZoo.type("v"), StructZoo.type("i"), StructZoo.packed("{B=b0t100}"))
    expectEqual(Placements.text(try AAPCS64().layout(of: MethodTypes(result: pair, arguments: [pair]))), "g0:8+g1:5 <- g0:8+g1:5")
    // A value of one word is passed in any register, by both.
    let word = StructZoo.packed("{B=b0t40}")
    expectEqual(Placements.text(try AAPCS64().layout(of: MethodTypes(result: void, arguments: [int, word]))), "- <- g0:4 g1:5")
    let error = expectThrows(InvocationError.self) { try AAPCS64().layout(of: MethodTypes(result: void, arguments: [int, pair])) }
    expect(error?.argument == .index(1) && error?.reason.contains("gcc and clang") == true)
  }

  @Test("An atomic number is passed as another one, unless it makes an aggregate that would be homogeneous")
  func atomicMembers() throws {
    try expectEqual(Placements.of("Ad{s=Aii}Af", by: AAPCS64()), "v0:8 <- g0:8 v0:4")
    try expectEqual(Placements.of("v{s=fAjf}", by: AAPCS64()), "- <- g0:8+g1:8")
  }

  @Test(
    "Aggregates that gcc and clang pass differently are refused",
    arguments: ["{s=![16,16f][0i]}", "{s=jf[0I]}", "{s=[2{x=[0i]}]f}", "{s=Af}", "{s={x=Ad}d}", "{s=[2Af]}", "(s=[2f]b0)", "{s=Ajd}"])
  func disputed(_ text: String) throws {
    let type = try TypeEncoding(text)
    let argument = expectThrows(InvocationError.self) { try AAPCS64().layout(of: MethodTypes(result: "v", arguments: ["i", type])) }
    expect(argument?.code == .unsupportedType && argument?.argument == .index(1) && argument?.encoding == text)
  }

  @Test(
    "Members without bytes that all read alike",
    arguments: [
      ("v{s={x=[0f]}![8,8f]}", "- <- v0:8"), ("v{s=[2{x=[0i]}]![8,8f]}", "- <- v0:8"), ("v{s=fb0f}", "- <- v0:4+v1:4"),
      ("v(s=![8,8f][0i])", "- <- g0:8"), ("v{s=d[0d]}", "- <- g0:8"),
    ])
  func withoutBytes(_ types: String, _ expected: String) throws {
    try expectEqual(Placements.of(types, by: AAPCS64()), expected)
  }

  @Test("Vectors that compilers pass in their own ways are refused", arguments: ["![32,32f]", "![4,4c]", "{v=![32,32f]}"])
  func refusedVectors(_ text: String) throws {
    let type = try TypeEncoding(text)
    let argument = expectThrows(InvocationError.self) { try AAPCS64().layout(of: MethodTypes(result: "v", arguments: ["i", type])) }
    expect(argument?.code == .unsupportedType && argument?.argument == .index(1))
    let result = expectThrows(InvocationError.self) { try AAPCS64().layout(of: MethodTypes(result: type, arguments: [])) }
    expectEqual(result?.argument, .result)
  }
}
