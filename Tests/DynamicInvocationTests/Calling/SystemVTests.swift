@testable import DynamicInvocation
import TestSupport
import Testing

/// Placements of the x86-64 convention, stated from the psABI and from the code of gcc and clang.
@Suite("Planner: System V x86-64", .measured)
struct SystemVTests {
  @Test("The psABI's own example: figures 3.5 and 3.6 of section 3.2.3")
  func publishedExample() throws {
    // func(int e, int f, structparm s, int g, int h, long double ld, double m, __m256 y, double n, int i, int j, int k), with a __m128 for y.
    let types = "vii{structparm=iid}iiDd![16,16f]diii"
    let placed = try Placements.of(types, by: SystemV())
    expectEqual(placed, "- <- g0:4 g1:4 g2:8+v0:8 g3:4 g4:4 s0:16 v1:8 v2:16 v3:8 g5:4 s16:4 s24:4")
    let layout = try SystemV().layout(of: MethodTypes(types))
    expect(layout.generalCount == 6 && layout.vectorCount == 4 && layout.stackSize == 32)
  }

  @Test(
    "Placements of gcc and clang",
    arguments: [
      ("v", "- <- "),
      ("cCsSiIqQ", "g0:1 <- g0:1 g1:2 g2:2 g3:4 g4:4 g5:8 s0:8"),
      ("ffdf", "v0:4 <- v0:4 v1:8 v2:4"),
      ("DDd", "t0:16 <- s0:16 v0:8"),
      ("jDjD", "t0:16+t1:16 <- s0:32"),
      ("jfjfjd", "v0:8 <- v0:8 v1:8+v2:8"),
      ("jijijq", "g0:8 <- g0:8 g1:8+g2:8"),
      // A 128-bit integer takes two registers in a row, and is aligned on the stack.
      ("tit", "g0:8+g1:8 <- g0:4 g1:8+g2:8"),
      ("vqqqqqt", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 s0:16"),
      ("vqqqqqqqt", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 s0:8 s16:16"),
      // All or nothing: a struct that does not fit leaves the last register for a later argument.
      ("vqqqqq{a=qq}q", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 s0:16 g5:8"),
      ("vqqqqqq{a=qd}d", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 s0:16 v0:8"),
      ("vddddddd{a=dd}f", "- <- v0:8 v1:8 v2:8 v3:8 v4:8 v5:8 v6:8 s0:16 v7:4"),
      ("{a=qd}{a=dq}", "g0:8+v0:8 <- v0:8+g0:8"),
      ("{a=fff}{a=fff}", "v0:8+v1:4 <- v0:8+v1:4"),
      ("{a=fi}{a=cd}", "g0:8 <- g0:8+v0:8"),
      ("{a=ccc}{a=[5c]}", "g0:3 <- g0:5"),
      // A result in memory takes the first register for its address, and gives it back in rax.
      ("{a=ddd}{a=ddd}i", "&g0:8 <- s0:24 g1:4"),
      ("{a=D}{a=D}", "t0:16 <- s0:16"),
      ("{a=Dc}i", "&g0:8 <- g1:4"),
      ("(u=fi)(u=df)", "g0:4 <- v0:8"),
      ("(u=d{a=qq})(u=Di)", "g0:8+g1:8 <- s0:16"),
      ("(u=D)(u=D)", "t0:16 <- s0:16"),
      ("{b=ib7d}{b=fb9}", "g0:8+v0:8 <- g0:8"),
      ("{b=b40C}i", "g0:8 <- g0:4"),
      // A bit-field that a packed struct lets lie across two eightbytes makes both of them integers.
      ("v{S=b0Q60b60Q10}d", "- <- g0:8+g1:8 v0:8"),
      ("v{e=}i{e=}", "- <- - g0:4 -"),
      ("![16,16f]![8,8f]{v=![8,8i]q}", "v0:16 <- v0:8 v1:8+g0:8"),
      ("v[4i]{a=[4i]}", "- <- g0:8 g1:8+g2:8"),
      ("v    ", "- <- v0:2 v1:2 v2:2 v3:2"),
      // The classification is recursive: a long double's second half and a float alone would be memory, but the struct's member is an integer first.
      ("v(u=b14D[2{s=fI}])", "- <- g0:8+g1:8"),
      ("v(u={a=qq}(v=Di))", "- <- s0:16"),
      // Eightbytes of a long double and of other classes are memory, also if both of the other member are vector ones.
      ("(u=D{s=dd})(u=D{s=dd})", "&g0:8 <- s0:16"),
      ("(u=![16,16f]q)i", "g0:8+v0:8 <- g0:4"),
      // A member without bytes changes no class.
      ("{s=D{e=}}{s={e=}D}", "t0:16 <- s0:16"),
    ])
  func placements(_ types: String, _ expected: String) throws {
    try expectEqual(Placements.of(types, by: SystemV()), expected)
  }

  @Test("A packed struct goes to memory when a member is not aligned, and only then")
  func packed() throws {
    func place(_ type: TypeEncoding) throws -> String {
      Placements.text(try SystemV().layout(of: MethodTypes(result: StructZoo.type("v"), arguments: [type])))
    }
    try expectEqual(place(StructZoo.packed("{p=cd}")), "- <- s0:9")
    try expectEqual(place(StructZoo.packed("{p=dc}")), "- <- v0:8+g0:1")
    try expectEqual(place(StructZoo.packed("{p=sf}")), "- <- s0:6")
    try expectEqual(place(StructZoo.packed("{p=b60b10}")), "- <- g0:8+g1:1")
    try expectEqual(place(StructZoo.packed("{p=b60b36f}")), "- <- g0:8+g1:8")
    let union = try TypeEncoding(
      record: "U", isUnion: true, members: [(nil, StructZoo.type("{s=qq}")), (nil, StructZoo.packed("{p=ci}"))])
    try expectEqual(place(union), "- <- s0:16")
    // A part at an offset that is not a multiple of its alignment, if gcc finds an unaligned scalar in it too.
    func outer(_ members: [TypeEncoding], packing: Int = 1) throws -> TypeEncoding {
      try TypeEncoding(record: "O", isUnion: false, members: members.map { (nil, $0) }).packed(to: packing)
    }
    let (byte, fields) = (StructZoo.type("c"), StructZoo.type("{b=b0s16b16s16}"))
    try expectEqual(place(outer([byte, fields, byte])), "- <- s0:6")
    try expectEqual(place(outer([byte, TypeEncoding(arrayOf: fields, count: 2)])), "- <- s0:9")
    try expectEqual(place(outer([StructZoo.type("s"), fields])), "- <- g0:6")
    try expectEqual(place(outer([byte, StructZoo.type("(u=b0i20c)")])), "- <- s0:5")
    try expectEqual(place(outer([byte, StructZoo.type("{s={x=f}}")])), "- <- s0:5")
    try expectEqual(place(outer([byte, StructZoo.packed("{p=i}")])), "- <- s0:5")
    try expectEqual(place(outer([byte, StructZoo.type("{s=[3c]}")])), "- <- g0:4")
    try expectEqual(place(outer([StructZoo.type("i"), StructZoo.type("{s=d}")], packing: 4)), "- <- s0:12")
    try expectEqual(place(outer([StructZoo.type("i"), StructZoo.type("![8,4f]")], packing: 4)), "- <- s0:12")
    try expectEqual(place(StructZoo.type("{s=qqAi}")), "- <- s0:24")
    try expectEqual(place(StructZoo.type("Ai")), "- <- g0:4")
    try expectEqual(place(StructZoo.type("{s=AD}")), "- <- s0:16")
    try expectEqual(place(StructZoo.aligned("{a=i}")), "- <- g0:8")
    try expectEqual(place(StructZoo.aligned("{a=ddd}", to: 32)), "- <- s0:32")
  }

  @Test("An argument on the stack raises the alignment of the stack words, and st(1) returns the second part of a complex number")
  func alignmentAndOffsets() throws {
    let aligned = MethodTypes(result: StructZoo.type("v"), arguments: [StructZoo.aligned("{a=ddd}", to: 32)])
    try expectEqual(SystemV().layout(of: aligned).stackAlignment, 32)
    try expectEqual(SystemV().layout(of: MethodTypes("vi")).stackAlignment, 16)
    try expectEqual(SystemV().layout(of: MethodTypes("jD")).result.pieces.map(\.offset), [0, 16])
  }

  @Test("The pieces of a value cover its bytes without overlap", arguments: StructZoo.all.indices)
  func pieces(_ index: Int) throws {
    let type = StructZoo.all[index]
    let layout = try SystemV().layout(of: MethodTypes(result: StructZoo.type("v"), arguments: [type]))
    var end = 0
    for piece in layout.arguments[0].pieces {
      expect(piece.offset >= end)
      end = piece.offset + piece.size
    }
    expect(end <= (type.isArray ? 8 : type.size ?? 0))
  }
}
