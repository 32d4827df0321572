@testable import DynamicInvocation
import TestSupport
import Testing

/// Placements of Apple's variant, stated from the code that clang makes for `arm64-apple-macosx`.
@Suite("Planner: Apple's AAPCS64")
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
    #expect(try Placements.of(types, by: AppleAAPCS64()) == expected)
  }

  @Test("Alignment that an attribute gives to a whole struct counts on the stack, but not for a homogeneous aggregate")
  func attributedAlignment() throws {
    let (byte, long) = (StructZoo.type("c"), StructZoo.type("q"))
    let aligned = try StructZoo.type("{A=q}").aligned(to: 16)
    let general = MethodTypes(result: StructZoo.type("v"), arguments: Array(repeating: long, count: 8) + [byte, aligned])
    #expect(Placements.text(try AppleAAPCS64().layout(of: general)).hasSuffix("g7:8 s0:1 s16:16"))

    let doubles = Array(repeating: StructZoo.type("d"), count: 8)
    let pair = try StructZoo.type("{H=dd}").aligned(to: 16)
    let vector = MethodTypes(result: StructZoo.type("v"), arguments: doubles + [StructZoo.type("f"), pair])
    #expect(Placements.text(try AppleAAPCS64().layout(of: vector)).hasSuffix("v7:8 s0:4 s8:16"))
  }

  @Test("The arguments occupy whole words of the stack")
  func stackSize() throws {
    #expect(try AppleAAPCS64().layout(of: MethodTypes("vqqqqqqqqccc")).stackSize == 8)
  }

  @Test(
    "What cannot be passed is refused with the argument",
    arguments: [
      ("vi{Opaque}", "argument 1"), ("[2i]", "return value"), ("vi![32,32f]", "argument 1"), ("viA{S=cs}", "argument 1"),
    ])
  func refused(_ types: String, _ place: String) throws {
    let error = #expect(throws: InvocationError.self) { try Placements.of(types, by: AppleAAPCS64()) }
    #expect("\(try #require(error))".contains(place))
  }
}
