import TestSupport
import Testing

@testable import DynamicInvocation

/// Method types: frame offsets in and out, what is a method, what equality compares.
@Suite(.measured) struct MethodTypesTests {
  @Test(arguments: [
    ("v", Int?.none, [Int?]()), ("ddd", nil, [nil, nil]), ("v16@0:8", 16, [0, 8]), ("v24@0:8q16", 24, [0, 8, 16]),
    ("@12@+0:+4", 12, [0, 4]), ("v-16@-8:+-4", -16, [-8, -4]), ("i8@0i", 8, [0, nil]), ("v@:16", nil, [nil, 16]),
    ("c96@0:8c16s20i24f28d32{?=dd}40{?={?=dd}{?=dd}}56B88c92", 96, [0, 8, 16, 20, 24, 28, 32, 40, 56, 88, 92]),
    ("v32@?0{?=dd}8@?<v@?@i>24", 32, [0, 8, 24]), ("r*24@0:8[4i]16", 24, [0, 8, 16]), ("v00012@0", 12, [0]),
  ]) func statedOffsets(text: String, frame: Int?, offsets: [Int?]) throws {
    let types = try MethodTypes(text)
    expectEqual(types.statedFrameSize, frame)
    expectEqual(types.statedOffsets, offsets)
    expectEqual(types.arguments.count, offsets.count)
    // The offsets are documentation: nothing else depends on them.
    let plain = try MethodTypes(types.text())
    expectEqual(plain, types)
    expectEqual(plain.hashValue, types.hashValue)
    expect(plain.statedOffsets.allSatisfy { $0 == nil })
  }

  /// Texts that clang wrote for methods with these types.
  @Test(arguments: [
    "v16@0:8", "v24@0:8q16", "c96@0:8c16s20i24f28d32{?=dd}40{?={?=dd}{?=dd}}56B88c92", "Ai64@0:8jd16D32t48", "v20@0:8i16", "v20@0:8c16",
    "{S1=c}53@0:8{S1=c}16{E=}17B17[4i]21 29jc31t33c49",
  ]) func frameOffsetsAsCompilersWriteThem(text: String) throws {
    let types = try MethodTypes(text, blankIsFloat16: true)
    expectEqual(types.text(frameOffsets: true), text)
    try expectEqual(MethodTypes(types.text(frameOffsets: true), blankIsFloat16: true).statedOffsets, types.statedOffsets)
  }

  @Test func incompleteTypesTakeNoFrame() throws {
    try expectEqual(MethodTypes("v{Opaque}i").text(frameOffsets: true), "v4{Opaque}0i0")
  }

  @Test func textOptions() throws {
    let types = try MethodTypes("Vv40@\"C\"0:8r^{A=\"x\"b3}16@?<v@?>24{B=l}32")
    expectEqual(types.text(), "Vv@\"C\":r^{A=\"x\"b3}@?<v@?>{B=i}")
    expectEqual(types.text(dialect: .gnu), "Vv@\"C\":r^{A=\"x\"b0I3}@?<v@?>{B=i}")
    expectEqual(types.text(options: []), "v@:^{?=b3}@?{?=i}")
    expectEqual(types.text(options: .structNames, frameOffsets: true), "v36@0:8^{A=b3}16@?24{B=i}32")
  }

  /// An object and an unknown type side by side must not read as a block.
  @Test func objectBeforeUnknown() throws {
    let types = try MethodTypes("v@0?8")
    expectEqual(types.arguments.count, 2)
    try expectEqual(MethodTypes(types.text()), types)
    expect(types != (try MethodTypes("v@?")))
    expectEqual(types.text(frameOffsets: true), "v8@0?8")
    let vector = try MethodTypes("v@?0<3f>8")
    expectEqual(vector.arguments.count, 2)
    try expectEqual(MethodTypes(vector.text()), vector)
    expectEqual(vector.text(), "v@?<3f>")
  }

  @Test(arguments: [
    ("v@:", true), ("v#:", true), ("v@\"C\":", true), ("v16@0:8", true), ("@@:@", true), ("vr@:", true), ("v", false), ("v@", false),
    ("v:@", false), ("v@?:", false), ("v^v:", false), ("vi:", false), ("v@i:", false), ("ddd", false), ("v@@", false),
  ]) func isMethod(text: String, isMethod: Bool) throws {
    try expectEqual(MethodTypes(text).isMethod, isMethod)
    try expectEqual(MethodSignature(types: text).isMethod, isMethod)
  }

  @Test(arguments: [
    ("Vv@:", true), ("Vv16@0:8", true), ("rVv@:", true), ("v@:", false), ("vV@:", false), ("v@:Vi", false), ("^Vv@:", false),
  ])
  func isOneway(text: String, isOneway: Bool) throws {
    try expectEqual(MethodTypes(text).isOneway, isOneway)
    try expectEqual(MethodSignature(types: text).isOneway, isOneway)
  }

  @Test func equality() throws {
    try expectEqual(MethodTypes("v@:r*"), MethodTypes("v24@\"C\"0:8*16"))
    try expect(MethodTypes("v@:") != MethodTypes("i@:"))
    try expect(MethodTypes("vii") != MethodTypes("vi"))
    try expect(MethodTypes("v{a=dd}") != MethodTypes("v{a=qq}"))
    try expect(MethodTypes("v^i") != MethodTypes("v^I"))
    let built = MethodTypes(result: "d", arguments: ["d", "i"])
    try expectEqual(built, (MethodTypes("ddi")))
    expectEqual(built.statedOffsets, [nil, nil])
    expectNil(built.statedFrameSize)
  }
}
