import CDeclarations
@testable import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// Placements of each convention, stated from its document and from the code of compilers.
@Suite("Planner: conventions", .measured)
struct ConventionTests {
  /// A section of the table: the convention that it is about.
  struct Section: Sendable, CustomTestStringConvertible {
    let title: String
    let convention: any CallingConvention
    var fixedCount: Int?
    var testDescription: String { title }
  }

  private static let sections = [
    Section(title: "System V", convention: SystemV()), Section(title: "AAPCS64", convention: AAPCS64()),
    Section(title: "Apple's AAPCS64", convention: AppleAAPCS64()),
    Section(title: "Apple's AAPCS64, one fixed argument", convention: AppleAAPCS64(), fixedCount: 1),
  ]

  @Test("Values are placed, or refused, as the table says", arguments: sections)
  func placements(_ section: Section) throws {
    for row in TextTable.placements.rows(section.title) {
      do {
        let layout = try section.convention.layout(of: StructZoo.types(row[0]), fixedCount: section.fixedCount)
        expectEqual(Placements.text(layout), row[1], row[0])
      } catch {
        let text = "refused: \(error)"
        let parts = row.list(1, " ... ")
        expect(text.hasPrefix(parts[0]) && parts.allSatisfy { text.contains($0) }, "\(row): \(text)")
        expectEqual(error.code, .unsupportedType, row[0])
      }
    }
  }

  @Test("An attribute of the whole type does not hide a member's")
  func declaredAlignment() throws {
    let declared = try CDeclarations(
      """
      struct both { long a __attribute__((aligned(16))); } __attribute__((aligned(16)));
      struct whole { int a __attribute__((packed)); char c; } __attribute__((aligned(16)));
      """)
    for (name, placed) in [("struct both", "- <- g0:4 g2:8+g3:8 g4:4"), ("struct whole", "- <- g0:4 g1:8+g2:8 g3:4")] {
      let types = try MethodTypes(result: "v", arguments: ["i", declared.encoding(ofType: name), "i"])
      try expectEqual(Placements.text(AAPCS64().layout(of: types)), placed, name)
    }
  }

  @Test("An argument on the stack raises the alignment of the stack words, and st(1) returns the second part of a complex number")
  func alignmentAndOffsets() throws {
    try expectEqual(SystemV().layout(of: StructZoo.types("v{a32=ddd}")).stackAlignment, 32)
    try expectEqual(SystemV().layout(of: MethodTypes("vi")).stackAlignment, 16)
    try expectEqual(SystemV().layout(of: MethodTypes("jD")).result.pieces.map(\.offset), [0, 16])
    let layout = try SystemV().layout(of: MethodTypes("vii{structparm=iid}iiDd![16,16f]diii"))
    expect(layout.generalCount == 6 && layout.vectorCount == 4 && layout.stackSize == 32)
  }

  @Test("The pieces of a value cover its bytes without overlap", arguments: StructZoo.all.indices)
  func pieces(_ index: Int) throws {
    let type = StructZoo.all[index]
    let layout = try SystemV().layout(of: MethodTypes(result: "v", arguments: [type]))
    var end = 0
    for piece in layout.arguments[0].pieces {
      expect(piece.offset >= end)
      end = piece.offset + piece.size
    }
    expect(end <= (type.isArray ? 8 : type.size ?? 0))
  }

  // MARK: Apple's variant

  @Test("The arguments occupy whole words of the stack, and all arguments may be fixed")
  func stackSize() throws {
    try expectEqual(AppleAAPCS64().layout(of: MethodTypes("vqqqqqqqqccc")).stackSize, 8)
    let types = try MethodTypes("viid{L2=qq}{L3=qqq}{H2=dd}t")
    try expectEqual(
      Placements.text(AppleAAPCS64().layout(of: types, fixedCount: 7)), Placements.text(AppleAAPCS64().layout(of: types)))
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

  @Test("A kernel without moves is chosen for arguments that have their stack words alone")
  func kernels() throws {
    for row in TextTable.placements.rows("Kernels of Apple") {
      try expectEqual(NativeFrameLayout(MethodTypes(row[0]), fixedCount: nil, by: AppleAAPCS64()).kernel.name, row[1], row[0])
    }
  }
}
