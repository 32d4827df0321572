import TestSupport
import Testing

@testable import DynamicInvocation

/// Sizes, alignments and places that compilers were seen to give, written down; the oracle suite asks the compilers themselves.
@Suite(.measured) struct RecordLayoutTests {
  static func fields(_ type: TypeEncoding) -> [TypeEncoding.Field] {
    switch type.kind {
    case .structure(let record), .union(let record): record.fields ?? []
    default: []
    }
  }

  @Test(arguments: TextTable.encodings.rows("Sizes and alignments")) func sizes(row: TextTable.Row) throws {
    let type = try TypeEncoding(row[0])
    expectEqual(type.size, row.number(1))
    expectEqual(type.stride, row.number(1))
    expectEqual(type.alignment, row.number(2))
  }

  @Test func longDoubleIsThePlatforms() throws {
    let size = TypeEncoding.Scalar.longDouble.size
    #if arch(x86_64)
      expectEqual(size, 16)
    #endif
    try expectEqual(parsedType("D").size, size)
    try expectEqual(parsedType("{S=cD}").size, 2 * size)
    try expectEqual(parsedType("{S=cjD}").size, 3 * size)
    try expectEqual(parsedType("[3{S=cD}]").alignment, size)
  }

  @Test func offsets() throws {
    let type: TypeEncoding = "{S=c{?=sd}i(U=c[3s])*[2t]}"
    expectEqual(Self.fields(type).map(\.offset), [0, 8, 24, 28, 40, 48])
    expect(Self.fields(type).allSatisfy { $0.bits == nil })
    expectEqual(Self.fields("(U=cid[9s])").map(\.offset), [0, 0, 0, 0])
  }

  @Test func bitRanges() throws {
    let type: TypeEncoding = "{S=cb3b20b10b0b1sb64}"
    expectEqual(Self.fields(type).map(\.bits), [nil, 8..<11, 11..<31, 32..<42, 64..<64, 64..<65, nil, 128..<192])
    expectEqual(Self.fields(type).map(\.offset), [0, 1, 1, 4, 8, 8, 10, 16])
    expectEqual(type.size, 24)
    // The GNU form states what was declared, with the positions a compiler gave.
    expectEqual(Self.fields("{S=cb8C3b11S5b32I20}").map(\.bits), [nil, 8..<11, 11..<16, 32..<52])
    // A position behind what is taken is kept: an unnamed bit-field is before it, which the encoding omits.
    expectEqual(Self.fields("{S=b0I3b8I5}").map(\.bits), [0..<3, 8..<13])
    try expectEqual(parsedType("{S=b0I3b32I5}").size, 8)
    // A position inside what is taken already is moved behind it.
    expectEqual(Self.fields("{S=ib0I3}").map(\.bits), [nil, 32..<35])
    expectEqual(Self.fields("(U=b9I3b0I20)").map(\.bits), [0..<3, 0..<20])
  }

  @Test func packing() throws {
    let type: TypeEncoding = "{P=cis*}"
    let table: [(packing: Int, size: Int, alignment: Int, offsets: [Int])] = [
      (1, 15, 1, [0, 1, 5, 7]), (2, 16, 2, [0, 2, 6, 8]), (4, 20, 4, [0, 4, 8, 12]), (8, 24, 8, [0, 4, 8, 16]), (16, 24, 8, [0, 4, 8, 16]),
    ]
    for row in table {
      let packed = try type.packed(to: row.packing)
      expectEqual(packed.size, row.size)
      expectEqual(packed.alignment, row.alignment)
      expectEqual(Self.fields(packed).map(\.offset), row.offsets)
      try expectEqual(packed.layoutOverride, .init(packing: row.packing, minimumAlignment: nil))
    }
    // Bit-fields cross their storage units under any packing, but a zero width still closes one; on AArch64 Linux it also aligns the record.
    for packing in [1, 2, 4, 8, 16] {
      let bits = try parsedType("{B=cb20b20b0b2}").packed(to: packing)
      expectEqual(Self.fields(bits).map(\.bits), [nil, 8..<28, 28..<48, 64..<64, 64..<66])
      expectEqual(bits.alignment, (TargetABI.host == .aarch64 ? 4 : min(packing, 4)))
    }
    let (union, empty) = try (parsedType("(U=i[5c])").packed(), parsedType("{E=}").packed())
    expectEqual(union.size, 5)
    expectEqual(empty.size, 0)
  }

  @Test func alignment() throws {
    let type: TypeEncoding = "{A=cd}"
    try expectEqual(type.aligned(to: 16).size, 16)
    try expectEqual(type.aligned(to: 16).alignment, 16)
    try expectEqual(type.aligned(to: 64).size, 64)
    try expectEqual(type.aligned(to: 4096).size, 4096)
    try expectEqual(type.aligned(to: 2).alignment, 8)
    // Both at once, in either order.
    let both = try type.packed().aligned(to: 4)
    expectEqual(both.size, 12)
    expectEqual(both.alignment, 4)
    try expectEqual(type.aligned(to: 4).packed(), both)
    // Members keep theirs.
    let outer = try TypeEncoding(record: "O", isUnion: false, members: [(nil, "c"), (nil, type.aligned(to: 32))])
    expectEqual(outer.size, 64)
    expectEqual(Self.fields(outer).map(\.offset), [0, 32])
    let inner = try TypeEncoding(record: "O", isUnion: false, members: [(nil, "c"), (nil, type.packed()), (nil, "i")])
    expectEqual(Self.fields(inner).map(\.offset), [0, 1, 12])
  }

  @Test func overridesKeepTheRest() throws {
    let type = try parsedType("r{P=\"c\"c\"i\"Vi}").packed(to: 2)
    expectEqual(type.description, "r{P=\"c\"c\"i\"Vi}")
    expectEqual(type.qualifiers, .const)
    expectEqual(Self.fields(type).map(\.name), ["c", "i"])
  }

  @Test(arguments: [0, -1, 3, 32, 4096, Int.max, Int.min]) func refusedPackings(packing: Int) {
    let error = expectThrows(InvocationError.self) { try parsedType("{P=ci}").packed(to: packing) }
    expectEqual(error?.code, .outOfRange)
    expectEqual(error?.reason, "a packing of \(packing) is not a power of two up to 16")
  }

  @Test(arguments: [0, -8, 24, 8192, Int.max, Int.min]) func refusedAlignments(alignment: Int) {
    let error = expectThrows(InvocationError.self) { try parsedType("{P=ci}").aligned(to: alignment) }
    expectEqual(error?.code, .outOfRange)
    expectEqual(error?.reason, "an alignment of \(alignment) is not a power of two up to 4096")
  }

  @Test(arguments: ["i", "^{P=ci}", "[2{P=ci}]", "v", "@", "{Opaque}", "(Opaque)", "{P=i{Opaque}}"]) func refusedOverrides(text: String)
    throws
  {
    let type = try TypeEncoding(text)
    let error = expectThrows(InvocationError.self) { try type.packed() }
    expectEqual(error?.code, .typeMismatch)
    expectEqual(error?.encoding, text)
    expectThrows(InvocationError.self) { try type.aligned(to: 16) }
  }

  @Test func overriddenTypesStayWithinTheLimit() throws {
    let type = try parsedType("{S=[2147483640c]}")
    let error = expectThrows(InvocationError.self) { try type.aligned(to: 4096) }
    expectEqual(error?.code, .limitExceeded)
  }
}
