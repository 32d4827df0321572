import TestSupport
import Testing

@testable import DynamicInvocation

/// Method types: frame offsets in and out, what is a method, what equality compares.
@Suite(.measured) struct MethodTypesTests {
  @Test("Frame offsets are skipped: nothing depends on them", arguments: TextTable.encodings.rows("Frame offsets"))
  func statedOffsets(row: TextTable.Row) throws {
    let types = try MethodTypes(row[0])
    expectEqual(types.text(), row[1])
    try expectEqual(MethodTypes(row[1]), types)
    try expectEqual(MethodTypes(row[1]).hashValue, types.hashValue)
  }

  /// Texts that clang wrote for methods with these types.
  @Test(arguments: TextTable.encodings.rows("Frame offsets as compilers write them"))
  func frameOffsetsAsCompilersWriteThem(row: TextTable.Row) throws {
    try expectEqual(MethodTypes(row[0], blankIsFloat16: true).text(frameOffsets: true), row[0])
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

  @Test(arguments: [("Methods", true), ("No methods", false)]) func isMethod(section: String, isMethod: Bool) throws {
    for row in TextTable.encodings.rows(section) {
      try expectEqual(MethodTypes(row[0]).isMethod, isMethod, row[0])
      try expectEqual(MethodSignature(types: row[0]).isMethod, isMethod, row[0])
    }
  }

  @Test(arguments: [("Oneway methods", true), ("No oneway methods", false)]) func isOneway(section: String, isOneway: Bool) throws {
    for row in TextTable.encodings.rows(section) {
      try expectEqual(MethodTypes(row[0]).isOneway, isOneway, row[0])
      try expectEqual(MethodSignature(types: row[0]).isOneway, isOneway, row[0])
    }
  }

  @Test func equality() throws {
    try expectEqual(MethodTypes("v@:r*"), MethodTypes("v24@\"C\"0:8*16"))
    try expect(MethodTypes("v@:") != MethodTypes("i@:"))
    try expect(MethodTypes("vii") != MethodTypes("vi"))
    try expect(MethodTypes("v{a=dd}") != MethodTypes("v{a=qq}"))
    try expect(MethodTypes("v^i") != MethodTypes("v^I"))
    let built = MethodTypes(result: "d", arguments: ["d", "i"])
    try expectEqual(built, (MethodTypes("ddi")))
  }
}
