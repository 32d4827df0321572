@testable import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// Placements of Apple's variant, stated from the code that clang makes for `arm64-apple-macosx`.
@Suite("Planner: Apple's AAPCS64", .measured)
struct AppleAAPCS64Tests {
  @Test(
    "Placements of clang",
    arguments: [
      // A 16-byte integer may start at an odd register, and is not divided between x7 and the stack.
      ("vqti", "- <- g0:8 g1:8+g2:8 g3:4"),
      ("vqqqqqqqti", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 s0:16 s16:4"),
      // On the stack a scalar has only its own bytes, a struct whole words, a homogeneous aggregate its members.
      ("vqqqqqqqqcti", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 g7:8 s0:1 s16:16 s32:4"),
      ("vqqqqqqqqc{C=c}cs", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 g7:8 s0:1 s8:1 s16:1 s18:2"),
      ("vddddddddf{H3=fff}f", "- <- v0:8 v1:8 v2:8 v3:8 v4:8 v5:8 v6:8 v7:8 s0:4 s4:12 s16:4"),
      ("vdddddddd {H3=   } ", "- <- v0:8 v1:8 v2:8 v3:8 v4:8 v5:8 v6:8 v7:8 s0:2 s2:6 s8:2"),
      // Registers that a value does not fit stay unused, as in AAPCS64.
      ("vqqqqqqq{L2=qq}i", "- <- g0:8 g1:8 g2:8 g3:8 g4:8 g5:8 g6:8 s0:16 s16:4"),
      ("v{L3=qqq}i", "- <- &g0:8 g1:4"),
      ("{L3=qqq}i", "&x8 <- g0:4"),
      ("{H4=dddd}", "v0:8+v1:8+v2:8+v3:8 <- "),
      ("{M=if}", "g0:8 <- "),
      ("v{E=}i", "- <- - g0:4"),
    ])
  func placements(_ types: String, _ expected: String) throws {
    try expectEqual(Placements.of(types, by: AppleAAPCS64()), expected)
  }

  @Test("Alignment that an attribute gives to a whole struct counts on the stack, but not for a homogeneous aggregate")
  func attributedAlignment() throws {
    let (byte, long) = (StructZoo.type("c"), StructZoo.type("q"))
    let aligned = try StructZoo.type("{A=q}").aligned(to: 16)
    let general = MethodTypes(result: StructZoo.type("v"), arguments: Array(repeating: long, count: 8) + [byte, aligned])
    expect(Placements.text(try AppleAAPCS64().layout(of: general)).hasSuffix("g7:8 s0:1 s16:16"))

    let doubles = Array(repeating: StructZoo.type("d"), count: 8)
    let pair = try StructZoo.type("{H=dd}").aligned(to: 16)
    let vector = MethodTypes(result: StructZoo.type("v"), arguments: doubles + [StructZoo.type("f"), pair])
    expect(Placements.text(try AppleAAPCS64().layout(of: vector)).hasSuffix("v7:8 s0:4 s8:16"))
  }

  @Test("An atomic number makes no homogeneous aggregate, and a packed part changes no registers")
  func parts() throws {
    try expectEqual(Placements.of("Ad{s=Af}{s=[2Ad]}Af", by: AppleAAPCS64()), "v0:8 <- g0:4 g1:8+g2:8 v0:4")
    let part = try TypeEncoding(
      record: "O", isUnion: false, members: [(nil, StructZoo.type("c")), (nil, StructZoo.type("{b=b0s16b16s16}"))]
    ).packed()
    expectEqual(Placements.text(try AppleAAPCS64().layout(of: MethodTypes(result: part, arguments: ["i", part]))), "g0:5 <- g0:4 g1:5")
  }

  @Test("The arguments occupy whole words of the stack")
  func stackSize() throws {
    try expectEqual(AppleAAPCS64().layout(of: MethodTypes("vqqqqqqqqccc")).stackSize, 8)
  }

  @Test("Variadic arguments are passed on the stack, each in whole words")
  func variadic() throws {
    let types = try MethodTypes("viid{L2=qq}{L3=qqq}{H2=dd}t")
    let layout = try AppleAAPCS64().layout(of: types, fixedCount: 1)
    expectEqual(Placements.text(layout), "- <- g0:4 s0:4 s8:8 s16:16 &s32:8 s40:16 s64:16")
    let homogeneous = try AppleAAPCS64().layout(of: MethodTypes("vi{H4=dddd}{H4=ffff}i"), fixedCount: 1)
    expectEqual(Placements.text(homogeneous), "- <- g0:4 s0:32 s32:16 s48:4")
    expectEqual(Placements.text(try AppleAAPCS64().layout(of: types, fixedCount: 7)), Placements.text(try AppleAAPCS64().layout(of: types)))
  }

  @Test("Arguments that share a stack word have words of their own in a frame, from which a call copies them")
  func sharedWords() throws {
    let frame = try NativeFrameLayout(MethodTypes("vqqqqqqqqcsi"), fixedCount: nil, by: AppleAAPCS64())
    expectEqual(frame.kernel.name, "aapcs64-packed-stack")
    expectEqual(frame.arguments.suffix(3).map(\.offset), [200, 208, 216])
    // One stack word, aligned to 16 bytes, no copies, and three moves: the own word, the bytes on the stack, the size.
    expectEqual(frame.context, .words([1, 16, 0, 3, 200, 192, 1, 208, 194, 2, 216, 196, 4]))
    expect(frame.incoming.isGathered && frame.incoming.size == 224)

    var bytes = [UInt8](repeating: 0xA5, count: 224)
    bytes.replaceSubrange(192..<200, with: 1...8)
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { frame.incoming.separate(in: start) } }
    expectEqual(bytes[200...], [1, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0, 0])
  }

  @Test(
    "A kernel without moves is chosen for arguments that have their stack words alone",
    arguments: [
      ("vqqqqqqqqc", "aapcs64-stack"), ("vqqqqqqqqcq", "aapcs64-stack"), ("vqqqqqqqqcc", "aapcs64-packed-stack"),
      ("vddddddddff", "aapcs64-packed-stack"), ("v![16,16f]qqqqqqqqcc", "aapcs64-packed-wide"), ("vqd", "aapcs64-vector"),
    ])
  func kernel(_ types: String, _ expected: String) throws {
    try expectEqual(NativeFrameLayout(MethodTypes(types), fixedCount: nil, by: AppleAAPCS64()).kernel.name, expected)
  }

  @Test(
    "What cannot be passed is refused with the argument",
    arguments: [
      ("vi{Opaque}", "argument 1"), ("[2i]", "return value"), ("vi![32,32f]", "argument 1"), ("viA{S=cs}", "argument 1"),
    ])
  func refused(_ types: String, _ place: String) throws {
    let error = expectThrows(InvocationError.self) { try Placements.of(types, by: AppleAAPCS64()) }
    expect("\(try require(error))".contains(place))
  }
}
